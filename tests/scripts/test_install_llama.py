"""Installing llama.cpp: kept, compiled, self-tested and replaced, in an environment of its own.

The packages here stand in for llama-cpp-python: the same name and version, a few lines inside,
built by real pip with a build backend of their own. One dies like a build for another CPU.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from compile_llama import BuildFailed, compile_wheel
from install_llama import selftest, suitable
from llama_builds import Build

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

# The llama_cpp of this environment under the stand-in's name.
RUNS = f"""
from pathlib import Path
real = Path({sysconfig.get_path("purelib")!r}) / "llama_cpp"
__path__ = [str(real)]
exec((real / "__init__.py").read_text())
"""
DIES = "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n"

BACKEND = """
import os, zipfile
def get_requires_for_build_wheel(settings=None): return []
def build_wheel(directory, settings=None, metadata=None):
    print("[1/2] Building CXX object", flush=True)
    if "BREAK" in os.environ["CMAKE_ARGS"]:
        raise SystemExit("error: no such instruction")
    name = "llama_cpp_python-0.3.36-py3-none-any.whl"
    body = {runs!r} if "GOOD" in os.environ["CMAKE_ARGS"] else {dies!r}
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for member, text in {members!r}.items():
            wheel.writestr(member, text)
        wheel.writestr("llama_cpp/__init__.py", body)
    return name
"""
INFO = "llama_cpp_python-0.3.36.dist-info"
MEMBERS = {
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: llama-cpp-python\nVersion: 0.3.36\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/RECORD": "",
}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index that offers the package as source only."""
    directory = tmp_path / "index"
    directory.mkdir()
    files = {
        "PKG-INFO": MEMBERS[f"{INFO}/METADATA"],
        "pyproject.toml": (
            "[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n"
        ),
        "backend.py": BACKEND.format(runs=RUNS, dies=DIES, members=MEMBERS),
    }
    with tarfile.open(directory / "llama_cpp_python-0.3.36.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"llama_cpp_python-0.3.36/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(directory))
    return directory


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A virtual environment that sees this one's packages, and installs into itself."""
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    python = venv / "bin" / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    found = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True)
    mine = "\n".join(dict.fromkeys([sysconfig.get_path("purelib"), str(SCRIPTS.parent)]))
    Path(found.stdout.strip(), "outer.pth").write_text(mine)
    return python


def settle(python: Path, build: Build, kept: Path, gguf: Path) -> tuple[bool, str]:
    """Run the real thing in the environment: did a wheel pass, and what was said?"""
    program = (
        "import json, sys; from pathlib import Path; from llama_builds import Build;"
        "from install_llama import settle;"
        "name, options, features, kept, gguf = json.loads(sys.argv[1]);"
        "build = Build(name, tuple(options), features=tuple(features));"
        "print(settle(build, '0.3.36', Path(kept), Path(gguf)))"
    )
    facts = json.dumps([build.name, build.options, build.features, str(kept), str(gguf)])
    result = subprocess.run(
        [python, "-c", program, facts],
        cwd=SCRIPTS,
        env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip() == "True", result.stderr


@pytest.mark.slow
def test_what_compiles_and_runs_is_kept_for_the_next_environment(
    source: Path, python: Path, tmp_path: Path, llm_tiny_path: Path
) -> None:
    kept = tmp_path / "wheels" / "good"
    good = Build("good", ("-DGOOD=ON",), features=("AVX2",))
    passed, said = settle(python, good, kept, llm_tiny_path)
    assert passed, said
    assert "llama.cpp (good, compiled) runs" in said
    assert [path.name for path in kept.iterdir()] == ["llama_cpp_python-0.3.36-py3-none-any.whl"]
    for path in source.iterdir():
        path.unlink()
    passed, said = settle(python, good, kept, llm_tiny_path)
    assert passed, said
    assert "llama.cpp (good, kept) runs" in said


@pytest.mark.slow
def test_what_dies_is_not_kept_and_not_compiled_again(
    source: Path, python: Path, tmp_path: Path, llm_tiny_path: Path
) -> None:
    kept = tmp_path / "wheels" / "bad"
    passed, said = settle(python, Build("bad"), kept, llm_tiny_path)
    assert not passed
    assert "llama.cpp (bad, compiled): dies in the self-test (exit -4)" in said
    assert [path.name for path in kept.iterdir()] == ["failed.txt"]
    passed, said = settle(python, Build("bad"), kept, llm_tiny_path)
    assert not passed
    assert "Compiling" not in said


@pytest.mark.slow
def test_a_kept_wheel_that_was_cut_is_compiled_anew(
    source: Path, python: Path, tmp_path: Path, llm_tiny_path: Path
) -> None:
    kept = tmp_path / "wheels" / "good"
    kept.mkdir(parents=True)
    (kept / "llama_cpp_python-0.3.36-py3-none-any.whl").write_bytes(b"PK\x03\x04 and no more")
    passed, said = settle(python, Build("good", ("-DGOOD=ON",)), kept, llm_tiny_path)
    assert passed, said
    assert "pip cannot install" in said
    assert zipfile.is_zipfile(kept / "llama_cpp_python-0.3.36-py3-none-any.whl")


def test_a_build_that_does_not_compile_shows_the_end_of_its_log(
    source: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BuildFailed, match="does not compile"):
        compile_wheel("llama-cpp-python", "0.3.36", Build("x", ("-DBREAK=ON",)), tmp_path)
    assert "error: no such instruction" in capfd.readouterr().err


def test_without_a_compiler_the_command_that_brings_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "apt-get").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = r"needs a C/C\+\+ compiler, and there is none; get one with: sudo apt-get install"
    with pytest.raises(BuildFailed, match=expected):
        compile_wheel("llama-cpp-python", "0.3.36", Build("x"), tmp_path)


def test_the_llama_cpp_of_this_environment_passes(llm_tiny_path: Path) -> None:
    assert "prompt tokens/s" in selftest(Build("installed"), llm_tiny_path)


def test_a_wheel_without_the_instructions_of_the_cpu_is_refused(llm_tiny_path: Path) -> None:
    with pytest.raises(BuildFailed, match="was built without SSE9: several times slower"):
        selftest(Build("x", features=("SSE9",)), llm_tiny_path)


@pytest.mark.parametrize(
    ("arguments", "layers"),
    [("-DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90", -1), ("-DGGML_CUDA=OFF -DGGML_AVX=ON", 0)],
)
def test_a_build_of_ones_own_for_a_gpu_is_tested_on_it(
    arguments: str, layers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CMAKE_ARGS", arguments)
    (build,) = suitable()
    assert build.gpu_layers == layers
