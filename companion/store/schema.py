"""The tables of the first release, and tables and columns that came later, as SQL.

Times are ISO 8601 text with an offset (for people); `*_lived_s` are seconds of lived time (for
fading); order is `seq`, nothing else. Plain tables are the truth. The two FTS5 tables read their
text from the views beside them and can be rebuilt.

The consolidation's own tables (chunks, drafts, evidence) stand in `companion.store.intermediate`.
"""

STATE = """
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  lived_s REAL NOT NULL DEFAULT 0,
  last_wall REAL,                   -- seconds since 1970 when lived_s was last advanced
  swept INTEGER NOT NULL DEFAULT 1  -- 0: rows were erased whose bytes still lie about
) STRICT;
INSERT INTO state (id) VALUES (1);
"""

LOG = """
CREATE TABLE sessions (
  number INTEGER PRIMARY KEY,       -- order of arrival
  id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,
  ended TEXT,
  turns INTEGER NOT NULL DEFAULT 0,    -- turns ever opened; the next is turns + 1
  messages INTEGER NOT NULL DEFAULT 0, -- messages ever appended; the next position
  consolidated_at TEXT,
  consolidated_lived_s REAL
) STRICT;
CREATE UNIQUE INDEX one_open_session ON sessions ((1)) WHERE ended IS NULL;

CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  began REAL NOT NULL,              -- seconds since 1970, for ranges of dates
  day TEXT NOT NULL,                -- 'Friday 28 April 2023', where it was spoken
  UNIQUE (session, number)
) STRICT;
CREATE INDEX turns_by_time ON turns (began);

-- AUTOINCREMENT: a seq is never given twice, not even after an erase.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  position INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  text TEXT NOT NULL,
  time TEXT NOT NULL,
  confidence REAL,
  cut INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session, position),
  UNIQUE (session, turn, role),
  FOREIGN KEY (session, turn) REFERENCES turns (session, number) ON DELETE CASCADE
) STRICT;

CREATE VIEW turn_texts AS
  SELECT turns.id, turns.day
    || coalesce(' you: ' || said.text, '')
    || coalesce(' companion: ' || reply.text, '') AS text
  FROM turns
  LEFT JOIN messages AS said
    ON said.session = turns.session AND said.turn = turns.number AND said.role = 'user'
  LEFT JOIN messages AS reply
    ON reply.session = turns.session AND reply.turn = turns.number AND reply.role = 'assistant';
"""

VECTORS = """
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL CHECK (dimension > 0)
) STRICT;

-- vector: float32, little endian, L2 norm 1. bits: the sign of each number, for the first pass
-- of a search, which scans the covering index alone.
CREATE TABLE turn_vectors (            -- both sides of a turn
  id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  vector BLOB NOT NULL,
  bits BLOB NOT NULL
) STRICT;
CREATE INDEX turn_bits ON turn_vectors (embedder, bits);

CREATE TABLE query_vectors (           -- what the person said in a turn
  id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  vector BLOB NOT NULL,
  bits BLOB NOT NULL
) STRICT;
CREATE INDEX query_bits ON query_vectors (embedder, bits);

CREATE TABLE memory_vectors (
  id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  vector BLOB NOT NULL,
  bits BLOB NOT NULL
) STRICT;
CREATE INDEX memory_bits ON memory_vectors (embedder, bits);
"""

TOKEN_BITS = """
-- The sign bits of the vectors of a text's tokens, one after the other, for late interaction.
-- Beside the vectors, not among them: a search reads those rows, and these are longer.
CREATE TABLE turn_tokens (
  id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  said BLOB NOT NULL,                -- of the person's words
  reply BLOB NOT NULL                -- of the companion's
) STRICT;

CREATE TABLE memory_tokens (
  id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  text BLOB NOT NULL
) STRICT;
"""

MEMORIES = """
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT NOT NULL,
  last_used_lived_s REAL NOT NULL,
  strength REAL NOT NULL CHECK (strength > 0),
  event_time TEXT,
  pinned INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded', 'archived')),
  superseded_by INTEGER REFERENCES memories (id),
  archived_lived_s REAL,
  CHECK ((status = 'superseded') = (superseded_by IS NOT NULL)),
  CHECK ((status = 'archived') = (archived_lived_s IS NOT NULL))
) STRICT;
CREATE INDEX memories_by_status ON memories (status);
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;

-- No foreign key to turns: a quote outlives its raw turn.
CREATE TABLE sources (
  memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  quote TEXT NOT NULL,
  UNIQUE (memory, session, turn, quote)
) STRICT;
CREATE INDEX sources_by_turn ON sources (session, turn);

CREATE VIEW active_memories AS SELECT id, text FROM memories WHERE status = 'active';
"""

PROFILE = """
CREATE TABLE profile_core (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  item TEXT NOT NULL CHECK (item IN ('name', 'age', 'gender')),
  value TEXT NOT NULL,
  time TEXT NOT NULL,
  session TEXT,                     -- NULL: told by a parent, not said in a turn
  turn INTEGER,
  quote TEXT
) STRICT;

CREATE TABLE profile_personality (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  summary TEXT,
  myers_briggs TEXT,
  big_five TEXT NOT NULL,           -- JSON object of numbers or nulls
  examples TEXT NOT NULL            -- JSON list of strings
) STRICT;
"""

# Porter: children say dog and dogs, swim and swimming (the product speaks English).
# remove_diacritics 2: a transcriber writes café, a question cafe. secure-delete: an erased word
# leaves the index at once instead of being struck out.
TEXT_INDEXES = """
CREATE VIRTUAL TABLE turn_index USING fts5(
  text, content='turn_texts', content_rowid='id',
  tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO turn_index (turn_index, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE turn_index_words USING fts5vocab(turn_index, row);

CREATE VIRTUAL TABLE memory_index USING fts5(
  text, content='active_memories', content_rowid='id',
  tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO memory_index (memory_index, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE memory_index_words USING fts5vocab(memory_index, row);
"""

LIFESPANS = """
-- Lived days that a unit of strength stands for; 1: the published curve. Set by each night's rule.
ALTER TABLE memories ADD COLUMN unit_days REAL NOT NULL DEFAULT 1 CHECK (unit_days > 0);
-- 1: the kind was told by meaning, 0: by the words of the draft.
ALTER TABLE memories ADD COLUMN sorted INTEGER NOT NULL DEFAULT 0;
"""

FIRST_RELEASE = STATE + LOG + MEMORIES + VECTORS + PROFILE + TEXT_INDEXES
