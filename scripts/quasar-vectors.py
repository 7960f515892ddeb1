"""What Python says of answers, for the tests of QUASAR's metrics.

Needs rouge, jieba and thefuzz (made with 1.0.1, 0.42.1 and 0.22.1, which asks rapidfuzz 3.14.6; Python 3.11), from PyPI:

    python -m venv ENVIRONMENT && ENVIRONMENT/bin/pip install rouge==1.0.1 jieba==0.42.1 thefuzz==0.22.1 rapidfuzz==3.14.6
    ENVIRONMENT/bin/python scripts/quasar-vectors.py test/fixtures/quasar/metrics.json
    biome format --write test/fixtures/quasar/metrics.json

Everything is drawn from a fixed seed, so the file comes out the same again. The file holds pairs of texts, what every metric says of each pair, cases
of classification, first lines, and how jieba cuts texts.
"""

import json
import random
import re
import string
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import jieba
from rouge import Rouge
from thefuzz import fuzz

sys.setrecursionlimit(100_000)  # rouge goes back through its table by recursion
jieba.setLogLevel(60)
draw = random.Random(20261128)

CHINESE_MARKS = set(
    "\u2013\u2014\u2018\u2019\u201b\u201c\u201d\u201e\u201f\u2026\u2027\u3001\u3002\u3003\u3030\u303e\u303f\ufe4f"
    + "".join(map(chr, [*range(0x300B, 0x3012), *range(0x3014, 0x3020), *range(0xFF01, 0xFF21), *range(0xFF3B, 0xFF41), *range(0xFF5B, 0xFF65)]))
) - set("\uff0e") - set(map(chr, range(0xFF10, 0xFF1A)))


def normalised(text):
    kept = "".join(sign for sign in text.lower() if sign not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def normalised_chinese(text):
    return "".join("".join(sign for sign in text.lower() if sign not in CHINESE_MARKS and sign not in string.punctuation).split())


def overlap(said, wanted):
    same = sum((Counter(said) & Counter(wanted)).values())
    if not same:
        return 0.0
    precision, recall = same / len(said), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def chinese_words(text):
    return [word for word in map(normalised_chinese, jieba.cut(text, cut_all=False)) if word]


def rouge_l(said, wanted):
    try:
        return Rouge().get_scores([said], [wanted], avg=True)["rouge-l"]["f"]
    except ValueError:  # one of them has no sentence
        return 0.0


def spaced(text):
    return " ".join(jieba.cut(text, cut_all=False))


def share(numbers, wanted):
    return sum(number == wanted for number in numbers) / len(numbers) if numbers else 0.0


def retrieval(said, wanted, word):
    found = re.findall(word + r"(\d+)", wanted)
    return share(re.findall(r"\d+", said), found[0] if found else None)


def code_similarity(said, wanted):
    lines = said.lstrip("\n").split("\n")
    fitting = [line for line in lines if "`" not in line and "#" not in line and "//" not in line]
    return fuzz.ratio(fitting[0] if fitting else said, wanted) / 100


def mrcr(said, wanted):
    if said[:10] != wanted[:10]:
        return 0.0
    return SequenceMatcher(None, said[10:].strip(), wanted[10:].strip()).ratio()


def classification(said, wanted, classes):
    named = [name for name in classes if name in said]
    for name in named:  # it skips the one after each that it removes, and so does what it is compared with
        if name in wanted and name != wanted:
            named.remove(name)
    return 1 / len(named) if wanted in named else 0.0


METRICS = {
    "f1": lambda said, wanted: overlap(normalised(said).split(), normalised(wanted).split()),
    "exact-match": lambda said, wanted: float(normalised(said) == normalised(wanted)),
    "rouge-l": rouge_l,
    "retrieval": lambda said, wanted: retrieval(said, wanted, "Paragraph "),
    "count": lambda said, wanted: share(re.findall(r"\d+", said), wanted),
    "code-similarity": code_similarity,
    "mrcr": mrcr,
    "f1-zh": lambda said, wanted: overlap(chinese_words(said), chinese_words(wanted)),
    "rouge-l-zh": lambda said, wanted: rouge_l(spaced(said), spaced(wanted)),
    "retrieval-zh": lambda said, wanted: retrieval(said, wanted, "\u6bb5\u843d"),
}

# ---- texts of our own ----

ODD = [
    *["", " ", ".", "...", " . ", "the", "A", "an the a", "?!", "\n", "\r\n", "\t\u3000", "\x00", "\x1c\x1f", "\ufeff", "\u200b", "\x85"],
    *["\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467 waits", "e\u0301a the e\u0301", "\u00e9a", "a\u0301", "\ud800", "x\udfffy", "\u0130stanbul \u03a3\u0391\u03a3"],
    *["\uff12\uff10\uff12\uff14", "\u0662\u0663", "\u00bd cup", "\u2167", "Paragraph 7", "paragraph 7", "Paragraph 07", "Paragraph \u0667", "\u6bb5\u843d7", "\u6bb5\u843d 7"],
    *["7", " 7", "7 7 8", "It is 7, or 8.", "3.14", "1,000,000", "-7", "7th of 9"],
    *["```\ncode\n```", "`x`", "# only", "// only", "\n\n# a\nreturn x;\n", "```python\nreturn x;\n```", "return x;", "  return x;  ", "return  x ;\r\n"],
    *["Anna went home. She slept.", "anna went home she slept", "The cat. the cat. The Cat", "x" * 220, "ab" * 130, "a b " * 90, "word " * 120],
    *["\u6211\u4eec\u5728\u5317\u4eac\u5403\u996d\u3002", "\u5317\u4eac", "GPT-4\u5f88\u597d", "\u300a\u7ea2\u697c\u68a6\u300b", "\u5929\u6c14\uff01\uff01", "\u2026\u2026\u2014\u2014"],
]

NOUNS = "river engine letter garden museum signal winter harbour mirror teacher bridge candle forest planet recipe window".split()
VERBS = "holds finds repairs follows forgets paints opens measures carries hears counts remembers".split()
FILL = ["the", "a", "an", "quickly", "in 1907", "for 42 days", "of Anna's", "again,", "(slowly)", "and", "Dr. Ruiz", "\u00e9t\u00e9", "caf\u00e9", "co-op", "don't"]
CODE = ["return {0};", "const {0} = {1}({2});", "if ({0} > {1}) {{", "for (const {0} of {1}) {2}.push({0})", "# {0} of {1}", "// {0}", "    self.{0} = {1}.{2}", "}}", "`{0}`"]

SUBJECTS = "\u4e00\u4f4d\u8001\u5e08 \u8fd9\u5ea7\u6865 \u5c0f\u660e \u5f20\u4f1f\u5f3a \u90a3\u53f0\u673a\u5668 \u535a\u7269\u9986 \u4e2d\u56fd\u79d1\u5b66\u9662 \u6211\u4eec\u7684\u90bb\u5c45 \u674e\u96ea\u6885\u6559\u6388 \u51ac\u5929\u7684\u6e2f\u53e3 \u4e0a\u6d77\u5e02\u653f\u5e9c \u5b5f\u5e86\u751f".split()
DEEDS = "\u6628\u5929\u4fee\u597d\u4e86 \u5728\u56fe\u4e66\u9986\u91cc\u627e\u5230 \u4ece\u6765\u6ca1\u6709\u89c1\u8fc7 \u6b63\u5728\u6d4b\u91cf \u7ec8\u4e8e\u5fd8\u8bb0\u4e86 \u4e00\u8fb9\u8d70\u4e00\u8fb9\u6570\u7740 \u6bcf\u5929\u65e9\u4e0a\u90fd\u8981\u6253\u5f00 \u60f3\u8981\u91cd\u65b0\u7814\u7a76 \u628a\u5b83\u9001\u7ed9\u4e86".split()
OBJECTS = "\u4e00\u5c01\u65e7\u4fe1 \u82b1\u56ed\u540e\u9762\u7684\u955c\u5b50 \u4e09\u767e\u4e8c\u5341\u4e94\u628a\u94a5\u5319 GPT-4\u6a21\u578b 4S\u5e97\u7684\u53d1\u7968 \u957f\u6c5f\u5927\u6865\u7684\u56fe\u7eb8 B\u8d85\u62a5\u544a 50%\u7684\u80a1\u4efd C++\u8bed\u8a00 \u9f98\u9f92\u9fd5\u7684\u540d\u5b57 v2.0-beta\u7248 \u7814\u7a76\u751f\u547d\u8d77\u6e90 \u8499\u53e4\u6708\u4eae\u7684\u6545\u4e8b".split()
ENDS = "\u3002 \uff01 \uff1b \u2026\u2026 \uff0c . \uff0e \u3001\n \r\n \u3000".split(" ")


def sentence():
    words = [draw.choice(FILL) if draw.random() < 0.5 else draw.choice(NOUNS + VERBS) for _ in range(draw.randint(3, 12))]
    return " ".join(words).capitalize() + draw.choice([".", "!", "?", ".\n", ". "])


def chinese_sentence():
    parts = [draw.choice(SUBJECTS), draw.choice(DEEDS), draw.choice(OBJECTS)]
    return "".join(parts[: draw.randint(1, 3)]) + draw.choice(ENDS)


def code_line():
    return draw.choice(CODE).format(*(draw.choice(NOUNS) for _ in range(3)))


def changed(text, unit):
    """The same with parts left out, doubled, swapped or put in."""
    parts = text.split(unit) if unit else list(text)
    for _ in range(draw.randint(0, 4)):
        at = draw.randrange(len(parts) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            parts[at : at + 1] = []
        elif kind == 1:
            parts[at:at] = parts[at : at + 2]
        elif kind == 2:
            parts[at : at + 2] = parts[at : at + 2][::-1]
        else:
            parts[at:at] = [draw.choice(NOUNS)]
    return unit.join(parts)


def pairs():
    for text in ODD:
        yield text, text
    for _ in range(70):
        yield draw.choice(ODD), draw.choice(ODD)
    for _ in range(70):
        wanted = " ".join(sentence() for _ in range(draw.randint(1, 4)))
        yield changed(wanted, " "), wanted
    for _ in range(70):
        wanted = "".join(chinese_sentence() for _ in range(draw.randint(1, 3)))
        yield changed(wanted, ""), wanted
    for _ in range(50):
        lines = [code_line() for _ in range(draw.randint(1, 3))]
        yield changed("\n".join(lines), "\n"), draw.choice(lines)
    for _ in range(160):
        wanted, numbers = draw.randint(1, 3), [str(draw.randint(1, 3)) for _ in range(draw.randint(0, 4))]
        form = draw.choice(["Paragraph {}", "{}", "\u6bb5\u843d{}", "Paragraph {} of 30"])
        yield draw.choice(["", "It is ", "\u7b54\u6848\u662f"]) + ", ".join(numbers), form.format(wanted)
    for length in [0, 3, 60, 150, 199, 200, 201, 260, 400, 700]:
        for _ in range(3):
            mark = "".join(draw.choices(string.ascii_letters, k=10))
            wanted = " ".join(sentence() for _ in range(1 + length // 40))[:length]
            yield mark + draw.choice(["", " ", "\n"]) + changed(changed(wanted, " "), ""), mark + wanted
    for alphabet in ["ab", "abcdefghij", string.ascii_letters, "\u4e00\u4e8c\u4e09\u56db\u4e94\U0001f600"]:
        for length in [30, 199, 230]:
            wanted = "".join(draw.choices(alphabet, k=length))
            yield "0123456789" + changed(changed(wanted, ""), ""), "0123456789" + wanted


CLASSES = [
    ["Other number", "Number of something", "Order, rank", "Date", "Other", "Number"],
    ["A", "AB", "ABC", "ABCD"],
    ["\u4f53\u80b2", "\u4f53\u80b2\u8fd0\u52a8", "\u7ecf\u6d4e", "\u519c\u4e1a\u7ecf\u6d4e"],
    ["", "x", "X"],
]


def classified():
    for _ in range(140):
        classes = draw.choice(CLASSES)
        said = draw.choice(["", "Type: ", "\n", "It is "]) + draw.choice([" ", ", ", "\n"]).join(draw.sample(classes, draw.randint(0, 3)))
        wanted = draw.choice(classes)
        yield [said, wanted, classes, classification(said, wanted, classes)]


def segmented():
    for _ in range(220):
        text = "".join(chinese_sentence() for _ in range(draw.randint(1, 2)))
        yield [text, jieba.lcut(text)]
    for _ in range(120):
        text = "".join(draw.choice("".join(SUBJECTS + DEEDS + OBJECTS) + "abC019.+#&_%- \u3400\u9fd6\U00020000") for _ in range(draw.randint(1, 12)))
        yield [text, jieba.lcut(text)]


def main(path):
    texts = list(pairs())
    vectors = {
        "pairs": texts,
        "scores": {name: [score(*pair) for pair in texts] for name, score in METRICS.items()},
        "classification": list(classified()),
        "firstLines": [[text, text.lstrip("\n").split("\n")[0]] for text in ODD],
        "words": [[text, "|".join(found)] for text, found in segmented()],
        "normalised": [[text, normalised(text), normalised_chinese(text)] for text in ODD],
    }
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    # What cannot be seen or written stays an escape; Chinese is to be read.
    written = json.dumps(vectors, ensure_ascii=False, separators=(",", ":"))
    hidden = re.compile("[\x7f-\xa0\u0300-\u036f\u200b-\u200d\u2028\u2029\ufeff\ud800-\udfff]")
    Path(path).write_text(hidden.sub(lambda found: f"\\u{ord(found[0]):04x}", written), encoding="utf-8")


main(sys.argv[1])
