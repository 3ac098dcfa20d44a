"""MOT Challenge text: one box a line, in pixels, by frame number from 1.

`frame, id, left, top, width, height, confidence, class or x, visibility or y[, z]` (Milan et al., MOT16, 2016). Frames are
counted, so times are frame numbers over the rate: right where the rate is constant.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path

from segmenter.errors import BadInput
from segmenter.files import read_bytes
from segmenter.formats import text
from segmenter.formats.scale import Scale
from segmenter.formats.sightings import Origin
from segmenter.records import Finding, Observation, Recording, Sighting

_LIMIT_BYTES = 200_000_000  # some four million boxes
_MOST_FRAMES = 20_000_000  # a week at 30 a second
_MOST_PX = 1e6
_FIELDS = 6  # up to the height; what comes after may be missing
_IGNORED = "are not to be considered"
_UNSAID = (1.0, -1.0)  # confidence and class where a line ends before them
LABELS = {1: "person", 2: "person", 3: "car", 4: "bicycle", 5: "motorcycle", 7: "person"}  # MOT16's numbers, those of targets
UNNAMED = "object"  # result files have no class
# other vehicles, distractors, occluders, reflections, crowds: MOT16's ground truth does not score them
CROWD = (6, 8, 9, 10, 11, 12, 13)


class MotSightings:
    """The `Source` in MOT text: one observation a frame of [0, duration), empty ones too.

    Boxes are clipped to the picture. What is wrong in the file, and what ground truth marks as not to be considered
    (confidence 0, and classes that are no targets), is left out and told in `findings`.

    Raises:
        NotAFile, TooLarge: see `files.read_bytes`.
        BadInput: there is no box in it.
    """

    def __init__(self, path: str | os.PathLike[str], recording: Recording) -> None:
        self._scale, self.end = Scale.of(recording), recording.video[0].end
        content, damage = text.decode(read_bytes(path, _LIMIT_BYTES), path)
        self._frames, lost = _frames(content, self._scale, self.end)
        if not self._frames and not lost[_IGNORED]:
            raise BadInput("no MOT text: no line such as '1,3,100,50,20,60,0.9,-1,-1,-1'", path=path)
        self.origin = Origin(recording.id, "MOT text", None, self._scale.rate_hz)
        self.findings = [] if damage is None else [damage]
        self.findings += [_left_out(why, number) for why, number in sorted(lost.items())]

    def __iter__(self) -> Iterator[Observation]:
        for i in range(round(self.end * self._scale.rate_hz)):
            yield Observation(self._scale.time(i + 1), tuple(self._frames.get(i + 1, {}).values()))


def _frames(content: str, scale: Scale, duration: float) -> tuple[dict[int, dict[int, Sighting]], Counter[str]]:
    """Frame number -> track -> sighting, and how many lines are left out for which reason."""
    lost: Counter[str] = Counter()
    frames: defaultdict[int, dict[int, Sighting]] = defaultdict(dict)
    for line in filter(str.strip, content.splitlines()):
        kept = _box(line, scale)
        if isinstance(kept, str):
            lost[kept] += 1
        elif scale.time(kept[0]) >= duration:
            lost["lie after the end of the recording"] += 1
        elif kept[1].track in frames[kept[0]]:
            lost["repeat a track within a frame"] += 1
        else:
            frames[kept[0]][kept[1].track] = kept[1]
    return dict(frames), lost


def _left_out(why: str, number: int) -> Finding:
    return Finding(
        "mot_left_out", f"MOT: boxes left out because they {why}: {number}", level="note" if why == _IGNORED else "warning"
    )


def _box(line: str, scale: Scale) -> tuple[int, Sighting] | str:
    """Frame and sighting, or why there is none."""
    fields = line.replace(",", " ").split()
    try:
        numbers = [float(field) for field in fields]
        frame, track, left, top, width, height = numbers[:_FIELDS]
        confidence, kind = [*numbers, *_UNSAID[len(numbers) - _FIELDS :]][_FIELDS : _FIELDS + 2]
    except ValueError:
        return "are no numbers, or too few"
    near = all(map(isfinite, numbers)) and all(abs(number) <= _MOST_PX for number in (left, top, width, height))
    counted = 1 <= frame <= _MOST_FRAMES and frame.is_integer() and abs(track) < 2**53 and track.is_integer()
    if not (near and counted and width > 0 and height > 0):
        return "have an impossible frame, track or size"
    if confidence == 0 or int(kind) in CROWD:
        return _IGNORED
    box = scale.box(left, top, width, height)
    if box is None:
        return "lie outside the picture"
    sure = confidence if 0 < confidence <= 1 else 1.0
    return int(frame), Sighting(int(track), LABELS.get(int(kind), UNNAMED), sure, box)


def write(observations: Iterable[Observation], scale: Scale, path: Path) -> None:
    """A line a sighting. Labels get lost: result files of the challenge have no class."""
    with path.open("w", encoding="ascii", newline="\n") as out:
        for observation in observations:
            for s in observation.sightings:
                box = ",".join(f"{side:.2f}" for side in scale.pixels(s.box))
                out.write(f"{scale.frame(observation.time)},{s.track},{box},{s.confidence:.4f},-1,-1,-1\n")
