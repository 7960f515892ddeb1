"""Lines of JSON, how what fails is told, and files of tensors."""
import json
import os
import sys

import torch
from safetensors.torch import save_file

LONGEST_DETAIL = 500


class Failure(Exception):
    """What a request can fail of: a code that the other side knows, and words for its log."""

    def __init__(self, code, detail):
        super().__init__(detail)
        self.code = code


def read_lines(stream):
    for line in stream:
        if line.strip():
            yield json.loads(line)


def answer(message):
    sys.stdout.write(json.dumps(message, allow_nan=False) + "\n")
    sys.stdout.flush()


def failure(error):
    """@returns the code and the words of any error"""
    detail = f"{type(error).__name__}: {error}"[:LONGEST_DETAIL]
    if isinstance(error, Failure):
        return error.code, str(error)[:LONGEST_DETAIL]
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "can't allocate memory" in str(error):
        return "OUT_OF_MEMORY", detail
    return "INTERNAL", detail


def write_tensors(tensors, path, metadata):
    """To the disk, before it returns."""
    save_file({name: values.detach().cpu().contiguous() for name, values in tensors.items()}, path, {"format": "pt", **metadata})
    with open(path, "r+b") as file:
        os.fsync(file.fileno())
