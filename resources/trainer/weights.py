"""
Tensors of a GGUF file as numbers. Where they lie, of which type and how large they are the other side has read and checked: nothing here reads headers.
"""
import numpy as np
import torch
from gguf.constants import GGMLQuantizationType
from gguf.quants import dequantize

ROWS_AT_ONCE = 4096
"""Bounds what a large matrix takes beside itself while it is read."""


class Weights:
    """@param tensors by name: `type`, `dimensions` (that of a row first), `offset` in the file, `bytes`"""

    def __init__(self, path, tensors):
        self.file = np.memmap(path, dtype=np.uint8, mode="r")
        self.tensors = tensors

    def __contains__(self, name):
        return name in self.tensors

    def read(self, name, dtype, device):
        """Rows stand as in the file."""
        info = self.tensors[name]
        width, *more = info["dimensions"]
        rows = int(np.prod(more, dtype=np.int64))
        kind = GGMLQuantizationType[info["type"]]
        bytes_of_row = info["bytes"] // rows
        stored = self.file[info["offset"]:info["offset"] + info["bytes"]].reshape(rows, bytes_of_row)
        values = torch.empty(rows, width, dtype=dtype, device=device)
        for row in range(0, rows, ROWS_AT_ONCE):
            values[row:row + ROWS_AT_ONCE] = numbers(stored[row:row + ROWS_AT_ONCE], kind).to(device=device, dtype=dtype)
        return values if more else values.squeeze(0)


def numbers(rows, kind):
    rows = np.array(rows)  # the file's own cannot be written, and PyTorch wants to
    if kind == GGMLQuantizationType.F32:
        return torch.from_numpy(rows.view(np.float32))
    if kind == GGMLQuantizationType.F16:
        return torch.from_numpy(rows.view(np.float16)).float()
    return torch.from_numpy(dequantize(rows, kind))


def in_peft_order(values, heads):
    """
    Rows of queries and keys as PEFT has them, out of the order in which llama.cpp's `llama` turns them (src-main/learning/formats/head-order.ts).
    @param heads None where the two orders are the same
    """
    if heads is None:
        return values
    rows = values.shape[0]
    return values.view(heads, rows // heads // 2, 2, *values.shape[1:]).transpose(1, 2).reshape(values.shape)
