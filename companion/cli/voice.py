"""`companion voice`: the voice loop with files in the place of microphone and speaker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from companion.assembly.missing import Fail
from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import decibels, positive, spans
from companion.cli.output import note, one_line, table, write_json_line
from companion.cli.pipe import Notes
from companion.cli.sound import check_files, libraries
from companion.cli.talk import living
from companion.clock import ManualClock
from companion.errors import UsageError
from companion.voice.parts import Files
from companion.voice.turns.report import STAGES, Outcome, VoiceTurn, Whispered


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "voice",
        run,
        "the voice loop over WAV files",
        "Hear a recording, answer into another one that runs in step with it.",
        json="one JSON object a line, per turn or sound that led to none,",
    )
    parser.add_argument(
        "--in", dest="source", type=Path, required=True, metavar="FILE.wav", help="what is heard"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.wav", help="what was played")
    parser.add_argument(
        "--pace",
        choices=("simulated", "real"),
        default="simulated",
        help="simulated: as fast as the machine allows, sound waits for engines; real: as time "
        "passes (default: simulated)",
    )
    parser.add_argument(
        "--turns", type=positive, metavar="N", help="stop after so many answered turns"
    )
    parser.add_argument(
        "--echo-db",
        type=decibels,
        metavar="DB",
        help="let it hear what it plays, this loud: -12 is a quarter (default: not at all)",
    )
    parser.add_argument(
        "--paw",
        type=spans,
        default=(),
        metavar="FROM-TO,...",
        help="press the paw (recall at a touch) in these seconds of the recording: 3.2-5,9-9.2",
    )
    parser.add_argument(
        "--whisper", type=Path, metavar="FILE.wav", help="what was whispered, apart from --out"
    )
    parser.set_defaults(stoppable=True)


async def run(call: Call) -> int:
    """Run to the end of the recording and of the last answer."""
    with libraries():
        from companion.assembly.sound import open_sound_engines
        from companion.assembly.voice_loop import open_devices, voice_loop

    arguments, config = call.arguments, call.config
    check_files(arguments.source, arguments.out)
    check_files(arguments.source, arguments.whisper, "--whisper")
    if arguments.pace == "simulated":
        if config.voice.start == "push-to-talk":
            raise UsageError("voice.start: push-to-talk: nobody can press in time; use --pace real")
        clock = ManualClock(call.clock.wall(), trusted=call.clock.trusted())
        call = replace(call, clock=clock)
    told = _Told(json=arguments.json, enough=arguments.turns)
    files = Files(
        *(arguments.source, arguments.out, arguments.echo_db, arguments.whisper, arguments.paw)
    )
    async with (
        open_devices(config, call.clock, files, Fail(), lamp=False) as devices,
        open_sound_engines(config) as parts,
        living(call, Notes()) as talk,
    ):
        for line in parts.missing:
            note(f"companion: {line}")
        loop = voice_loop(config, devices, parts, talk.phases, told, assists=talk)
        told.leave = loop.leave
        await loop.run()
    if not arguments.json:
        told.summary()
    return 0


class _Told:
    """Shows outcomes as they come; calls `leave` when `enough` turns were answered."""

    def __init__(self, *, json: bool, enough: int | None) -> None:
        self.leave: Callable[[], None] = lambda: None
        self._json = json
        self._enough = enough
        self.turns: list[VoiceTurn] = []

    def __call__(self, outcome: Outcome) -> None:
        if isinstance(outcome, VoiceTurn):
            self.turns.append(outcome)
            if len(self.turns) == self._enough:
                self.leave()
        if self._json:
            write_json_line(outcome.as_json())
        elif isinstance(outcome, VoiceTurn):
            print(f"heard  {one_line(outcome.heard)}")
            print(f"said   {one_line(outcome.said)}{'  (interrupted)' if outcome.cut else ''}")
        elif isinstance(outcome, Whispered):
            if outcome.query is not None:
                print(f"asked  {one_line(outcome.query)}")
            answer = "" if outcome.found is None else outcome.found.answer
            print(f"paw    {one_line(answer) or outcome.why}")
        else:
            print(f"-      {outcome.why}, {outcome.speech_ms / 1000:.1f} s")

    def summary(self) -> None:
        """When each stage was over, over all turns."""
        rows = []
        for stage in STAGES:
            moments = [turn.times.milliseconds()[f"{stage}_ms"] for turn in self.turns]
            known = [moment for moment in moments if moment is not None]
            if known:
                rows.append((stage.replace("_", " "), f"{median(known):.0f}", f"{max(known):.0f}"))
        table(("after the end of speech", "median ms", "longest ms"), rows)
