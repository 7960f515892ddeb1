import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import type { GgufHeader } from '../../../gguf/header.ts';
import { numberOf, textOf } from '../../../gguf/metadata.ts';
import { type ModelFacts, modelFacts } from '../../../gguf/model-facts.ts';

/** Architectures whose gradients are known to be right. */
export const TRAINABLE = ['llama', 'qwen2', 'qwen3', 'gemma3'] as const;
export type Trainable = (typeof TRAINABLE)[number];

/** Positions of one layer: the angle of pair `i` at a position is `position × scale × base^(−2i/headWidth)`. */
export interface LayerPositions {
  base: number;
  scale: number;
  /** It looks back over so many tokens, its own included; undefined: over all. */
  window: number | undefined;
}

/** What a transformer of one of the {@link TRAINABLE} architectures computes. */
export interface ModelShape {
  architecture: Trainable;
  layers: number;
  /** Width of the residual stream. */
  width: number;
  heads: number;
  kvHeads: number;
  headWidth: number;
  feedForward: number;
  vocabulary: number;
  contextLength: number;
  /** Added to the mean square in norms. */
  epsilon: number;
  /** What products of queries and keys are multiplied with. */
  attentionScale: number;
  /** What the tokens' embeddings are multiplied with. */
  embeddingScale: number;
  activation: 'silu' | 'gelu';
  /** One for each layer. */
  positions: readonly LayerPositions[];
  /** Queries and keys are normed head by head (qwen3, gemma3). */
  headNorms: boolean;
  /** What attention and feed-forward add is normed before it is added (gemma3). */
  postNorms: boolean;
  /** Queries, keys and values have biases (qwen2; some files of llama). */
  biases: boolean;
  /** The file has the rows of queries and keys in the order in which llama.cpp turns them: pairs beside each other. */
  pairedRows: boolean;
  /** The output matrix is that of the embeddings. */
  tied: boolean;
}

/** gemma3 of 62 layers, the largest, scales by the width of a head as if all were of the stream's (llama.cpp, src/models/gemma3.cpp). */
const LARGEST_GEMMA3 = 62;
const GEMMA3_WINDOWED_BASE = 10_000;

/**
 * The shape of a model that can be trained here.
 * @throws UNSUPPORTED for what this file's model does that is not known here: nothing is trained that would be computed otherwise than by llama.cpp
 */
export function modelShape(header: GgufHeader): ModelShape {
  const facts = modelFacts(header);
  const architecture = trainable(facts);
  const own = (key: string) => numberOf(header.metadata, `${architecture}.${key}`);
  const names = new Set(header.tensors.map(({ name }) => name));
  const headWidth = own('attention.key_length') ?? facts.embedding / facts.heads;
  const gemma = architecture === 'gemma3';
  checkSameEverywhere(header, facts, headWidth);
  return {
    ...{ architecture, headWidth, layers: facts.layers, width: facts.embedding, heads: facts.heads },
    ...{ kvHeads: facts.kvHeads, feedForward: facts.feedForward, vocabulary: facts.vocabulary },
    contextLength: facts.contextLength,
    epsilon: own('attention.layer_norm_rms_epsilon') ?? unsupported('attention.layer_norm_rms_epsilon'),
    attentionScale:
      gemma && facts.layers === LARGEST_GEMMA3 ? Math.sqrt(facts.heads / facts.embedding) : headWidth ** -0.5,
    embeddingScale: gemma ? Math.sqrt(facts.embedding) : 1,
    activation: gemma ? 'gelu' : 'silu',
    positions: positions(header, facts, architecture),
    headNorms: architecture === 'qwen3' || gemma,
    postNorms: gemma,
    biases: names.has('blk.0.attn_q.bias'),
    pairedRows: architecture === 'llama',
    tied: !names.has('output.weight'),
  };
}

function trainable({ architecture, experts }: ModelFacts): Trainable {
  const found = TRAINABLE.find((one) => one === architecture);
  if (!found) {
    throw refusal(say('training.architecture', { architecture, known: TRAINABLE.join(', ') }));
  }
  if (experts > 0) throw refusal(say('training.experts'));
  return found;
}

/** What may differ between layers, or between keys and values, in files that llama.cpp can load. */
function checkSameEverywhere({ metadata }: GgufHeader, facts: ModelFacts, headWidth: number): void {
  const own = (key: string) => `${facts.architecture}.${key}`;
  for (const key of ['attention.head_count', 'attention.head_count_kv', 'feed_forward_length']) {
    const value = metadata.get(own(key));
    if (Array.isArray(value) && new Set(value).size > 1) unsupported(key);
  }
  for (const key of ['attention.value_length', 'attention.key_length', 'rope.dimension_count']) {
    if ((numberOf(metadata, own(key)) ?? headWidth) !== headWidth) unsupported(key);
  }
  for (const key of [
    'attn_logit_softcapping',
    'final_logit_softcapping',
    'attention.clamp_kqv',
    'attention.scale',
    'attention.shared_kv_layers',
  ]) {
    if (numberOf(metadata, own(key))) unsupported(key);
  }
  const whole = Number.isInteger(headWidth) && headWidth % 2 === 0 && Number.isInteger(facts.heads / facts.kvHeads);
  if (!whole) unsupported('attention.head_count');
  if (textOf(metadata, 'general.architecture') !== 'gemma3' && facts.attention.some(({ window }) => window)) {
    unsupported('attention.sliding_window');
  }
}

function positions({ metadata }: GgufHeader, facts: ModelFacts, architecture: Trainable): LayerPositions[] {
  const own = (key: string) => numberOf(metadata, `${architecture}.${key}`);
  const base = own('rope.freq_base') ?? 10_000;
  const scale = stretched(textOf(metadata, `${architecture}.rope.scaling.type`), own('rope.scaling.factor'));
  const windowedBase = own('rope.freq_base_swa') ?? GEMMA3_WINDOWED_BASE;
  return facts.attention.map(({ window }) =>
    window === undefined ? { base, scale, window } : { base: windowedBase, scale: 1, window },
  );
}

/** Only stretched evenly, or not at all; what is stretched unevenly by a table is in the tensor `rope_freqs.weight`. */
function stretched(type: string | undefined, factor: number | undefined): number {
  if (type === undefined || type === 'none') return 1;
  if (type !== 'linear') unsupported('rope.scaling.type');
  return 1 / (factor || 1);
}

function unsupported(key: string): never {
  throw refusal(say('training.unknownWay', { key }));
}

function refusal(message: Words): QuarryError {
  return new QuarryError({ code: 'UNSUPPORTED', message, hint: say('training.otherModel') });
}
