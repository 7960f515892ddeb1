import { type FileHandle, open, stat } from 'node:fs/promises';
import { say } from '../../src-preload/contract/saying.ts';
import { checkFinite } from './finite-weights.ts';
import { GgufError, quoted } from './gguf-error.ts';
import type { GgufHeader } from './header.ts';
import { textOf } from './metadata.ts';
import { headerOf } from './model-file.ts';
import type { TensorInfo } from './tensors.ts';

/** An adapter's two matrices for one of the model's: it adds `alpha / rank · B·A` to it. */
export interface AdapterPair {
  /** The model's tensor that they change. */
  base: string;
  /** `[inputs, rank]`. */
  a: TensorInfo;
  /** `[rank, outputs]`. */
  b: TensorInfo;
}

export interface CheckedAdapter {
  header: GgufHeader;
  alpha: number;
  pairs: readonly AdapterPair[];
}

/** Far above what anybody trains; each costs two passes over so many rows. */
const MOST_RANK = 1_024;
/** An adapter may be as large as its model, and so large in any case. */
const ALWAYS_ALLOWED_BYTES = 64 << 20;
const TYPES = new Set(['F32', 'F16', 'BF16', 'Q8_0']);
const HALVES = { a: '.lora_a', b: '.lora_b' } as const;

/**
 * Reads an adapter's file and checks it against the model that it is to change. llama.cpp checks less and ends its process over some of
 * what it has not checked (types of metadata, matrices that cannot be multiplied); and values that are no numbers would stay in its cache.
 *
 * The form: https://github.com/ggml-org/llama.cpp/blob/master/convert_lora_to_gguf.py, src/llama-adapter.cpp.
 * @param model header of the model's file
 * @throws GgufError with the reason; what the file system throws
 */
export async function checkAdapter(path: string, model: GgufHeader): Promise<CheckedAdapter> {
  // A pipe would be waited for.
  if (!(await stat(path)).isFile()) throw new GgufError(say('gguf.otherFile'));
  const file = await open(path, 'r');
  try {
    return await checkOpenAdapter(file, model);
  } finally {
    await file.close();
  }
}

async function checkOpenAdapter(file: FileHandle, model: GgufHeader): Promise<CheckedAdapter> {
  const header = await headerOf(file);
  const most = Math.max(model.bytes, ALWAYS_ALLOWED_BYTES);
  if (header.bytes > most) throw new GgufError(say('gguf.largeAdapter', { size: header.bytes, most }));
  checkIsAdapter(header, model);
  const alpha = alphaOf(header);
  const bases = new Map(model.tensors.map((tensor) => [tensor.name, tensor]));
  const pairs = pairsOf(header.tensors);
  for (const pair of pairs) checkPair(pair, bases.get(pair.base));
  await checkFinite(file, header);
  return { header, alpha, pairs };
}

function checkIsAdapter({ metadata }: GgufHeader, model: GgufHeader): void {
  const isAdapter = textOf(metadata, 'general.type') === 'adapter' && textOf(metadata, 'adapter.type') === 'lora';
  if (!isAdapter) throw new GgufError(say('gguf.noAdapter'));
  if (metadata.has('adapter.alora.invocation_tokens')) throw new GgufError(say('gguf.invocation'));
  const made = textOf(metadata, 'general.architecture');
  const architecture = textOf(model.metadata, 'general.architecture') ?? '';
  if (made === undefined) throw new GgufError(say('gguf.noArchitecture'));
  if (made !== architecture) throw new GgufError(say('gguf.otherArchitecture', { made: quoted(made), architecture }));
}

/** llama.cpp reads 0 (or none) as «do not scale», where PEFT means «no change». */
function alphaOf({ metadata, floats }: GgufHeader): number {
  const alpha = metadata.get('adapter.lora.alpha');
  if (typeof alpha === 'number' && floats.has('adapter.lora.alpha') && Number.isFinite(alpha) && alpha !== 0)
    return alpha;
  throw new GgufError(say('gguf.alpha'));
}

function pairsOf(tensors: readonly TensorInfo[]): AdapterPair[] {
  const halves = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const pairs: AdapterPair[] = [];
  for (const tensor of tensors) {
    const end = tensor.name.slice(-HALVES.a.length);
    const base = tensor.name.slice(0, -HALVES.a.length);
    const a = halves.get(base + HALVES.a);
    const b = halves.get(base + HALVES.b);
    if ((end !== HALVES.a && end !== HALVES.b) || !a || !b) {
      throw new GgufError(say('gguf.noPair', { name: quoted(tensor.name) }));
    }
    if (tensor === a) pairs.push({ base, a, b });
  }
  return pairs;
}

function checkPair({ base, a, b }: AdapterPair, matrix: TensorInfo | undefined): void {
  const name = quoted(base);
  if (!matrix || !canBeChanged(matrix)) throw new GgufError(say('gguf.noBase', { name }));
  const [inputs, outputs] = matrix.dimensions;
  const [, rank = 0] = a.dimensions;
  if (rank < 1 || rank > MOST_RANK) throw new GgufError(say('gguf.rank', { name, rank, most: MOST_RANK }));
  if (!hasShape(a, inputs, rank) || !hasShape(b, rank, outputs)) throw new GgufError(say('gguf.pairShape', { name }));
  for (const { type } of [a, b]) {
    if (!TYPES.has(type)) throw new GgufError(say('gguf.pairType', { name, type }));
  }
}

/**
 * Matrices that llama.cpp multiplies with. Of tables of embeddings it takes adapters of another shape, or (where they are the output, too) ends its
 * process; of NVFP4 it takes none; experts' lie one behind the other in three dimensions.
 */
function canBeChanged({ name, type, dimensions }: TensorInfo): boolean {
  return dimensions.length === 2 && type !== 'NVFP4' && !name.endsWith('_embd.weight');
}

function hasShape({ dimensions }: TensorInfo, columns: number | undefined, rows: number | undefined): boolean {
  return dimensions.length === 2 && dimensions[0] === columns && dimensions[1] === rows;
}
