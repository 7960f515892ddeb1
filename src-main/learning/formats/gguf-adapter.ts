import type { FileHandle } from 'node:fs/promises';
import { say } from '../../../src-preload/contract/saying.ts';
import { ADAPTER_KEYS, type AdapterPair, OtherAdapterKind, withAdapter } from '../../gguf/adapter-facts.ts';
import { GgufError, quoted } from '../../gguf/gguf-error.ts';
import type { TensorInfo } from '../../gguf/tensors.ts';
import { type GgufTensor, type GgufValue, writeGguf } from '../../gguf/writer.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { type BaseShape, GGUF_NAMES, reorderedHeads } from './base-shape.ts';
import { assembled, checkedAlpha, checkTensors, type FoundTensor, partName } from './check-adapter.ts';
import { isValueType, readValues } from './file-values.ts';
import { inPeftOrder, peftRow } from './head-order.ts';
import { ADAPTER_MODULES, inOrder, type LoraAdapter, type LoraMatrices, matrixPlace } from './lora-adapter.ts';

/**
 * Writes an adapter as llama.cpp loads it. It appears under its name only when it is complete.
 * @param base the model that it belongs to
 * @param name what the file calls itself; no one needs it
 */
export async function writeAdapterGguf(
  path: string,
  adapter: LoraAdapter,
  base: BaseShape,
  name?: string,
): Promise<void> {
  const text = (value: string): GgufValue => ({ type: 'string', value });
  const tensors = [...inOrder(adapter.matrices)].flatMap(([matrix, matrices]) =>
    tensorsOf(matrix, matrices, adapter.rank, base),
  );
  await writeGguf(path, {
    metadata: new Map<string, GgufValue>([
      [ADAPTER_KEYS.architecture, text(adapter.base.architecture)],
      [ADAPTER_KEYS.type, text('adapter')],
      ...(name === undefined ? [] : [[ADAPTER_KEYS.name, text(name)] as const]),
      [ADAPTER_KEYS.kind, text('lora')],
      [ADAPTER_KEYS.alpha, { type: 'float32', value: adapter.alpha }],
    ]),
    tensors,
  });
}

function tensorsOf(matrix: string, matrices: LoraMatrices, rank: number, base: BaseShape): GgufTensor[] {
  const { layer, module } = matrixPlace(matrix);
  const { a, b, in: columns, out: rows } = matrices;
  const heads = reorderedHeads(base, module);
  const tensor = (part: 'a' | 'b', shape: [number, number], values: Float32Array, source: (row: number) => number) => ({
    name: `blk.${layer}.${GGUF_NAMES[module]}.weight.lora_${part}`,
    type: 'F32' as const,
    shape,
    fill: (row: Float32Array, at: number) =>
      row.set(values.subarray(source(at) * shape[0], (source(at) + 1) * shape[0])),
  });
  return [
    tensor('a', [columns, rank], a, (row) => row),
    tensor('b', [rank, rows], b, (row) => peftRow(row, rows, heads)),
  ];
}

/**
 * Reads an untrusted adapter of llama.cpp for a model: LoRA in F32, F16 or BF16.
 * @throws ADAPTER_INVALID when it is damaged or of another model; UNSUPPORTED for what Quarry cannot do
 */
export async function readAdapterGguf(path: string, base: BaseShape): Promise<LoraAdapter> {
  try {
    return await withAdapter(path, async ({ header, architecture, alpha, pairs }, file) => {
      checkArchitecture(architecture, base);
      const found = pairs.flatMap(halvesOf);
      const rank = checkTensors(found, base);
      const parts = new Map<string, Float32Array>();
      for (const { layer, module, part, tensor } of found) {
        const values = await valuesOf(file, tensor, header.dataOffset);
        const heads = part === 'b' ? reorderedHeads(base, module) : undefined;
        parts.set(partName(layer, module, part), inPeftOrder(values, rank, heads));
      }
      return assembled(parts, { rank, alpha: checkedAlpha(alpha === 0 ? rank : alpha) }, base);
    });
  } catch (error) {
    if (error instanceof OtherAdapterKind) throw unsupportedAdapter(error.why);
    if (error instanceof GgufError) throw invalidAdapter(error.why, { cause: error });
    throw error;
  }
}

function checkArchitecture(architecture: string, base: BaseShape): void {
  if (architecture === base.architecture) return;
  const both = { made: quoted(architecture), architecture: base.architecture };
  throw invalidAdapter(say('gguf.otherArchitecture', both));
}

const NAME = /^blk\.(0|[1-9]\d{0,3})\.([a-z_]+)\.weight$/;

function halvesOf({ base, a, b }: AdapterPair): (FoundTensor & { tensor: TensorInfo })[] {
  const [, layer, short] = NAME.exec(base) ?? [];
  const module = ADAPTER_MODULES.find((each) => GGUF_NAMES[each] === short);
  if (!module) throw unsupportedAdapter(say('adapters.otherTensor', { name: quoted(base) }));
  const half = (part: 'a' | 'b', tensor: TensorInfo) => {
    const [columns = 0, rows = 0, ...more] = tensor.dimensions;
    if (more.length > 0) throw invalidAdapter(say('adapters.tensorSize', { name: quoted(tensor.name) }));
    return { layer: Number(layer), module, part, rows, columns, tensor };
  };
  return [half('a', a), half('b', b)];
}

async function valuesOf(file: FileHandle, { name, type, dimensions, offset }: TensorInfo, start: number) {
  if (!isValueType(type)) throw unsupportedAdapter(say('adapters.valueType', { name: quoted(name), type }));
  const [columns = 0, rows = 0] = dimensions;
  return await readValues(file, { name, type, offset: start + offset, count: columns * rows });
}
