"""Writes test/fixtures/learning/quantised.gguf and quantised.f32: tensors of every type that Quarry reads, and the numbers that the
package `gguf` (PyPI) reads from them. Needs: pip install gguf numpy.

    python scripts/learning-fixtures/quantised.py
"""
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType as T, GGUFWriter
from gguf.constants import GGML_QUANT_SIZES
from gguf.quants import dequantize

FOLDER = Path(__file__).parents[2] / "test/fixtures/learning"
TYPES = [T.F32, T.F16, T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.Q4_K, T.Q5_K, T.Q6_K]
# Where a block's scales of half precision are: random bytes there would be infinite or no number.
SCALES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208]}
ROWS = 3


def random_bytes(kind, random):
    """Bytes of three rows, two blocks each: every bit of them is drawn, so that no bit can be misread unseen."""
    values, size = GGML_QUANT_SIZES[kind]
    if kind in (T.F32, T.F16, T.BF16):
        numbers = random.normal(size=(ROWS, 40)).astype(np.float32)
        if kind == T.F32:
            return numbers.view(np.uint8)
        if kind == T.F16:
            return numbers.astype(np.float16).view(np.uint8)
        return (numbers.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    blocks = random.integers(0, 256, size=(ROWS * 2, size), dtype=np.uint8)
    for at in SCALES[kind]:
        blocks[:, at : at + 2] = random.normal(size=(ROWS * 2, 1)).astype(np.float16).view(np.uint8)
    return blocks.reshape(ROWS, 2 * size)


def main():
    random = np.random.default_rng(15)
    writer = GGUFWriter(FOLDER / "quantised.gguf", "llama")
    expected = []
    for kind in TYPES:
        data = random_bytes(kind, random)
        writer.add_tensor(kind.name, data, raw_dtype=kind)
        expected.append(dequantize(data, kind).astype(np.float32).ravel())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    (FOLDER / "quantised.f32").write_bytes(np.concatenate(expected).tobytes())


main()
