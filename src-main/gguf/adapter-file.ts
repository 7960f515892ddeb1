import { say } from '../../src-preload/contract/saying.ts';
import { type AdapterFacts, type AdapterPair, MOST_RANK, withAdapter } from './adapter-facts.ts';
import { checkFinite } from './finite-weights.ts';
import { GgufError, quoted } from './gguf-error.ts';
import type { GgufHeader } from './header.ts';
import { textOf } from './metadata.ts';
import type { TensorInfo } from './tensors.ts';

/** An adapter may be as large as its model, and so large in any case. */
const ALWAYS_ALLOWED_BYTES = 64 << 20;
const TYPES = new Set(['F32', 'F16', 'BF16', 'Q8_0']);

/**
 * Reads an adapter's file and checks it against the model that it is to change. llama.cpp checks less and ends its process over some of
 * what it has not checked (types of metadata, matrices that cannot be multiplied); and values that are no numbers would stay in its cache.
 * @param model header of the model's file
 * @throws GgufError with the reason; what the file system throws
 */
export async function checkAdapter(path: string, model: GgufHeader): Promise<AdapterFacts> {
  return await withAdapter(path, async (facts, file) => {
    const { header, pairs } = facts;
    const most = Math.max(model.bytes, ALWAYS_ALLOWED_BYTES);
    if (header.bytes > most) throw new GgufError(say('gguf.largeAdapter', { size: header.bytes, most }));
    checkArchitecture(facts, model);
    checkAlpha(facts);
    const bases = new Map(model.tensors.map((tensor) => [tensor.name, tensor]));
    for (const pair of pairs) checkPair(pair, bases.get(pair.base));
    await checkFinite(file, header);
    return facts;
  });
}

function checkArchitecture({ architecture: made }: AdapterFacts, model: GgufHeader): void {
  const architecture = textOf(model.metadata, 'general.architecture') ?? '';
  if (made !== architecture) throw new GgufError(say('gguf.otherArchitecture', { made: quoted(made), architecture }));
}

/** llama.cpp reads 0 (or none) as «do not scale», where PEFT means «no change». */
function checkAlpha({ alpha }: AdapterFacts): void {
  if (alpha === 0) throw new GgufError(say('gguf.alpha'));
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
