import { type FileHandle, open } from 'node:fs/promises';
import { say } from '../../../src-preload/contract/saying.ts';
import { GgufError, quoted } from '../../gguf/gguf-error.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import { textOf } from '../../gguf/metadata.ts';
import { headerOf } from '../../gguf/model-file.ts';
import type { TensorInfo } from '../../gguf/tensors.ts';
import { type GgufTensor, type GgufValue, writeGguf } from '../../gguf/writer.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { type BaseShape, GGUF_NAMES, reorderedHeads } from './base-shape.ts';
import { assembled, checkedAlpha, checkTensors, type FoundTensor, partName } from './check-adapter.ts';
import { isValueType, readValues } from './file-values.ts';
import { inPeftOrder, peftRow } from './head-order.ts';
import { ADAPTER_MODULES, inOrder, type LoraAdapter, type LoraMatrices, matrixPlace } from './lora-adapter.ts';

/** Keys that llama.cpp reads (src/llama-adapter.cpp). */
const KEYS = {
  architecture: 'general.architecture',
  type: 'general.type',
  name: 'general.name',
  kind: 'adapter.type',
  alpha: 'adapter.lora.alpha',
  invocation: 'adapter.alora.invocation_tokens',
} as const;

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
      [KEYS.architecture, text(adapter.base.architecture)],
      [KEYS.type, text('adapter')],
      ...(name === undefined ? [] : [[KEYS.name, text(name)] as const]),
      [KEYS.kind, text('lora')],
      [KEYS.alpha, { type: 'float32', value: adapter.alpha }],
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
  const file = await open(path, 'r');
  try {
    const header = await headerOf(file);
    checkMetadata(header, base);
    const tensors = header.tensors.map((tensor) => ({ ...found(tensor), tensor }));
    const rank = checkTensors(tensors, base);
    const parts = new Map<string, Float32Array>();
    for (const { layer, module, part, tensor } of tensors) {
      const values = await valuesOf(file, tensor, header.dataOffset);
      const heads = part === 'b' ? reorderedHeads(base, module) : undefined;
      parts.set(partName(layer, module, part), inPeftOrder(values, rank, heads));
    }
    return assembled(parts, { rank, alpha: alphaOf(header, rank) }, base);
  } catch (error) {
    if (error instanceof GgufError) throw invalidAdapter(error.why, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

function checkMetadata({ metadata }: GgufHeader, base: BaseShape): void {
  if (textOf(metadata, KEYS.type) !== 'adapter') throw invalidAdapter(say('adapters.noAdapter'));
  const kind = textOf(metadata, KEYS.kind) ?? '';
  if (kind !== 'lora') throw unsupportedAdapter(say('adapters.kind', { kind: quoted(kind) }));
  if (metadata.has(KEYS.invocation)) throw unsupportedAdapter(say('adapters.feature', { feature: 'alora' }));
  const architecture = textOf(metadata, KEYS.architecture) ?? '';
  if (architecture !== base.architecture) {
    throw invalidAdapter(say('adapters.otherArchitecture', { given: quoted(architecture), wanted: base.architecture }));
  }
}

/** llama.cpp takes 0, and none, for an adapter whose change is not scaled. */
function alphaOf({ metadata }: GgufHeader, rank: number): number {
  const alpha = metadata.get(KEYS.alpha) ?? 0;
  return checkedAlpha(alpha === 0 ? rank : alpha);
}

const NAME = /^blk\.(0|[1-9]\d{0,3})\.([a-z_]+)\.weight\.lora_([ab])$/;

function found({ name, dimensions }: TensorInfo): FoundTensor {
  const [, layer, short, part] = NAME.exec(name) ?? [];
  const module = ADAPTER_MODULES.find((each) => GGUF_NAMES[each] === short);
  if (!module) throw unsupportedAdapter(say('adapters.otherTensor', { name: quoted(name) }));
  const [columns = 0, rows = 0, ...more] = dimensions;
  if (more.length > 0) throw invalidAdapter(say('adapters.tensorSize', { name: quoted(name) }));
  return { layer: Number(layer), module, part: part as 'a' | 'b', rows, columns };
}

async function valuesOf(file: FileHandle, { name, type, dimensions, offset }: TensorInfo, start: number) {
  if (!isValueType(type)) throw unsupportedAdapter(say('adapters.valueType', { name: quoted(name), type }));
  const [columns = 0, rows = 0] = dimensions;
  return await readValues(file, { name, type, offset: start + offset, count: columns * rows });
}
