/* A disk behind a cache that forgets: preloaded into a process, it remembers, sector by sector,
 * what every file of one directory would hold if the power went now. See power_cuts.py.
 *
 * What was written is on the disk once the file was synced. A cut undoes any part of the rest:
 * each sector by itself, so that writes are dropped, torn and reordered. A sync that fails marks
 * what it should have written as lost, as Linux does: a later sync of the file does not save it,
 * writing it again does. Changes of a file's length count as durable, but what a cut drops beyond
 * the synced length is zeros, or gone. A process that kills itself (companion/faults.py) is cut off
 * from the power as well.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define SECTOR 512
#define MOST_FILES 1024
#define CHAINS 65536

struct sector {
    int file;
    long long number;
    int lost;
    char durable[SECTOR];
    struct sector *next;
};

struct file {
    dev_t dev;
    ino_t ino;
    int fd; /* our own: never closed, so that nobody's locks are let go */
    off_t durable_size;
    int counts; /* whether a write to it counts down to the cut */
};

static char directory[PATH_MAX];
static char counted[64] = "*"; /* the names of files whose writes count */
static struct file files[MOST_FILES];
static int file_count;
static struct sector *chains[CHAINS];
static unsigned random_state;
static long writes_left = -1; /* until the power goes; -1: it stays */
static long syncs_left = -1;  /* until syncs fail; -1: they work */
static long failures_left;    /* how many fail; -1: all */
static int lies;              /* a sync does nothing, and says it did */

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);

__attribute__((constructor)) static void find_the_real_ones(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
}

static unsigned chance(unsigned below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static int known(const struct stat *status) {
    for (int i = 0; i < file_count; i++)
        if (files[i].dev == status->st_dev && files[i].ino == status->st_ino)
            return i;
    return -1;
}

/* The number of a file of ours; -1 for any other. */
static int file_of(int fd) {
    struct stat status;
    char link[64], path[PATH_MAX];
    if (!directory[0] || fstat(fd, &status) || !S_ISREG(status.st_mode))
        return -1;
    int found = known(&status);
    if (found >= 0)
        return found;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return -1;
    path[length] = 0;
    if (strncmp(path, directory, strlen(directory)) || strstr(path, "-shm") ||
        strstr(path, "ballast"))
        return -1;
    int own = open(link, O_RDWR | O_CLOEXEC);
    if (own < 0 || file_count == MOST_FILES)
        abort();
    int counts = !fnmatch(counted, strrchr(path, '/') + 1, 0);
    files[file_count] = (struct file){status.st_dev, status.st_ino, own, status.st_size, counts};
    return file_count++;
}

static struct sector **place_of(int file, long long number) {
    struct sector **at = &chains[(unsigned long long)(number * 31 + file) % CHAINS];
    while (*at && ((*at)->file != file || (*at)->number != number))
        at = &(*at)->next;
    return at;
}

/* Before a write: keep what the sectors hold for good. */
static void keep(int file, off_t offset, size_t count) {
    for (long long n = offset / SECTOR; n <= (long long)((offset + count - 1) / SECTOR); n++) {
        struct sector **at = place_of(file, n);
        if (*at) {
            (*at)->lost = 0; /* written again */
            continue;
        }
        struct sector *fresh = calloc(1, sizeof *fresh);
        fresh->file = file;
        fresh->number = n;
        if (pread(files[file].fd, fresh->durable, SECTOR, n * SECTOR) < 0)
            abort();
        *at = fresh;
    }
}

static void power_cut(void) {
    unsigned share = chance(5) * 25; /* percent of the sectors that never reached the disk */
    for (int i = 0; i < CHAINS; i++)
        for (struct sector *each = chains[i]; each; each = each->next)
            if (each->lost || chance(100) < share)
                real_pwrite(files[each->file].fd, each->durable, SECTOR, each->number * SECTOR);
    for (int i = 0; i < file_count; i++) {
        struct stat status;
        if (!fstat(files[i].fd, &status) && status.st_size > files[i].durable_size && chance(2))
            real_ftruncate(files[i].fd, files[i].durable_size);
    }
    _exit(137);
}

static void count_a_write(int file) {
    if (files[file].counts && writes_left > 0 && --writes_left == 0)
        power_cut();
}

/* A sync of a file of ours: whether it succeeds. */
static int synced(int file) {
    int fails = 0;
    if (lies)
        return 1;
    if (syncs_left > 0)
        syncs_left--;
    else if (syncs_left == 0 && failures_left != 0) {
        fails = 1;
        if (failures_left > 0)
            failures_left--;
    }
    struct stat status;
    for (int i = 0; i < CHAINS; i++)
        for (struct sector **at = &chains[i]; *at;) {
            struct sector *each = *at;
            if (each->file == file && fails)
                each->lost = 1;
            if (each->file == file && !each->lost) {
                *at = each->next;
                free(each);
            } else
                at = &each->next;
        }
    if (!fails && !fstat(files[file].fd, &status))
        files[file].durable_size = status.st_size;
    return !fails;
}

/* From now on. `writes`, `syncs`: -1 for never. */
void lazy_disk(const char *below, unsigned seed, long writes, long syncs, long failures, int lie) {
    snprintf(directory, sizeof directory, "%s", below);
    random_state = seed;
    writes_left = writes;
    syncs_left = syncs;
    failures_left = failures;
    lies = lie;
}

/* Before `lazy_disk`: only writes to files so named count, as "store.db" (not its -wal). */
void lazy_disk_counts(const char *names) {
    snprintf(counted, sizeof counted, "%s", names);
}

int kill(pid_t pid, int signal) {
    static int (*real_kill)(pid_t, int);
    if (directory[0] && pid == getpid() && signal == SIGKILL)
        power_cut();
    if (!real_kill)
        real_kill = (int (*)(pid_t, int))dlsym(RTLD_NEXT, "kill");
    return real_kill(pid, signal);
}

ssize_t pwrite64(int fd, const void *data, size_t count, off_t offset) {
    int file = count ? file_of(fd) : -1;
    if (file >= 0) {
        keep(file, offset, count);
        ssize_t done = real_pwrite(fd, data, count, offset);
        count_a_write(file);
        return done;
    }
    return real_pwrite(fd, data, count, offset);
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) {
    return pwrite64(fd, data, count, offset);
}

ssize_t write(int fd, const void *data, size_t count) {
    int file = count ? file_of(fd) : -1;
    if (file >= 0) {
        keep(file, lseek(fd, 0, SEEK_CUR), count);
        ssize_t done = real_write(fd, data, count);
        count_a_write(file);
        return done;
    }
    return real_write(fd, data, count);
}

int fsync(int fd) {
    int file = file_of(fd);
    if (file >= 0 && !synced(file)) {
        errno = EIO;
        return -1;
    }
    return 0;
}

int fdatasync(int fd) {
    return fsync(fd);
}

int ftruncate64(int fd, off_t length) {
    int file = file_of(fd);
    if (file >= 0) {
        for (int i = 0; i < CHAINS; i++)
            for (struct sector **at = &chains[i]; *at;) {
                struct sector *each = *at;
                if (each->file == file && each->number * SECTOR >= length) {
                    *at = each->next;
                    free(each);
                } else
                    at = &each->next;
            }
        if (files[file].durable_size > length)
            files[file].durable_size = length;
    }
    return real_ftruncate(fd, length);
}

int ftruncate(int fd, off_t length) {
    return ftruncate64(fd, length);
}
