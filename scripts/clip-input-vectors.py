"""
What models of pictures and sounds are given, by the code with which they have learnt: test/fixtures/clips/inputs.json, for test/unit/clips/models.
Pictures by Pillow, sounds by the functions of transformers that ClapFeatureExtractor calls (`rand_trunc`, `repeatpad`); both of numbers that a formula makes, the same here and there.

    pip install numpy pillow transformers
    python3 scripts/clip-input-vectors.py > test/fixtures/clips/inputs.json
"""

import json
import sys

import numpy as np
from PIL import Image
from transformers.audio_utils import mel_filter_bank, spectrogram, window_function


def picture(width, height):
    at = np.arange(width * height * 3, dtype=np.uint64)
    return (at * at * 7919 % 251).astype(np.uint8).reshape(height, width, 3)


def sound(count):
    at = np.arange(count, dtype=np.float64) / 48000
    return (0.4 * np.sin(2 * np.pi * (300 + 2000 * at) * at) + 0.1 * np.sin(2 * np.pi * 7000 * at)).astype(np.float32)


pictures = []
for width, height, side, how in ((61, 40, 16, "bilinear"), (61, 40, 16, "bicubic"), (10, 7, 16, "bilinear"), (10, 7, 16, "bicubic")):
    filtered = Image.fromarray(picture(width, height)).resize((side, side), getattr(Image, how.upper()))
    shades = np.asarray(filtered).reshape(-1).tolist()
    pictures.append({"width": width, "height": height, "side": side, "resize": how, "shades": shades})

filters = mel_filter_bank(
    num_frequency_bins=513,
    num_mel_filters=64,
    min_frequency=50,
    max_frequency=14000,
    sampling_rate=48000,
    norm="slaney",
    mel_scale="slaney",
)


def log_mel(waveform):
    repeated = np.tile(waveform, 480000 // len(waveform))
    whole = np.pad(repeated, (0, 480000 - len(repeated)))
    window = window_function(1024, "hann")
    return spectrogram(whole, window, frame_length=1024, hop_length=480, power=2.0, mel_filters=filters, log_mel="dB").T


sounds = []
for count in (480000, 100001):
    mel = log_mel(sound(count))
    rows = [0, 1, 2, 333, 500, 777, 999, 1000]
    values = [[round(float(value), 4) for value in mel[row]] for row in rows]
    sounds.append({"samples": count, "shape": list(mel.shape), "rows": rows, "values": values})

json.dump({"pictures": pictures, "sounds": sounds}, sys.stdout, separators=(",", ":"))
