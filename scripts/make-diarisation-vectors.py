"""Random turns of speakers, and the error rate that pyannote.metrics finds: `python scripts/make-diarisation-vectors.py > test/fixtures/clips/diarisation.jsonl`."""
import json
import random
import warnings

from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate

warnings.filterwarnings("ignore")
drawn = random.Random(19)


def turns(speakers, count, step):
    """`step`: the fewer moments there are, the more often turns begin and end together."""
    for _ in range(count):
        start = drawn.randrange(0, int(60 / step)) * step
        yield {
            "from": round(start, 3),
            "to": round(start + drawn.randrange(1, int(12 / step)) * step, 3),
            "speaker": f"S{drawn.randrange(speakers)}",
        }


def annotation(all_turns):
    spoken = Annotation()
    for track, turn in enumerate(all_turns):
        spoken[Segment(turn["from"], turn["to"]), track] = turn["speaker"]
    return spoken


for case in range(200):
    step = drawn.choice([0.001, 0.5, 2])
    reference = list(turns(drawn.randrange(1, 5), drawn.randrange(0, 9), step))
    found = list(turns(drawn.randrange(1, 6), drawn.randrange(0, 9), step))
    metric = DiarizationErrorRate(skip_overlap=True)
    rate = metric(annotation(reference), annotation(found))
    print(json.dumps({"reference": reference, "found": found, "rate": rate}))
