/**
 * Writes resources/tiny.gguf, the model that Quarry starts with when no other is installed: `npm run tiny-model`.
 * The same bytes come out on every machine; resources/README.md says what the model is.
 *
 * Nothing is trained. Every token of a short text gets a vector at right angles to all others, and the output matrix holds
 * the log-probability of one token after another in that text. So `output(embedding(token))` is the distribution of what
 * followed that token. Two transformer layers of small random weights bend it by everything that came before.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../src-main/base/seeded-random.ts';
import { learnMerges, toByteCharacters, vocabulary } from '../src-main/bench/made-models/byte-level-bpe.ts';
import {
  CHATML_SPECIALS,
  type LayerWeight,
  layerWeights,
  type ModelShape,
  shapeMetadata,
} from '../src-main/bench/made-models/model-shape.ts';
import { type GgufTensor, writeGguf } from '../src-main/gguf/writer.ts';

const SHAPE: ModelShape = {
  architecture: 'qwen3',
  name: 'Quarry tiny',
  layers: 2,
  embedding: 256,
  heads: 4,
  kvHeads: 2,
  headSize: 64,
  feedForward: 256,
  contextLength: 4096,
  type: 'Q8_0',
};
const SEED = 7070;
const [, MESSAGE_START, MESSAGE_END] = CHATML_SPECIALS;

/** Logits: a token that always followed (a rarer one has ln P less), one that never did, one that must not come. */
const ALWAYS = 14;
const UNSEEN = 0;
const NEVER = -14;
/** The text has no JSON, but answers may have to be: then what JSON is made of comes before what it may be padded with. */
const JSON_SIGNS = /^[-{}[\]:0-9]$/;
const PADDING = /^[ĠĊĉč]$/;
/** The part of every token's vector that all tokens share; through it the output matrix adds the same logit everywhere. */
const SHARED = 0.25;
/** What attention and feed-forward add to a token's vector of length 1: the context has to matter, the text has to last. */
const ATTENTION_GAIN = 0.8;
const FEED_FORWARD_GAIN = 0.2;
/** Length of queries and keys: with 1, attention would nearly average the tokens before; so it chooses among them. */
const SHARPNESS = 1.6;
/** Part of the sentences after which the answer ends. */
const END_RATE = 0.25;

const SIZE = SHAPE.embedding;
const random = seededRandom(SEED);

const text = readFileSync(join(import.meta.dirname, 'tiny-model-text.txt'), 'utf8');
const sentences = text.split(/(?<=\.)\s+/).filter(Boolean);
const roles = ['system', 'user', 'assistant'];
/** Each sentence as an answer's first one and as a later one. */
const sequences = sentences.flatMap((sentence) => [split(`\n${sentence}`), split(`. ${sentence}`)]);
const words = [...sequences.flat(), ...roles].filter((part) => /\p{L}|^ /u.test(part)).map(toByteCharacters);
const bpe = vocabulary(CHATML_SPECIALS, learnMerges(words));
const idOf = new Map(bpe.tokens.map((token, id) => [token, id]));

/** followers.get(a).get(b): the part of all tokens after `a` that were `b`. */
const followers = followerShares();
/** The tokens that occur; their place in the list names their vector. The vector after the last is the shared one. */
const used = [...followers.keys()];
if (used.length >= SIZE) throw new RangeError(`The text has ${used.length} different tokens, ${SIZE - 1} fit.`);

/** Splits as the `qwen2` pre-tokeniser does, for all that our text contains. Every part becomes one token. */
function split(part: string): string[] {
  return part.match(/ ?\p{L}+| ?[^\s\p{L}]|\n/gu) ?? [];
}

function tokenId(part: string): number {
  const id = idOf.get(part) ?? idOf.get(toByteCharacters(part));
  if (id === undefined) throw new Error(`«${part}» is not one token.`);
  return id;
}

function followerShares(): Map<number, Map<number, number>> {
  const counts = new Map<number, Map<number, number>>();
  const count = (left: string, right: string, times = 1) => {
    const row = counts.get(tokenId(left)) ?? new Map<number, number>();
    row.set(tokenId(right), (row.get(tokenId(right)) ?? 0) + times);
    counts.set(tokenId(left), row);
  };
  for (const parts of sequences) for (const [at, part] of parts.slice(1).entries()) count(parts[at] ?? '', part);
  for (const role of roles) {
    count(MESSAGE_START, role);
    count(role, '\n');
  }
  count('.', MESSAGE_END, (sentences.length * END_RATE) / (1 - END_RATE));
  count(MESSAGE_END, '\n');
  for (const row of counts.values()) {
    const total = [...row.values()].reduce((sum, value) => sum + value, 0);
    for (const [id, value] of row) row.set(id, value / total);
  }
  return counts;
}

/** Row `index` of a Hadamard matrix (Sylvester's), scaled to length 1: exact in any format, and all rows at right angles. */
function direction(index: number, column: number): number {
  let odd = false;
  for (let bits = index & column; bits > 0; bits &= bits - 1) odd = !odd;
  return (odd ? -1 : 1) / Math.sqrt(SIZE);
}

/** A token's own direction and the shared one. A token the text has not stands for one of its words, a little off. */
function fillEmbedding(row: Float32Array, token: number): void {
  const known = used.indexOf(token);
  const standsFor = known >= 0 ? known : Math.floor(random.uniform() * used.length);
  const noise = known >= 0 ? 0 : 0.5 / Math.sqrt(SIZE);
  for (let column = 0; column < SIZE; column++) {
    const own = direction(standsFor, column) + (noise && noise * random.normal());
    row[column] = Math.sqrt(1 - SHARED ** 2) * own + SHARED * direction(used.length, column);
  }
}

/** The norm before the output makes vectors √SIZE long; this row turns them into the logit of `token`. */
function fillOutput(row: Float32Array, token: number): void {
  const own = 1 / Math.sqrt(SIZE * (1 - SHARED ** 2));
  const shared = 1 / (Math.sqrt(SIZE) * SHARED);
  const base = baseLogit(token);
  for (let column = 0; column < SIZE; column++) row[column] = base * shared * direction(used.length, column);
  used.forEach((before, index) => {
    const share = followers.get(before)?.get(token);
    if (share === undefined) return;
    const logit = ALWAYS + Math.log(share) - base;
    for (let column = 0; column < SIZE; column++)
      row[column] = (row[column] ?? 0) + logit * own * direction(index, column);
  });
}

/** The logit of a token wherever the text says nothing about it. */
function baseLogit(token: number): number {
  const text = bpe.tokens[token] ?? '';
  if (PADDING.test(text)) return 2 * NEVER;
  if (JSON_SIGNS.test(text)) return UNSEEN;
  const occurs = [...followers.values()].some((shares) => shares.has(token));
  return occurs && text !== MESSAGE_START ? UNSEEN : NEVER;
}

function layerTensor({ name, columns, rows, kind }: LayerWeight): GgufTensor {
  if (kind === 'norm') {
    const size = /attn_[qk]_norm/.test(name) ? SHARPNESS : 1;
    return { name, type: 'F32', shape: [columns], fill: (row) => row.fill(size) };
  }
  const size = matrixSize(name, columns);
  const fill = (row: Float32Array) => {
    for (let column = 0; column < columns; column++) row[column] = size * random.normal();
  };
  return { name, type: SHAPE.type, shape: [columns, rows], fill };
}

/** Size of one weight such that the layer's inner values are near 1 and what it adds has the wanted length. */
function matrixSize(name: string, columns: number): number {
  if (name.includes('attn_output')) return ATTENTION_GAIN / Math.sqrt(columns * SIZE);
  if (name.includes('ffn_down')) return FEED_FORWARD_GAIN / Math.sqrt(columns * SIZE);
  return 1 / Math.sqrt(columns);
}

const target = process.argv[2] ?? join(import.meta.dirname, '..', 'resources', 'tiny.gguf');
const layers = Array.from({ length: SHAPE.layers }, (_, index) => layerWeights(SHAPE, index)).flat();
const bytes = await writeGguf(target, {
  metadata: shapeMetadata(SHAPE, bpe),
  tensors: [
    { name: 'token_embd.weight', type: SHAPE.type, shape: [SIZE, bpe.tokens.length], fill: fillEmbedding },
    ...layers.map(layerTensor),
    { name: 'output_norm.weight', type: 'F32', shape: [SIZE], fill: (row) => row.fill(1) },
    { name: 'output.weight', type: SHAPE.type, shape: [SIZE, bpe.tokens.length], fill: fillOutput },
  ],
});
console.log(`${target}: ${bytes} bytes, ${bpe.tokens.length} tokens, ${used.length} of them in the text`);
