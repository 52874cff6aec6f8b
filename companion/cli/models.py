"""`companion models`: fetch weights, check them, list them, export an embedder."""

from __future__ import annotations

from pathlib import Path

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note, table, write_json
from companion.config import Config, load
from companion.config.automatic import remember
from companion.errors import ModelFileError
from companion.parents.equipment import models_document
from companion.weights.manifest import Entry, Manifest
from companion.weights.needed import needed, used
from companion.weights.progress import megabytes


def register(commands: Commands) -> None:
    models = commands.add_parser("models", help="weights: fetch, verify, list")
    actions = models.add_subparsers(title="actions", metavar="ACTION", required=True)

    what = "bring models into place, verified"
    fetch = add_command(actions, "fetch", run_fetch, what, json=None)
    verify = add_command(actions, "verify", run_verify, "hash every byte against the manifest")
    for parser in (fetch, verify):
        parser.add_argument(
            "names", nargs="*", metavar="NAME", help="default: what the configuration needs"
        )
    add_command(
        actions,
        "choose",
        run_choose,
        "look at this machine anew, and let the profile auto mean what suits it",
        "Looks at memory, cores and the model hub, and runs a small model for a second or two.",
    )
    add_command(actions, "list", run_list, "all known models and whether they are here")
    export = add_command(
        actions,
        "export-embedder",
        run_export_embedder,
        "turn a sentence-transformers model into ONNX for the default backend",
        "Needs the extra sentence-transformers. Set embedder.directory to FOLDER afterwards.",
        json=None,
    )
    export.add_argument("model", metavar="MODEL", help="a folder, or a name that is cached")
    export.add_argument("folder", metavar="FOLDER", type=Path)


def run_fetch(call: Call) -> int:
    from companion.weights.fetch import Closed, fetch
    from companion.weights.progress import Terminal
    from companion.weights.reachable import to_fetch

    manifest, models_dir, progress = Manifest.load(), call.config.models_dir, Terminal()
    entries, closed = [manifest[name] for name in call.arguments.names], Closed()
    if not entries:
        config = _settled(call)
        entries = [
            to_fetch(entry, manifest, models_dir, progress, closed)
            for entry in needed(config, manifest)
        ]
    for entry in entries:
        fetch(entry, models_dir, progress, closed)
        print(f"{entry.name}: in place, {entry.folder(models_dir)}")
    return 0


def _settled(call: Call) -> Config:
    """The configuration, with the profile that suits this machine where it leaves that open and
    no model is here yet; that is then remembered, and said in a line."""
    from companion.doctor.choosing import choose_here, is_settled

    config = call.config
    if is_settled(config):
        return config
    choice = choose_here(config.models_dir)
    remember(config.models_dir, choice)
    note(f"Profile {choice.profile}: {choice.why}.")
    if choice.profile == config.profile:
        return config
    arguments = call.arguments
    return load(arguments.config, profile=choice.profile, data_dir=arguments.data_dir)


def run_choose(call: Call) -> int:
    from companion.doctor.choosing import choose_here

    config = call.config
    choice = choose_here(config.models_dir)
    remember(config.models_dir, choice)
    call.show(vars(choice), lambda: print(f"{choice.profile}: {choice.why}"))
    if config.automatic is None:
        note(f"The configuration names the profile {config.profile}; `auto` would take this one.")
    elif choice.profile != config.profile:
        note("Fetch its models with: companion models fetch")
    return 0


def run_verify(call: Call) -> int:
    from companion.weights.verify import verify

    results = []
    for entry in _entries(call):
        try:
            verify(entry, call.config.models_dir)
        except ModelFileError as error:
            note(f"companion: {error}")
            results.append({"name": entry.name, "good": False, "problem": str(error)})
        else:
            results.append({"name": entry.name, "good": True, "problem": None})
            if not call.arguments.json:
                print(f"{entry.name}: good")
    if call.arguments.json:
        write_json(results)
    return 0 if all(result["good"] for result in results) else 1


def run_list(call: Call) -> int:
    document = models_document(call.config)
    rows = [
        (
            *(model["name"], model["role"], megabytes(model["bytes"]), model["licence"]),
            "yes" if model["present"] else "no",
            "yes" if model["needed"] else "",
        )
        for model in document
    ]
    headings = ("name", "role", "size", "licence", "here", "needed")
    return call.show(document, lambda: table(headings, rows))


def run_export_embedder(call: Call) -> int:
    from companion.engines.embedding.reference import export_onnx

    export_onnx(call.arguments.model, call.arguments.folder)
    print(f"Exported; set embedder.directory: {call.arguments.folder} in your configuration.")
    return 0


def _entries(call: Call) -> list[Entry]:
    manifest = Manifest.load()
    named = [manifest[name] for name in call.arguments.names]
    return named or used(call.config, manifest)
