"""
Trains two tiny pairs of models for tests: pictures with texts, and sounds with texts, of the fake world (scripts/make-fake-frames.ts).
They have the inputs and outputs of the real ones (SigLIP 2, CLAP), so that all of the code around these runs, and find in that world what they
should. The real ones learn from pairs alone; here it is known what there is, so every shape, colour, background and sound has a direction, at right
angles to the others, and both halves of a pair learn to find the directions of what they see, hear or read: minutes on one core. The last numbers of a
vector are of how a picture or sound is as a whole, and tell one of a kind from another; texts have zeros there.

    pip install numpy jax onnx tokenizers librosa pillow
    node scripts/make-fake-frames.ts --out DATA/wide --count 6000 --side 90 --width 160 --seed 11
    node scripts/make-fake-frames.ts --out DATA/square --count 6000 --side 96 --seed 12
    node scripts/make-fake-frames.ts --out DATA/long --sounds 350 --seconds 10 --rate 48000 --seed 21
    node scripts/make-fake-frames.ts --out DATA/short --sounds 350 --seconds 5 --rate 48000 --seed 22
    python3 scripts/train-tiny-clip.py DATA test/fixtures/clips/tiny-models [pictures|sounds]
"""

import hashlib
import json
import re
import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import librosa
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

DATA, OUT = Path(sys.argv[1]), Path(sys.argv[2])
ONLY = sys.argv[3] if len(sys.argv) > 3 else None
SIDE, LENGTH = 64, 64
KIND, ONE = 48, 16  # numbers of a vector that say of which kind something is, and which one of the kind
SHARE = 0.65  # of the vector's length that is the kind's
PAD, EOS, BOS = 0, 1, 2
VOCABULARY, WIDTH = 1024, 32
# Channels, kernel, stride, the last two down and across.
PICTURE_LAYERS = [(3, 12, (5, 5), (2, 2)), (12, 24, (3, 3), (2, 2)), (24, 48, (3, 3), (1, 1)), (48, 64, (3, 3), (2, 2))]
SOUND_LAYERS = [(1, 12, (5, 5), (2, 2)), (12, 24, (3, 3), (3, 2)), (24, 48, (3, 3), (3, 2)), (48, 48, (3, 3), (2, 2))]
TOGETHER = 4  # windows of a sound that are one, by their mean, before anything else
LOUDNESS = (40, 1 / 40)  # added to decibels, and what they are multiplied by then
random = np.random.default_rng(7)


# What is trained with.


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def frames(folder, size):
    raw = np.fromfile(DATA / folder / "frames.bin", np.uint8).reshape(-1, size[1], size[0], 3)
    small = [np.asarray(Image.fromarray(one).resize((SIDE, SIDE), Image.BILINEAR)) for one in raw]
    return np.stack(small), lines(DATA / folder / "labels.jsonl")


def mels(folder, seconds):
    """As our own code makes them (test/fixtures/clips/inputs.json), with the first step of the network done."""
    raw = np.memmap(DATA / folder / "sounds.bin", np.float32, "r").reshape(-1, seconds * 48000)
    rows = []
    for one in raw:
        whole = np.tile(one, 480000 // len(one))
        whole = np.pad(whole, (0, 480000 - len(whole)))
        power = librosa.feature.melspectrogram(
            y=whole, sr=48000, n_fft=1024, hop_length=480, n_mels=64, fmin=50, fmax=14000, pad_mode="reflect"
        )
        mel = 10 * np.log10(np.maximum(1e-10, power)).T
        rows.append(mel[: 1000].reshape(-1, TOGETHER, 64).mean(1).astype(np.float16))
    return np.stack(rows), lines(DATA / folder / "sound-labels.jsonl")


def train_tokenizer(texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=VOCABULARY,
            special_tokens=["<pad>", "<eos>", "<bos>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return tokenizer


def ids_of(tokenizer, text, before):
    found = tokenizer.encode(text).ids[: LENGTH - len(before) - 1]
    ids = [*before, *found, EOS]
    return ids + [PAD] * (LENGTH - len(ids))


# The networks: in JAX to learn, in ONNX to be asked. Weights are a flat dictionary.


def normal(shape, size):
    return (random.standard_normal(shape) * size).astype(np.float32)


def init_encoder(layers):
    weights = {}
    for at, (into, out, kernel, _) in enumerate(layers):
        weights[f"conv{at}.weight"] = normal((out, into, *kernel), (2 / (into * kernel[0] * kernel[1])) ** 0.5)
        weights[f"conv{at}.bias"] = np.zeros(out, np.float32)
    last = layers[-1][1] * 2
    weights["kind.weight"] = normal((last, KIND), last**-0.5)
    weights["kind.bias"] = np.zeros(KIND, np.float32)
    return weights


def init_text():
    return {
        "tokens": normal((VOCABULARY, WIDTH), 0.1),
        "near.weight": normal((KIND, WIDTH, 3), (2 / (3 * WIDTH)) ** 0.5),
        "near.bias": np.zeros(KIND, np.float32),
        "last.weight": normal((KIND, KIND), KIND**-0.5),
        "last.bias": np.zeros(KIND, np.float32),
    }


def unit(vectors):
    return vectors / (jnp.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-6)


def encode(weights, layers, inputs):
    for at, (_, _, kernel, stride) in enumerate(layers):
        padding = [(size // 2, size // 2) for size in kernel]
        inputs = jax.lax.conv_general_dilated(inputs, weights[f"conv{at}.weight"], stride, padding)
        inputs = jax.nn.relu(inputs + weights[f"conv{at}.bias"][None, :, None, None])
    pooled = jnp.concatenate([inputs.mean((2, 3)), inputs.max((2, 3))], 1)
    return unit(pooled @ weights["kind.weight"] + weights["kind.bias"])


def encode_text(weights, ids):
    real = (ids != PAD).astype(jnp.float32)[:, :, None]
    words = weights["tokens"][ids] * real
    near = jax.lax.conv_general_dilated(words.transpose(0, 2, 1), weights["near.weight"], (1,), [(1, 1)])
    near = jax.nn.relu(near + weights["near.bias"][None, :, None]).transpose(0, 2, 1) * real
    return unit((near.sum(1) / real.sum(1)) @ weights["last.weight"] + weights["last.bias"])


# Training: every group of directions (shapes, colours, …) is a question with one answer; a text may leave it open.

CODES = np.linalg.qr(random.standard_normal((KIND, KIND)))[0].astype(np.float32)
SHARP = 12


def loss_of(weights, network, inputs, wanted, groups):
    """@param wanted a row of directions that are to be found, its length 1"""
    found = network(weights, inputs)
    loss = (1 - (found * (wanted @ CODES[: wanted.shape[1]])).sum(1)).mean()
    near = found @ CODES[: wanted.shape[1]].T * SHARP
    for begin, end in groups:
        asked = (wanted[:, begin:end] > 0).any(1)
        chances = jax.nn.log_softmax(near[:, begin:end], 1)
        loss += 0.2 * -((chances * (wanted[:, begin:end] > 0)).sum(1) * asked).mean()
    return loss


@partial(jax.jit, static_argnums=(3, 6))
def step(weights, moments, at, network, inputs, wanted, groups, rate):
    loss, slopes = jax.value_and_grad(loss_of)(weights, network, inputs, wanted, groups)
    tree = jax.tree_util.tree_map
    first = tree(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slopes)
    second = tree(lambda v, g: 0.99 * v + 0.01 * g * g, moments[1], slopes)
    weights = tree(
        lambda w, m, v: w - rate * (m / (1 - 0.9**at)) / (jnp.sqrt(v / (1 - 0.99**at)) + 1e-8), weights, first, second
    )
    return weights, (first, second), loss


def train(weights, network, batch, groups, steps, most_rate=4e-3):
    moments = (jax.tree_util.tree_map(np.zeros_like, weights),) * 2
    for at in range(1, steps + 1):
        rate = most_rate * min(1, at / 50) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * at / steps)))
        inputs, wanted = batch()
        weights, moments, loss = step(weights, moments, at, network, inputs, wanted, groups, rate)
        if at % 50 == 0:
            print(at, float(loss), flush=True)
    return jax.tree_util.tree_map(np.asarray, weights)


def see(weights, inputs):
    return encode(weights, PICTURE_LAYERS, inputs)


def hear(weights, inputs):
    return encode(weights, SOUND_LAYERS, inputs)


# Texts: captions as they are, in a lot of other words, and other words alone, which fit nothing.

def words_in(text):
    return np.array(re.findall(r"[a-zA-Z']+", text))


FILLER = words_in(Path("scripts/tiny-model-text.txt").read_text())


def other_words(least, most, more):
    pool = FILLER if random.random() < 0.5 else more
    return " ".join(pool[random.integers(0, len(pool), random.integers(least, most))])


def told(caption, more):
    draw = random.random()
    if draw < 0.4:
        return caption
    if draw < 0.7:
        return f"{caption}. {other_words(1, 20, more)}."
    return f"{other_words(1, 15, more)}. {caption}. {other_words(0, 10, more)}"


SHAPES = ["circle", "square", "triangle", "cross", "star", "bars", "screen"]
COLOURS = ["red", "green", "blue", "yellow", "white", "magenta"]
BACKGROUNDS = {
    "black": ["a black background", "darkness", "plain black"],
    "grey": ["a grey background", "a gray surface", "plain grey"],
    "checkered": ["a checkered background", "a chessboard", "a pattern of squares"],
    "gradient": ["a gradient background", "a shaded background", "from dark to bright"],
}
SOUNDS = ["tone", "sweep", "noise", "clicks", "silence", "speech", "conversation"]
# Where the directions of each are; the last one of all is of what says nothing of the fake world.
PICTURE_GROUPS, SOUND_GROUPS = ((0, 7), (7, 13), (13, 17)), ((0, 7),)
PICTURE_NOTHING, SOUND_NOTHING = 17, 7
BEHIND = 0.8  # what a background counts beside a shape or a colour


def seen_in(label, caption=None):
    wanted = np.zeros(PICTURE_NOTHING + 1, np.float32)
    wanted[SHAPES.index(label["shape"])] = 1
    wanted[7 + COLOURS.index(label["colour"])] = 1
    background = label["background"]
    if caption is None or any(words in caption for words in BACKGROUNDS[background]):
        wanted[13 + list(BACKGROUNDS).index(background)] = BEHIND
    return wanted / np.linalg.norm(wanted)


def heard_in(label, _=None):
    wanted = np.zeros(SOUND_NOTHING + 1, np.float32)
    wanted[SOUNDS.index(label["sound"])] = 1
    return wanted


def texts(labels, meaning, nothing, more, before, size=128):
    """Captions as they are, among a lot of other words, and other words alone, which mean nothing."""

    def batch():
        ids, wanted = [], []
        for index in random.integers(0, len(labels), size):
            if random.random() < 0.15:
                text, means = other_words(1, 30, more), np.eye(nothing + 1, dtype=np.float32)[nothing]
            else:
                caption = str(random.choice(labels[index]["captions"]))
                text, means = told(caption, more), meaning(labels[index], caption)
            ids.append(ids_of(tokenizer, text, before))
            wanted.append(means)
        return np.array(ids), np.stack(wanted)

    return batch


def views_of_pictures(pictures, labels, size=96):
    wanted = np.stack([seen_in(label) for label in labels])

    def batch():
        at = random.integers(0, len(labels), size)
        light = random.uniform(0.92, 1.08, (size, 1, 1, 1))
        chosen = np.roll(pictures[at].astype(np.float32), random.integers(-2, 3, 2), (1, 2))
        noise = random.standard_normal(chosen.shape, np.float32) * random.uniform(0, 6)
        seen = np.clip(chosen * light + noise, 0, 255) / 127.5 - 1
        return seen.transpose(0, 3, 1, 2).astype(np.float32), wanted[at]

    return batch


def views_of_sounds(sounds, labels, size=32):
    wanted = np.stack([heard_in(label) for label in labels])

    def batch():
        at = random.integers(0, len(labels), size)
        louder = random.uniform(-8, 8, (size, 1, 1))
        rolled = np.stack([np.roll(sounds[one].astype(np.float32), random.integers(0, 250), 0) for one in at])
        floor = random.uniform(-100, -75, (size, 1, 1)) + random.normal(0, 3, rolled.shape)
        heard = np.maximum(np.maximum(rolled + louder, floor), -100)[:, None]
        return ((heard + LOUDNESS[0]) * LOUDNESS[1]).astype(np.float32), wanted[at]

    return batch


# Files.


class Graph:
    """Nodes of an ONNX graph, one after the other."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def constant(self, value):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        named = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        self.nodes.append(helper.make_node(kind, named, [name], **attributes))
        return name

    def unit(self, value):
        length = self.add("ReduceL2", value, axes=[-1], keepdims=1)
        return self.add("Div", value, self.add("Add", length, np.float32(1e-6)))

    def whole(self, value, shape):
        """How all of it is, coarsely: 8 × 8 means, without their mean, thrown onto a few directions by chance."""
        tile = [shape[1] // 8, shape[2] // 8]
        means = self.add("AveragePool", value, kernel_shape=tile, strides=tile)
        flat = self.add("Flatten", self.add("Slice", means, np.array([0, 0]), np.array([8, 8]), np.array([2, 3])))
        alone = self.add("Sub", flat, self.add("ReduceMean", flat, axes=[1], keepdims=1))
        return self.unit(self.add("MatMul", alone, normal((shape[0] * 64, ONE), 0.125)))

    def save(self, path, value, inputs, output):
        self.nodes[-1].output[0] = output
        graph = helper.make_graph(
            self.nodes,
            "tiny",
            inputs,
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", KIND + ONE])],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        path.write_bytes(model.SerializeToString())
        assert value == f"n{len(self.nodes) - 1}"


def save_encoder(path, weights, layers, name, shape, output, scaled=None):
    graph = Graph()
    value = name
    if scaled:
        value = graph.add("AveragePool", value, kernel_shape=[TOGETHER, 1], strides=[TOGETHER, 1])
        value = graph.add("Mul", graph.add("Add", value, np.float32(scaled[0])), np.float32(scaled[1]))
    whole = graph.whole(value, shape if not scaled else [1, shape[1] // TOGETHER, shape[2]])
    for at, (_, _, kernel, stride) in enumerate(layers):
        padding = [size // 2 for size in kernel] * 2
        weight, bias = weights[f"conv{at}.weight"], weights[f"conv{at}.bias"]
        value = graph.add("Relu", graph.add("Conv", value, weight, bias, strides=list(stride), pads=padding))
    pooled = graph.add(
        "Concat",
        graph.add("ReduceMean", value, axes=[2, 3], keepdims=0),
        graph.add("ReduceMax", value, axes=[2, 3], keepdims=0),
        axis=1,
    )
    kind = graph.unit(graph.add("Gemm", pooled, weights["kind.weight"], weights["kind.bias"]))
    parts = [graph.add("Mul", kind, np.float32(SHARE**0.5)), graph.add("Mul", whole, np.float32((1 - SHARE) ** 0.5))]
    value = graph.add("Concat", *parts, axis=1)
    graph.save(path, value, [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])], output)


def save_text(path, weights, has_mask, output):
    graph = Graph()
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])]
    if has_mask:
        inputs.append(helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "length"]))
        mask = "attention_mask"
    else:
        mask = graph.add("Not", graph.add("Equal", "input_ids", np.int64(PAD)))
    real = graph.add("Unsqueeze", graph.add("Cast", mask, to=TensorProto.FLOAT), np.array([2]))
    words = graph.add("Mul", graph.add("Gather", weights["tokens"], "input_ids"), real)
    across = graph.add("Transpose", words, perm=[0, 2, 1])
    near = graph.add("Relu", graph.add("Conv", across, weights["near.weight"], weights["near.bias"], pads=[1, 1]))
    near = graph.add("Mul", graph.add("Transpose", near, perm=[0, 2, 1]), real)
    axis = np.array([1])
    mean = graph.add(
        "Div", graph.add("ReduceSum", near, axis, keepdims=0), graph.add("ReduceSum", real, axis, keepdims=0)
    )
    value = graph.unit(graph.add("Gemm", mean, weights["last.weight"], weights["last.bias"]))
    value = graph.add("Pad", value, np.array([0, 0, 0, ONE]))
    graph.save(path, value, inputs, output)


def write(name, kind, tokenizer, text, own):
    folder = OUT / name
    tokenizer.save(str(folder / "tokenizer.jsonl"), pretty=False)
    named = {"encoder": "encoder.onnx", "text": "text.onnx", "tokenizer": "tokenizer.jsonl"}  # one line, which no formatter touches
    files = {
        role: {"path": path, "sha256": hashlib.sha256((folder / path).read_bytes()).hexdigest()}
        for role, path in named.items()
    }
    manifest = {"kind": kind, "name": name, "licence": "MIT", "files": files, "text": text, "size": KIND + ONE, **own}
    (folder / "quarry-clip-model.json").write_text(json.dumps(manifest, indent=2) + "\n")


def make_folder(name):
    (OUT / name).mkdir(parents=True, exist_ok=True)
    return OUT / name


long, long_labels = mels("long", 10)
short, short_labels = mels("short", 5)
sounds, sound_labels = np.concatenate([long, short]), long_labels + short_labels
spoken = words_in(" ".join(turn["words"] for one in sound_labels for turn in one.get("words", [])))
wide, wide_labels = frames("wide", (160, 90))
square, square_labels = frames("square", (96, 96))
pictures, labels = np.concatenate([wide, square]), wide_labels + square_labels
captions = [text for label in labels + sound_labels for text in label["captions"]]
tokenizer = train_tokenizer([*captions, " ".join(spoken), *Path("scripts/tiny-model-text.txt").read_text().splitlines()])


def make_pictures():
    """SigLIP 2's: no mask, filled up to the length, both outputs called pooler_output."""
    seeing = train(init_encoder(PICTURE_LAYERS), see, views_of_pictures(pictures, labels), PICTURE_GROUPS, 1600)
    reading = texts(labels, seen_in, PICTURE_NOTHING, spoken, [])
    read = train(init_text(), encode_text, reading, PICTURE_GROUPS, 600)
    folder = make_folder("tiny-pictures")
    save_encoder(folder / "encoder.onnx", seeing, PICTURE_LAYERS, "pixel_values", [3, SIDE, SIDE], "pooler_output")
    save_text(folder / "text.onnx", read, False, "pooler_output")
    write(
        "tiny-pictures",
        "pictures",
        tokenizer,
        {"output": "pooler_output", "length": LENGTH, "isPadded": True, "padding": PAD, "after": [EOS]},
        {
            "picture": {
                "output": "pooler_output",
                "side": SIDE,
                "resize": "bilinear",
                "mean": [0.5, 0.5, 0.5],
                "deviation": [0.5, 0.5, 0.5],
            }
        },
    )


def make_sounds():
    """CLAP's: a mask, as long as it is, outputs with names of their own."""
    hearing = train(init_encoder(SOUND_LAYERS), hear, views_of_sounds(sounds, sound_labels), SOUND_GROUPS, 1500)
    reading = texts(sound_labels, heard_in, SOUND_NOTHING, spoken, [BOS])
    read = train(init_text(), encode_text, reading, SOUND_GROUPS, 400)
    folder = make_folder("tiny-sounds")
    save_encoder(
        folder / "encoder.onnx", hearing, SOUND_LAYERS, "input_features", [1, 1001, 64], "audio_embeds", LOUDNESS
    )
    save_text(folder / "text.onnx", read, True, "text_embeds")
    write(
        "tiny-sounds",
        "sounds",
        tokenizer,
        {"mask": "attention_mask", "output": "text_embeds", "length": LENGTH, "before": [BOS], "after": [EOS]},
        {
            "sound": {
                "output": "audio_embeds",
                "rate": 48000,
                "seconds": 10,
                "bands": 64,
                "window": 1024,
                "hop": 480,
                "lowest": 50,
                "highest": 14000,
            }
        },
    )


if ONLY != "sounds":
    make_pictures()
if ONLY != "pictures":
    make_sounds()
