import { type FileHandle, open, stat } from 'node:fs/promises';
import { say } from '../../src-preload/contract/saying.ts';
import { GgufError, quoted } from './gguf-error.ts';
import type { GgufHeader } from './header.ts';
import { textOf } from './metadata.ts';
import { headerOf } from './model-file.ts';
import type { TensorInfo } from './tensors.ts';

/** What llama.cpp reads of an adapter: https://github.com/ggml-org/llama.cpp/blob/master/convert_lora_to_gguf.py, src/llama-adapter.cpp. */
export const ADAPTER_KEYS = {
  architecture: 'general.architecture',
  type: 'general.type',
  name: 'general.name',
  kind: 'adapter.type',
  alpha: 'adapter.lora.alpha',
  invocation: 'adapter.alora.invocation_tokens',
} as const;
/** Far above what anybody trains; each costs two passes over so many rows. */
export const MOST_RANK = 1_024;
const HALVES = { a: '.lora_a', b: '.lora_b' } as const;

/** An adapter's two matrices for one of the model's: it adds `alpha / rank · B·A` to it. */
export interface AdapterPair {
  /** The model's tensor that they change. */
  base: string;
  /** `[inputs, rank]`. */
  a: TensorInfo;
  /** `[rank, outputs]`. */
  b: TensorInfo;
}

/** What an adapter's file says of itself, whatever model it is for. */
export interface AdapterFacts {
  header: GgufHeader;
  /** Of the model that it was made for. */
  architecture: string;
  /** 0: llama.cpp does not scale. */
  alpha: number;
  pairs: readonly AdapterPair[];
}

/** An adapter that may be sound, and is of another kind than LoRA. */
export class OtherAdapterKind extends GgufError {}

/**
 * Opens an adapter's file and reads what it says of itself.
 * @param work with the open file, which is closed afterwards
 * @throws OtherAdapterKind; GgufError with the reason; what the file system and the work throw
 */
export async function withAdapter<Result>(
  path: string,
  work: (facts: AdapterFacts, file: FileHandle) => Promise<Result>,
): Promise<Result> {
  // A pipe would be waited for.
  if (!(await stat(path)).isFile()) throw new GgufError(say('gguf.otherFile'));
  const file = await open(path, 'r');
  try {
    return await work(adapterFacts(await headerOf(file)), file);
  } finally {
    await file.close();
  }
}

function adapterFacts(header: GgufHeader): AdapterFacts {
  const { metadata, tensors } = header;
  checkKind(header);
  const architecture = textOf(metadata, ADAPTER_KEYS.architecture);
  if (architecture === undefined) throw new GgufError(say('gguf.noArchitecture'));
  return { header, architecture, alpha: alphaOf(header), pairs: pairsOf(tensors) };
}

/** llama.cpp ends its process over a kind that is no text. */
function checkKind({ metadata }: GgufHeader): void {
  const kind = textOf(metadata, ADAPTER_KEYS.kind);
  if (textOf(metadata, ADAPTER_KEYS.type) !== 'adapter' || kind === undefined) {
    throw new GgufError(say('gguf.noAdapter'));
  }
  if (kind !== 'lora') throw new OtherAdapterKind(say('gguf.adapterKind', { kind: quoted(kind) }));
  if (metadata.has(ADAPTER_KEYS.invocation)) throw new OtherAdapterKind(say('gguf.invocation'));
}

function alphaOf({ metadata, floats }: GgufHeader): number {
  const alpha = metadata.get(ADAPTER_KEYS.alpha);
  if (alpha === undefined) return 0;
  if (typeof alpha === 'number' && floats.has(ADAPTER_KEYS.alpha) && Number.isFinite(alpha)) return alpha;
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
