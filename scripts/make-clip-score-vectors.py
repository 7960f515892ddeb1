"""Random submissions of clips, and what OMEGA's formulas make of them: `python scripts/make-clip-score-vectors.py > test/fixtures/clips/scores.jsonl`. Wants numpy.

Reckoned from the fact sheet (B5, steps 3 and 7 to 13) and from nothing else. What Quarry does otherwise on purpose: cosines to words count as `closest` at the most; a stuffed description
costs its clip and not five points; a clip without sound is measured by its picture; and where the index gave no answer, what others have handed in is not heeded.
"""
import json
import random

import numpy

drawn = random.Random(19)
THRESHOLDS = [
    {"same": 0.95, "novel": 0.1, "unrelated": 0.12, "closest": 0.5},
    {"same": 0.97, "novel": 0.16, "unrelated": 0.26, "closest": 0.4},
    {"same": 0.95, "novel": 0.02, "unrelated": 0.05, "closest": 1},
]


def cosine(one, other):
    one, other = numpy.array(one, dtype=float), numpy.array(other, dtype=float)
    return float(one @ other / (numpy.linalg.norm(one) * numpy.linalg.norm(other)))


def vector():
    while True:
        numbers = [drawn.randrange(-99, 100) for _ in range(3)]
        if any(numbers):
            return numbers


def near(other, by):
    numbers = [number + drawn.randrange(-by, by + 1) for number in other]
    return numbers if any(numbers) else near(other, by)


def text(like=None, by=60):
    return [near(like, by) if like else vector(), vector()]


def clip(others):
    """Some are nearly one that is there, or as long as does not do."""
    video = near(drawn.choice(others)["video"], drawn.choice([1, 12, 40])) if others and drawn.random() < 0.3 else vector()
    begin = drawn.randrange(0, 100)
    pieces = drawn.choice([0, 1, 1, 1, 2, 2, 3, 3]) if drawn.random() < 0.85 else drawn.choice([7, 9, 17, 20, 50, 51])
    return {
        "from": begin,
        "to": begin + drawn.choice([4, 5, 30, 30, 60, 60, 90, 90, 120, 121]),
        "video": video,
        "audio": None if drawn.random() < 0.2 else vector(),
        "description": text(video),
        "pieces": [text(video, drawn.choice([20, 60, 150])) for _ in range(pieces)],
        "uniqueTokens": drawn.choice([0, 3, 50, 100, 101, 150, 222, 300, 301, 900]),
        "textCloseness": drawn.randrange(-100, 101) / 100,
        "distanceToKnown": drawn.choice([None, 0, 0.05, 0.12, 0.5, 1, 2, 2]),
    }


def is_stuffed(one, unrelated):
    def similarity(piece):
        seen = cosine(one["video"], piece[0])
        return seen if one["audio"] is None else (seen + cosine(one["audio"], piece[1])) / 2

    found = [similarity(piece) for piece in one["pieces"]]
    if not found:
        return False
    really_bad = sum(each < unrelated for each in found)
    low = sum(each < 0.6 * max(found) for each in found)
    return really_bad > 5 or low >= 16 or len(found) > 50


def without_copies(clips, same, novel):
    clips = [one for at, one in enumerate(clips) if all(cosine(one["video"], later["video"]) <= same for later in clips[at + 1 :])]
    kept = []
    for at, one in enumerate(clips):
        local = 1 - max([cosine(one["video"], later["video"]) for later in clips[at + 1 :]], default=0)
        novelty = local if one["distanceToKnown"] is None else min(local, one["distanceToKnown"])
        if novelty >= novel:
            kept.append(one)
    return kept


def worth(one, topic, closest):
    def closeness(left, right):
        return min(closest, cosine(left, right))

    described, asked = closeness(one["video"], one["description"][0]), closeness(one["video"], topic[0])
    if one["audio"] is not None:
        described = 0.65 * described + 0.35 * closeness(one["audio"], one["description"][1])
        asked += closeness(one["audio"], topic[1])
    asked = (asked + min(0.5, one["textCloseness"] ** 2)) / 3
    unique = one["uniqueTokens"]
    if unique <= 100:
        described *= 0.65
    else:
        share = (numpy.log2(min(unique, 300)) - numpy.log2(100)) / (numpy.log2(300) - numpy.log2(100))
        described -= described * 0.35 * (1 - share)
    return float((0.7 * described + 1.3 * asked) / 2 / 8)


for case in range(100):
    thresholds, topic, clips = drawn.choice(THRESHOLDS), text(), []
    for _ in range(drawn.choice([0, 1, 2, 3, 4, 5, 6, 8, 13])):
        clips.append(clip(clips))
    left = [one for one in clips if 5 <= one["to"] - one["from"] <= 120][:8]
    left = without_copies(left, thresholds["same"], thresholds["novel"])
    left = [one for one in left if not is_stuffed(one, thresholds["unrelated"])]
    worths = [worth(one, topic, thresholds["closest"]) if any(one is each for each in left) else None for one in clips]
    score = max(0.005, sum(each for each in worths if each is not None))
    print(json.dumps({"thresholds": thresholds, "topic": topic, "clips": clips, "worths": worths, "score": score}, separators=(",", ":")))
