"""Writes models that are not what a worker declares, for scripts/prove-audit.ts: the same weights in other quantisations.

Usage: python scripts/audit-models.py FROM.gguf FOLDER   (package gguf, which PyTorch's environment of `npm run test:torch-env` has)
"""

import sys
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGUFReader, GGUFWriter, dequantize, quantize

WANTED = {"F16": Type.F16, "Q8_0": Type.Q8_0, "Q5_0": Type.Q5_0, "Q4_0": Type.Q4_0}


def write(reader, path, kind):
    architecture = reader.fields["general.architecture"].contents()
    writer = GGUFWriter(path, architecture)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        sub = field.types[-1] if len(field.types) > 1 else None
        writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=sub)
    for tensor in reader.tensors:
        weights = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        if tensor.tensor_type in (Type.F32,):
            writer.add_tensor(tensor.name, weights)
        else:
            writer.add_tensor(tensor.name, quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    reader = GGUFReader(source)
    for name, kind in WANTED.items():
        path = folder / f"{name}.gguf"
        write(reader, path, kind)
        print(path)


main()
