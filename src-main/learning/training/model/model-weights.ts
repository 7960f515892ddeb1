import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { GgufHeader } from '../../../gguf/header.ts';
import { blockReader } from '../../../gguf/weights/dequantise.ts';
import type { Weights } from '../../../gguf/weights/weights.ts';
import { GGUF_NAMES } from '../../formats/base-shape.ts';
import { inPeftOrder } from '../../formats/head-order.ts';
import type { AdapterModule } from '../../formats/lora-adapter.ts';
import { GROUP_NAMES, GROUPS, type Group, moduleSize } from './groups.ts';
import type { ModelShape } from './shape.ts';
import type { LayerWeights, Norm, WeightSource } from './weight-source.ts';

/** What llama.cpp calls the norms of a layer. */
const NORMS: Readonly<Record<Norm, string>> = {
  attention: 'attn_norm',
  feed: 'ffn_norm',
  query: 'attn_q_norm',
  key: 'attn_k_norm',
  afterAttention: 'post_attention_norm',
  afterFeed: 'post_ffw_norm',
};

const EMBEDDINGS = 'token_embd.weight';
const OUTPUT = 'output.weight';
const OUTPUT_NORM = 'output_norm.weight';
const FREQUENCIES = 'rope_freqs.weight';
const BIASED: readonly AdapterModule[] = GROUPS.attentionIn;

/** The weights of a model that can be trained, out of its file. */
export class ModelWeights implements WeightSource {
  readonly #weights: Weights;
  readonly #shape: ModelShape;

  /** @param weights of a file that {@link checkTensors} has found to be of this shape */
  constructor(weights: Weights, shape: ModelShape) {
    this.#weights = weights;
    this.#shape = shape;
  }

  async layer(layer: number): Promise<LayerWeights> {
    const matrices = {} as Record<Group, Float32Array>;
    for (const group of GROUP_NAMES) {
      const parts: Float32Array[] = [];
      for (const module of GROUPS[group]) parts.push(await this.#rows(layer, module, 'weight'));
      matrices[group] = joined(parts);
    }
    const norms: LayerWeights['norms'] = {};
    for (const norm of normsOf(this.#shape)) norms[norm] = await this.#weights.read(name(layer, NORMS[norm], 'weight'));
    if (!this.#shape.biases) return { norms, matrices };
    const biases: Float32Array[] = [];
    for (const module of BIASED) biases.push(await this.#rows(layer, module, 'bias'));
    return { norms, matrices, bias: joined(biases) };
  }

  async embeddings(tokens: readonly number[]): Promise<Float32Array> {
    const rows = await this.#weights.rows(EMBEDDINGS, tokens);
    const scale = Math.fround(this.#shape.embeddingScale);
    if (scale !== 1) for (let at = 0; at < rows.length; at++) rows[at] = (rows[at] as number) * scale;
    return rows;
  }

  async outputRows(from: number, count: number): Promise<Float32Array> {
    return await this.#weights.rowsFrom(this.#shape.tied ? EMBEDDINGS : OUTPUT, from, count);
  }

  async outputNorm(): Promise<Float32Array> {
    return await this.#weights.read(OUTPUT_NORM);
  }

  async frequencyFactors(): Promise<Float32Array | undefined> {
    return this.#weights.info(FREQUENCIES) && (await this.#weights.read(FREQUENCIES));
  }

  async #rows(layer: number, module: AdapterModule, kind: 'weight' | 'bias'): Promise<Float32Array> {
    const values = await this.#weights.read(name(layer, GGUF_NAMES[module], kind));
    const width = kind === 'bias' ? 1 : moduleSize(this.#shape, module).in;
    return inPeftOrder(values, width, this.#pairedHeads(module));
  }

  #pairedHeads(module: AdapterModule): number | undefined {
    const { pairedRows, heads, kvHeads } = this.#shape;
    if (!pairedRows) return undefined;
    return module === 'q_proj' ? heads : module === 'k_proj' ? kvHeads : undefined;
  }
}

function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

const name = (layer: number, what: string, kind: 'weight' | 'bias') => `blk.${layer}.${what}.${kind}`;

function normsOf({ headNorms, postNorms }: ModelShape): Norm[] {
  return [
    ...(['attention', 'feed'] as const),
    ...(headNorms ? (['query', 'key'] as const) : []),
    ...(postNorms ? (['afterAttention', 'afterFeed'] as const) : []),
  ];
}

/**
 * Holds a file to exactly the tensors that its model's shape wants: with one more, or another, llama.cpp would compute something else.
 * @throws UNSUPPORTED; GgufError for types that are not read
 */
export function checkTensors({ tensors }: GgufHeader, shape: ModelShape): void {
  const wanted = wantedTensors(shape);
  const found = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  for (const tensor of tensors) {
    const dimensions = wanted.get(tensor.name);
    if (!dimensions || String(dimensions) !== String(tensor.dimensions)) throw otherTensor(tensor.name);
    blockReader(tensor);
  }
  for (const [wantedName] of wanted) {
    if (!found.has(wantedName) && wantedName !== FREQUENCIES) throw otherTensor(wantedName);
  }
}

/** Names and dimensions, that of a row first. */
function wantedTensors(shape: ModelShape): Map<string, readonly number[]> {
  const { width, vocabulary, headWidth, tied } = shape;
  const wanted = new Map<string, readonly number[]>([
    [EMBEDDINGS, [width, vocabulary]],
    [OUTPUT_NORM, [width]],
    [FREQUENCIES, [headWidth / 2]],
    ...(tied ? [] : [[OUTPUT, [width, vocabulary]] as const]),
  ]);
  for (let layer = 0; layer < shape.layers; layer++) {
    for (const norm of normsOf(shape)) {
      wanted.set(name(layer, NORMS[norm], 'weight'), [norm === 'query' || norm === 'key' ? headWidth : width]);
    }
    for (const module of Object.values(GROUPS).flat()) {
      const size = moduleSize(shape, module);
      wanted.set(name(layer, GGUF_NAMES[module], 'weight'), [size.in, size.out]);
      if (shape.biases && BIASED.includes(module)) wanted.set(name(layer, GGUF_NAMES[module], 'bias'), [size.out]);
    }
  }
  return wanted;
}

function otherTensor(tensor: string): QuarryError {
  const message = say('training.otherTensor', { tensor: tensor.replace(/[^\x20-\x7e]/g, '?') });
  return new QuarryError({ code: 'UNSUPPORTED', message, hint: say('training.otherModel') });
}
