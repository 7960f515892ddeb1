import type { GgufTensorType, GgufValue } from '../../gguf/writer.ts';
import type { BpeVocabulary } from './byte-level-bpe.ts';

/** What decides how large a transformer is and how long a token takes, whatever its weights are. */
export interface ModelShape {
  architecture: 'llama' | 'qwen3';
  /** Shown as the model's name. */
  name: string;
  layers: number;
  /** Width of the residual stream. A multiple of 32. */
  embedding: number;
  heads: number;
  /** Heads that keep keys and values; divides `heads`. */
  kvHeads: number;
  /** Width of one head. */
  headSize: number;
  /** Width of the feed-forward layer. A multiple of 32. */
  feedForward: number;
  /** Most tokens in one context. */
  contextLength: number;
  /** Type of every matrix; norms are F32. */
  type: GgufTensorType;
}

/** A weight of one layer, by what it does; rows are its outputs, columns its inputs. */
export interface LayerWeight {
  name: string;
  columns: number;
  /** 1 for a norm. */
  rows: number;
  kind: 'norm' | 'matrix';
}

/** The weights of layer `index`, under llama.cpp's names. */
export function layerWeights(shape: ModelShape, index: number): LayerWeight[] {
  const { architecture, embedding, heads, kvHeads, headSize, feedForward } = shape;
  const norm = (name: string, columns: number): LayerWeight => weight(index, name, columns, 1, 'norm');
  const matrix = (name: string, columns: number, rows: number) => weight(index, name, columns, rows, 'matrix');
  return [
    norm('attn_norm', embedding),
    matrix('attn_q', embedding, heads * headSize),
    matrix('attn_k', embedding, kvHeads * headSize),
    matrix('attn_v', embedding, kvHeads * headSize),
    matrix('attn_output', heads * headSize, embedding),
    ...(architecture === 'qwen3' ? [norm('attn_q_norm', headSize), norm('attn_k_norm', headSize)] : []),
    norm('ffn_norm', embedding),
    matrix('ffn_gate', embedding, feedForward),
    matrix('ffn_up', embedding, feedForward),
    matrix('ffn_down', feedForward, embedding),
  ];
}

function weight(layer: number, name: string, columns: number, rows: number, kind: LayerWeight['kind']): LayerWeight {
  return { name: `blk.${layer}.${name}.weight`, columns, rows, kind };
}

/** ChatML: what Qwen and SmolLM use, and what our own small models are told to. */
export const CHATML_SPECIALS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const;

const CHATML_TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const FILE_TYPE = { F32: 0, F16: 1, Q8_0: 7 } as const;
const TOKEN_TYPE = { normal: 1, control: 3 } as const;

/** Metadata that llama.cpp needs to load a model of this shape and vocabulary. The vocabulary has the ChatML specials. */
export function shapeMetadata(shape: ModelShape, vocabulary: BpeVocabulary): Map<string, GgufValue> {
  const { architecture } = shape;
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  const float32 = (value: number): GgufValue => ({ type: 'float32', value });
  return new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: architecture }],
    ['general.type', { type: 'string', value: 'model' }],
    ['general.name', { type: 'string', value: shape.name }],
    ['general.license', { type: 'string', value: 'mit' }],
    ['general.file_type', uint32(FILE_TYPE[shape.type])],
    ['general.quantization_version', uint32(2)],
    [`${architecture}.block_count`, uint32(shape.layers)],
    [`${architecture}.context_length`, uint32(shape.contextLength)],
    [`${architecture}.embedding_length`, uint32(shape.embedding)],
    [`${architecture}.feed_forward_length`, uint32(shape.feedForward)],
    [`${architecture}.attention.head_count`, uint32(shape.heads)],
    [`${architecture}.attention.head_count_kv`, uint32(shape.kvHeads)],
    [`${architecture}.attention.key_length`, uint32(shape.headSize)],
    [`${architecture}.attention.value_length`, uint32(shape.headSize)],
    [`${architecture}.attention.layer_norm_rms_epsilon`, float32(1e-6)],
    [`${architecture}.rope.freq_base`, float32(10_000)],
    [`${architecture}.rope.dimension_count`, uint32(shape.headSize)],
    [`${architecture}.vocab_size`, uint32(vocabulary.tokens.length)],
    ...tokenizerMetadata(vocabulary),
  ]);
}

function tokenizerMetadata({ tokens, merges, specials }: BpeVocabulary): [string, GgufValue][] {
  const types = tokens.map((token) => (specials.includes(token) ? TOKEN_TYPE.control : TOKEN_TYPE.normal));
  const id = (token: (typeof CHATML_SPECIALS)[number]): GgufValue => ({ type: 'uint32', value: tokens.indexOf(token) });
  return [
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2' }],
    ['tokenizer.ggml.pre', { type: 'string', value: 'qwen2' }],
    ['tokenizer.ggml.tokens', { type: 'string[]', value: tokens }],
    ['tokenizer.ggml.token_type', { type: 'int32[]', value: types }],
    ['tokenizer.ggml.merges', { type: 'string[]', value: merges }],
    ['tokenizer.ggml.bos_token_id', id('<|endoftext|>')],
    ['tokenizer.ggml.eos_token_id', id('<|im_end|>')],
    ['tokenizer.ggml.eot_token_id', id('<|im_end|>')],
    ['tokenizer.ggml.padding_token_id', id('<|endoftext|>')],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', { type: 'string', value: CHATML_TEMPLATE }],
  ];
}
