import { say } from '../../src-preload/contract/saying.ts';
import { GgufError, quoted } from './gguf-error.ts';
import type { GgufHeader } from './header.ts';
import { hasText, lengthOf, type Metadata, MetadataReader, textOf } from './metadata.ts';
import type { TensorInfo } from './tensors.ts';
import { fileTypeName } from './types.ts';

/** What the attention of one layer keeps of every token, in values of the cache. */
export interface LayerAttention {
  /** Keys and values together; 0 for a layer without attention, or one that uses another’s. */
  cachedValues: number;
  /** It looks back only as many tokens; undefined: over the whole context. */
  window?: number;
}

/** What a model is, as far as its file’s metadata says. */
export interface ModelFacts {
  architecture: string;
  /** As the file calls it. */
  name?: string;
  parameters: number;
  layers: number;
  /** Width of the residual stream. */
  embedding: number;
  /** The most of all layers; 0 for a model without attention. */
  heads: number;
  /** Heads that keep keys and values, the most of all layers. */
  kvHeads: number;
  /** Width of all heads’ queries together. */
  queryWidth: number;
  /** One for each layer. */
  attention: readonly LayerAttention[];
  /** The widest of all layers; 0 where the file does not say. */
  feedForward: number;
  vocabulary: number;
  /** Tokens of context that it was trained for. */
  contextLength: number;
  /** The same before its file scales positions itself; else {@link contextLength}. */
  originalContext: number;
  /** Its positions are rotations of keys and queries (RoPE) and nothing else, so that they can be scaled. */
  hasRope: boolean;
  /** Keys and values of each head are whole blocks of {@link CACHE_BLOCK}, so that the cache can be quantised. */
  hasWholeBlocks: boolean;
  /** 0 for a dense model. */
  experts: number;
  /** Of them, how many compute each token. */
  expertsUsed: number;
  /** As in «Q4_K_M»; that of the largest tensors where the file does not say. */
  quantisation: string;
  chatTemplate: boolean;
  /** It reads a text as a whole and writes none: no cache, and no logits. */
  encoder: boolean;
  /** Made for embeddings and not for answers. */
  embeddingModel: boolean;
}

/** Values that are quantised together: QK8_0 and QK4_0 of llama.cpp. */
const CACHE_BLOCK = 32;
const MOST_LAYERS = 1_024;
const MOST_WIDTH = 1 << 20;
const MOST_TOKENS = 1 << 28;
const MOST_HEADS = 1 << 16;
/** Architectures for which llama.cpp makes no memory (`llama_model::create_memory`). */
const ENCODERS = /bert|^gemma-embedding$|^t5encoder$/;
const ARCHITECTURE = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/**
 * Facts of any architecture, by the keys that all of them share.
 * @throws GgufError when one is missing or not a sane number, or the file is not a whole model
 */
export function modelFacts(header: GgufHeader): ModelFacts {
  const { metadata, tensors } = header;
  const architecture = textOf(metadata, 'general.architecture');
  if (architecture === undefined) throw new GgufError(say('gguf.noArchitecture'));
  if (!ARCHITECTURE.test(architecture))
    throw new GgufError(say('gguf.architecture', { architecture: quoted(architecture) }));
  const own = new MetadataReader(metadata, architecture);
  checkIsModel(header);
  const layers = own.count('block_count', MOST_LAYERS);
  const embedding = own.count('embedding_length', MOST_WIDTH);
  const name = textOf(metadata, 'general.name');
  const heads = own.perLayer('attention.head_count', layers, MOST_HEADS) ?? new Array<number>(layers).fill(0);
  const kvHeads = own.perLayer('attention.head_count_kv', layers, MOST_HEADS) ?? heads;
  const mostHeads = Math.max(...heads);
  const encoder = ENCODERS.test(architecture);
  const contextLength = own.count('context_length', MOST_TOKENS);
  return {
    architecture,
    ...(name !== undefined && { name }),
    parameters: tensors.reduce((sum, tensor) => sum + valuesOf(tensor), 0),
    layers,
    embedding,
    heads: mostHeads,
    kvHeads: Math.max(...kvHeads),
    queryWidth: mostHeads * (own.optional('attention.key_length', MOST_WIDTH) ?? embedding / Math.max(1, mostHeads)),
    attention: attention(own, architecture, { heads, kvHeads, embedding }),
    feedForward: feedForward(own, layers),
    vocabulary: vocabularySize(header),
    contextLength,
    originalContext: own.optional('rope.scaling.original_context_length', MOST_TOKENS) || contextLength,
    hasRope: !encoder && own.hasAny('rope.') && !tensors.some(({ name }) => name.startsWith('position_embd.')),
    hasWholeBlocks: hasWholeBlocks(own, heads, embedding),
    experts: own.optional('expert_count', MOST_HEADS) ?? 0,
    expertsUsed: own.optional('expert_used_count', MOST_HEADS) ?? 0,
    quantisation: quantisation(header),
    chatTemplate: hasText(metadata, 'tokenizer.chat_template'),
    encoder,
    embeddingModel: makesEmbeddings(metadata, architecture),
  };
}

/** Whether the model was made for embeddings: it has no decoder, or pools what it has read into one vector. */
export function makesEmbeddings(metadata: Metadata, architecture: string): boolean {
  const pooling = metadata.get(`${architecture}.pooling_type`);
  return ENCODERS.test(architecture) || (typeof pooling === 'number' && pooling > 0);
}

/** A file may also be an adapter, a projector for images, or one of several pieces. */
function checkIsModel({ metadata }: GgufHeader): void {
  const type = textOf(metadata, 'general.type') ?? 'model';
  if (type !== 'model') throw new GgufError(say('gguf.noModel', { type: quoted(type) }));
  const pieces = metadata.get('split.count');
  if (typeof pieces === 'number' && pieces > 1) {
    throw new GgufError(say('gguf.piece', { pieces }));
  }
}

interface Heads {
  /** One for each layer. */
  heads: readonly number[];
  kvHeads: readonly number[];
  embedding: number;
}

function attention(own: MetadataReader, architecture: string, { heads, kvHeads, embedding }: Heads): LayerAttention[] {
  const windows = windowedLayers(own, architecture, heads.length);
  const shared = own.optional('attention.shared_kv_layers', MOST_LAYERS) ?? 0;
  const caches = (layer: number) => !ENCODERS.test(architecture) && layer < heads.length - shared;
  return heads.map((headCount, layer) => {
    const window = windows[layer];
    const width = headCount === 0 ? 0 : headWidth(own, embedding / headCount, window !== undefined);
    const cachedValues = caches(layer) ? (kvHeads[layer] ?? 0) * width : 0;
    return { cachedValues, ...(window !== undefined && { window }) };
  });
}

/** Key and value of one head. With latent attention (MLA) only the compressed key is kept. */
function headWidth(own: MetadataReader, standard: number, windowed: boolean): number {
  const { key, value } = headWidths(own, standard, windowed);
  return own.has('attention.key_length_mla') ? key : key + value;
}

function headWidths(own: MetadataReader, standard: number, windowed: boolean): { key: number; value: number } {
  const length = (key: string): number | undefined => {
    const swa = windowed ? own.optional(`attention.${key}_swa`, MOST_WIDTH) : undefined;
    return swa ?? own.optional(`attention.${key}`, MOST_WIDTH);
  };
  return { key: length('key_length') ?? standard, value: length('value_length') ?? standard };
}

/** llama.cpp makes no context otherwise (`llama_init_from_model`). */
function hasWholeBlocks(own: MetadataReader, heads: readonly number[], embedding: number): boolean {
  const standards = [...new Set(heads.filter((count) => count > 0))].map((count) => embedding / count);
  return standards.every((standard) =>
    [true, false].every((windowed) => {
      const { key, value } = headWidths(own, standard, windowed);
      return key % CACHE_BLOCK === 0 && value % CACHE_BLOCK === 0;
    }),
  );
}

/** Of a mixture of experts, what all that compute one token have together. */
function feedForward(own: MetadataReader, layers: number): number {
  const dense = own.perLayer('feed_forward_length', layers, MOST_WIDTH) ?? [];
  const expert = own.perLayer('expert_feed_forward_length', layers, MOST_WIDTH) ?? [];
  const used = own.optional('expert_used_count', MOST_HEADS) ?? 0;
  return Math.max(0, ...dense, ...expert.map((width) => width * used));
}

/** How many tokens a model knows. @throws GgufError when the file claims far too many */
export function vocabularySize({ metadata, tensors }: GgufHeader): number {
  const own = new MetadataReader(metadata, textOf(metadata, 'general.architecture') ?? '');
  const listed = lengthOf(metadata, 'tokenizer.ggml.tokens') ?? own.optional('vocab_size', MOST_TOKENS) ?? 0;
  const table = tensors.find(({ name }) => name === 'token_embd.weight');
  const size = table?.dimensions[1] ?? listed;
  if (size > MOST_TOKENS || listed > MOST_TOKENS) throw new GgufError(say('gguf.vocabulary'));
  return size;
}

function quantisation({ metadata, tensors }: GgufHeader): string {
  const fileType = metadata.get('general.file_type');
  const known = typeof fileType === 'number' ? fileTypeName(fileType) : undefined;
  return known ?? commonestType(tensors);
}

function commonestType(tensors: readonly TensorInfo[]): string {
  const bytes = new Map<string, number>();
  for (const tensor of tensors) bytes.set(tensor.type, (bytes.get(tensor.type) ?? 0) + tensor.bytes);
  const [first = ''] = [...bytes].sort((a, b) => b[1] - a[1]).map(([type]) => type);
  return first;
}

function valuesOf({ dimensions }: TensorInfo): number {
  return dimensions.reduce((product, length) => product * length, 1);
}

/**
 * In how many layers one looks over the whole context, where the file does not say: the last of each so many. From
 * llama.cpp’s `load_swa_pattern` calls (src/models/*.cpp). Of an architecture that is not here every layer is taken to
 * keep the whole context, which can only be too much.
 */
const PERIODS = new Map([
  ['cohere2', 4],
  ['gemma2', 2],
  ['gemma3', 6],
  ['gemma3n', 5],
  ['gemma-embedding', 6],
  ['gpt-oss', 2],
]);

const MOST_WINDOW = 1 << 28;

/** For each layer, how many tokens it looks back; undefined where it looks over the whole context. */
function windowedLayers(own: MetadataReader, architecture: string, layers: number): (number | undefined)[] {
  const window = own.optional('attention.sliding_window', MOST_WINDOW) ?? 0;
  const isWindowed = window > 0 ? pattern(own, architecture, layers) : () => false;
  return Array.from({ length: layers }, (_, layer) => (isWindowed(layer) ? window : undefined));
}

function pattern(own: MetadataReader, architecture: string, layers: number): (layer: number) => boolean {
  const key = 'attention.sliding_window_pattern';
  if (own.isArray(key)) {
    const flags = own.perLayer(key, layers, 1) ?? [];
    return (layer) => flags[layer] === 1;
  }
  const period = own.optional(key, layers) ?? PERIODS.get(architecture) ?? 1;
  return (layer) => period > 1 && layer % period < period - 1;
}
