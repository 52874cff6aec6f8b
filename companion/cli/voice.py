"""`companion voice`: the voice loop with files in the place of microphone and speaker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.numbers import decibels, positive
from companion.cli.output import note, one_line, table, write_json_line
from companion.cli.pipe import Notes
from companion.cli.sound import check_files, libraries
from companion.cli.talk import living
from companion.clock import ManualClock
from companion.errors import UsageError
from companion.voice.report import STAGES, Outcome, VoiceTurn


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "voice",
        help="the voice loop over WAV files",
        description="Hear a recording, answer into another one that runs in step with it.",
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
    add_json_option(parser, "one JSON object a line, per turn or sound that led to none,")
    parser.set_defaults(run=run, stoppable=True)


async def run(call: Call) -> int:
    """Run to the end of the recording and of the last answer."""
    with libraries():
        from companion import runtime_voice
        from companion.voice.gpio import open_button
        from companion.voice.loop import VoiceLoop
        from companion.voice.pace import RealPace, SimulatedPace
        from companion.voice.pressed_sound import PressedSound
        from companion.voice.wav_sound import WavSound
        from companion.voice.work import Work

    arguments, config = call.arguments, call.config
    check_files(arguments.source, arguments.out)
    presses = config.voice.start == "push-to-talk"
    if presses and arguments.pace == "simulated":
        raise UsageError("voice.start: push-to-talk: nobody can press in time; use --pace real")
    work = Work()
    pace: RealPace | SimulatedPace = RealPace()
    if arguments.pace == "simulated":
        clock = ManualClock(call.clock.wall(), trusted=call.clock.trusted())
        call, pace = replace(call, clock=clock), SimulatedPace(work, clock)
    told = _Told(json=arguments.json)
    sound = WavSound(arguments.source, arguments.out, pace, echo_db=arguments.echo_db)
    try:
        async with AsyncExitStack() as stack:
            button = open_button(config.voice) if presses else None
            if button is not None:
                stack.callback(button.close)
            parts = await stack.enter_async_context(runtime_voice.voice(config))
            talk = await stack.enter_async_context(living(call, Notes()))
            for line in parts.missing:
                note(f"companion: {line}")
            pressed = PressedSound(sound)
            loop = VoiceLoop(
                pressed,
                parts,
                talk.phases,
                config.voice,
                persona_name=config.persona.name,
                work=work,
                now=pace.seconds,
                on_outcome=told,
            )
            if button is not None:
                pressed.press(button, loop.attention)
            if arguments.turns:
                told.after(arguments.turns, loop.leave)
            sound.linger = lambda: not loop.idle
            await loop.run()
    finally:
        await sound.close()
    if not arguments.json:
        told.summary()
    return 0


class _Told:
    """Shows outcomes as they come."""

    def __init__(self, *, json: bool) -> None:
        self._json = json
        self.turns: list[VoiceTurn] = []
        self._enough = 0
        self._leave: Callable[[], None] = lambda: None

    def after(self, turns: int, leave: Callable[[], None]) -> None:
        """Call `leave` when so many turns were answered."""
        self._enough, self._leave = turns, leave

    def __call__(self, outcome: Outcome) -> None:
        if isinstance(outcome, VoiceTurn):
            self.turns.append(outcome)
            if len(self.turns) == self._enough:
                self._leave()
        if self._json:
            write_json_line(outcome.as_json())
        elif isinstance(outcome, VoiceTurn):
            print(f"heard  {one_line(outcome.heard)}")
            print(f"said   {one_line(outcome.said)}{'  (interrupted)' if outcome.cut else ''}")
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
