"""
Makes a tiny pair of models that hear who speaks when, for tests: in the form of sherpa-onnx's, for voices of espeak-ng in silence, and for nothing else.
The first says of every 25 milliseconds whether something is heard (as if it were pyannote's, of which each speaker has a class); the second makes a few
numbers of how a voice is on the mean, in the directions in which voices differ most (linear discriminant analysis).

    pip install numpy onnx kaldi-native-fbank; espeak-ng has to be there
    python3 scripts/make-tiny-speakers.py test/fixtures/clips/tiny-models
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import kaldi_native_fbank as knf
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OUT = Path(sys.argv[1]) / "tiny-speakers"
RATE, BANDS, SIZE = 16000, 80, 12
FRAME, WINDOW = 400, 19200
SENTENCES = re.findall(r"[A-Z][^.!?]{20,80}[.!?]", Path("scripts/tiny-model-text.txt").read_text())[:14]
VOICES = [f"{language}+{kind}{number}" for language in ("en-us", "en-gb") for kind, most in (("f", 4), ("m", 6)) for number in range(1, most + 1)]
PITCHES = (25, 45, 65)


def spoken(voice, pitch, sentence):
    wav = subprocess.run(["espeak-ng", "-v", voice, "-p", str(pitch), "--stdout", sentence], capture_output=True, check=True).stdout
    rate = int.from_bytes(wav[24:28], "little")
    samples = np.frombuffer(wav[44 : len(wav) // 2 * 2], np.int16).astype(np.float32) / 32768
    at = np.arange(int(len(samples) * RATE / rate)) * rate / RATE
    samples = np.interp(at, np.arange(len(samples)), samples).astype(np.float32)
    heard = np.flatnonzero(np.abs(samples) > 0.01)
    return samples[heard[0] : heard[-1]]


def bands(samples):
    """As sherpa-onnx makes them for such models."""
    options = knf.FbankOptions()
    options.frame_opts.dither = 0
    options.frame_opts.samp_freq = RATE
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = BANDS
    fbank = knf.OnlineFbank(options)
    fbank.accept_waveform(RATE, samples.tolist())
    fbank.input_finished()
    return np.stack([fbank.get_frame(at) for at in range(fbank.num_frames_ready)])


def summed_up(rows):
    return np.concatenate([rows.mean(0), rows.std(0)])


def directions(features, speakers):
    """Fisher's: where the means of voices are far apart beside how much each voice varies."""
    mean = features.mean(0)
    within = np.zeros((features.shape[1],) * 2)
    between = np.zeros_like(within)
    for speaker in set(speakers):
        own = features[speakers == speaker]
        within += (own - own.mean(0)).T @ (own - own.mean(0))
        between += len(own) * np.outer(own.mean(0) - mean, own.mean(0) - mean)
    within = within / len(features) + 0.05 * np.eye(len(within))
    values, vectors = np.linalg.eig(np.linalg.solve(within, between / len(features)))
    best = np.argsort(-values.real)[:SIZE]
    return mean.astype(np.float32), vectors.real[:, best].astype(np.float32)


def save(path, nodes, weights, inputs, outputs, metadata):
    named = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, named)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for key, value in metadata.items():
        model.metadata_props.add(key=key, value=str(value))
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def save_segmentation(path):
    """Silence, or one who speaks: never two at once. Above forty decibels below the loudest, a tenth of a second around it too."""
    node = helper.make_node
    save(
        path,
        [
            node("Mul", ["x", "x"], ["power"]),
            node("AveragePool", ["power"], ["mean"], kernel_shape=[FRAME], strides=[FRAME]),
            node("MaxPool", ["mean"], ["wide"], kernel_shape=[9], strides=[1], pads=[4, 4]),
            node("Add", ["wide", "least"], ["some"]),
            node("Log", ["some"], ["log"]),
            node("Add", ["log", "shift"], ["loud"]),
            node("Transpose", ["loud"], ["rows"], perm=[0, 2, 1]),
            node("Mul", ["rows", "signs"], ["signed"]),
            node("Add", ["signed", "never"], ["y"]),
        ],
        {
            "least": np.float32(1e-10),
            "shift": np.float32(np.log(1e4)),
            "signs": np.array([-1, 1, 0, 0, 0, 0, 0], np.float32),
            "never": np.array([0, 0, -100, -100, -100, -100, -100], np.float32),
        },
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 1, "samples"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "frames", 7])],
        {
            "model_type": "pyannote-segmentation-3.0",
            "sample_rate": RATE,
            "window_size": WINDOW,
            "receptive_field_size": FRAME,
            "receptive_field_shift": FRAME,
            "num_speakers": 3,
            "powerset_max_classes": 2,
            "num_classes": 7,
        },
    )


def save_embedding(path, mean, vectors):
    node = helper.make_node
    save(
        path,
        [
            node("ReduceMean", ["x"], ["mean"], axes=[1], keepdims=1),
            node("Sub", ["x", "mean"], ["apart"]),
            node("Mul", ["apart", "apart"], ["square"]),
            node("ReduceMean", ["square"], ["variance"], axes=[1], keepdims=1),
            node("Sqrt", ["variance"], ["deviation"]),
            node("Concat", ["mean", "deviation"], ["all"], axis=2),
            node("Flatten", ["all"], ["flat"]),
            node("Sub", ["flat", "middle"], ["moved"]),
            node("MatMul", ["moved", "directions"], ["embedding"]),
        ],
        {"middle": mean, "directions": vectors},
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "frames", BANDS])],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", SIZE])],
        {
            "framework": "3d-speaker",
            "language": "English",
            "output_dim": SIZE,
            "sample_rate": RATE,
            "normalize_samples": 1,
            "feature_normalize_type": "",
        },
    )


features, speakers = [], []
for voice in VOICES:
    for pitch in PITCHES:
        for sentence in SENTENCES:
            rows = bands(spoken(voice, pitch, sentence))
            for begin in range(0, len(rows) - 80, 60):
                features.append(summed_up(rows[begin : begin + 100]))
                speakers.append(f"{voice} {pitch}")
features, speakers = np.array(features), np.array(speakers)
print(features.shape, len(set(speakers)))
OUT.mkdir(parents=True, exist_ok=True)
save_segmentation(OUT / "segmentation.onnx")
save_embedding(OUT / "embedding.onnx", *directions(features, speakers))
files = {
    role: {"path": f"{role}.onnx", "sha256": hashlib.sha256((OUT / f"{role}.onnx").read_bytes()).hexdigest()}
    for role in ("segmentation", "embedding")
}
manifest = {"kind": "speakers", "name": "tiny-speakers", "licence": "MIT", "rate": RATE, "threshold": 1.4, "files": files}
(OUT / "quarry-clip-model.json").write_text(json.dumps(manifest, indent=2) + "\n")
