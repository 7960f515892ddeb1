import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { type GgufTensor, type GgufValue, writeGguf } from '../../src-main/gguf/writer.ts';

/** Random models of other kinds than the built-in one: what they say is noise, how they are handled is not. */
const EMBEDDING = 64;
const HEADS = 2;
const HEAD_SIZE = 32;
const FEED_FORWARD = 96;
const LAYERS = 4;
const CONTEXT = 4096;

const TOKEN = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;
type Entry = [text: string, type: keyof typeof TOKEN, score: number];

const string = (value: string): GgufValue => ({ type: 'string', value });
const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
const float32 = (value: number): GgufValue => ({ type: 'float32', value });

/** A SentencePiece vocabulary: spaces as «▁», bytes as «<0x0A>», and a few whole words. */
function sentencePieces(): Entry[] {
  const bytes = Array.from({ length: 256 }, (_, byte): Entry => {
    return [`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 'byte', 0];
  });
  const letters = [...'▁abcdefghijklmnopqrstuvwxyz[]/INST'].map((letter): Entry => [letter, 'normal', -10]);
  const words = ['▁h', '▁he', '▁hel', '▁hell', '▁hello', '▁w', '▁wo', '▁wor', '▁worl', '▁world'];
  const specials: Entry[] = [
    ['<unk>', 'unknown', 0],
    ['<s>', 'control', 0],
    ['</s>', 'control', 0],
  ];
  return [...specials, ...bytes, ...letters, ...words.map((word, rank): Entry => [word, 'normal', -1 - rank])];
}

function metadata(
  architecture: string,
  entries: readonly Entry[],
  more: [string, GgufValue][],
): Map<string, GgufValue> {
  return new Map([
    ['general.architecture', string(architecture)],
    ['general.name', string('noise')],
    [`${architecture}.block_count`, uint32(LAYERS)],
    [`${architecture}.context_length`, uint32(CONTEXT)],
    [`${architecture}.embedding_length`, uint32(EMBEDDING)],
    [`${architecture}.feed_forward_length`, uint32(FEED_FORWARD)],
    [`${architecture}.attention.head_count`, uint32(HEADS)],
    [`${architecture}.attention.head_count_kv`, uint32(HEADS)],
    [`${architecture}.attention.key_length`, uint32(HEAD_SIZE)],
    [`${architecture}.attention.value_length`, uint32(HEAD_SIZE)],
    [`${architecture}.attention.layer_norm_rms_epsilon`, float32(1e-6)],
    [`${architecture}.rope.freq_base`, float32(10_000)],
    [`${architecture}.rope.dimension_count`, uint32(HEAD_SIZE)],
    ['tokenizer.ggml.model', string('llama')],
    ['tokenizer.ggml.pre', string('default')],
    ['tokenizer.ggml.tokens', { type: 'string[]', value: entries.map(([text]) => text) }],
    ['tokenizer.ggml.scores', { type: 'float32[]', value: entries.map(([, , score]) => score) }],
    ['tokenizer.ggml.token_type', { type: 'int32[]', value: entries.map(([, type]) => TOKEN[type]) }],
    ['tokenizer.ggml.bos_token_id', uint32(1)],
    ['tokenizer.ggml.eos_token_id', uint32(2)],
    ['tokenizer.ggml.unknown_token_id', uint32(0)],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: true }],
    ...more,
  ]);
}

function tensors(vocabulary: number, norms: readonly string[]): GgufTensor[] {
  const random = seededRandom(3);
  const matrix = (name: string, columns: number, rows: number): GgufTensor => ({
    name: `${name}.weight`,
    type: 'F32',
    shape: [columns, rows],
    fill: (row) => {
      for (let i = 0; i < row.length; i++) row[i] = random.normal() / Math.sqrt(columns);
    },
  });
  const norm = (name: string): GgufTensor => ({
    name: `${name}.weight`,
    type: 'F32',
    shape: [/_[qk]_norm$/.test(name) ? HEAD_SIZE : EMBEDDING],
    fill: (row) => row.fill(1),
  });
  const layer = (index: number) => [
    ...norms.map((name) => norm(`blk.${index}.${name}`)),
    matrix(`blk.${index}.attn_q`, EMBEDDING, HEADS * HEAD_SIZE),
    matrix(`blk.${index}.attn_k`, EMBEDDING, HEADS * HEAD_SIZE),
    matrix(`blk.${index}.attn_v`, EMBEDDING, HEADS * HEAD_SIZE),
    matrix(`blk.${index}.attn_output`, HEADS * HEAD_SIZE, EMBEDDING),
    matrix(`blk.${index}.ffn_gate`, EMBEDDING, FEED_FORWARD),
    matrix(`blk.${index}.ffn_up`, EMBEDDING, FEED_FORWARD),
    matrix(`blk.${index}.ffn_down`, FEED_FORWARD, EMBEDDING),
  ];
  return [
    matrix('token_embd', EMBEDDING, vocabulary),
    ...Array.from({ length: LAYERS }, (_, index) => layer(index)).flat(),
    norm('output_norm'),
  ];
}

const PLAIN_TEXT =
  "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}[INST] {{ message['content'] }} [/INST]" +
  "{% else %} {{ message['content'] }} </s>{% endif %}{% endfor %}";

/**
 * A llama with a SentencePiece vocabulary and a template of plain text, as Llama 2 had, or another one.
 * @param more `pooling`: how it makes one vector of a text, as its file says where it was trained for that: 1 is the mean
 */
export async function writeSentencePieceModel(
  path: string,
  { pooling, template = PLAIN_TEXT }: { pooling?: number; template?: string } = {},
): Promise<void> {
  const entries = sentencePieces();
  await writeGguf(path, {
    metadata: metadata('llama', entries, [
      ['tokenizer.chat_template', string(template)],
      ...(pooling === undefined ? [] : [['llama.pooling_type', uint32(pooling)] satisfies [string, GgufValue]]),
    ]),
    tensors: tensors(entries.length, ['attn_norm', 'ffn_norm']),
  });
}

/** A gemma 3, whose attention looks back only `window` tokens in most layers. It has no template. */
export async function writeSlidingWindowModel(path: string, window: number): Promise<void> {
  const entries = sentencePieces();
  await writeGguf(path, {
    metadata: metadata('gemma3', entries, [['gemma3.attention.sliding_window', uint32(window)]]),
    tensors: tensors(entries.length, [
      ...['attn_norm', 'attn_q_norm', 'attn_k_norm', 'post_attention_norm', 'ffn_norm', 'post_ffw_norm'],
    ]),
  });
}
