import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OnnxFile, type OnnxTensor } from './onnx-file.ts';

/** What of a model is written. */
export type WhisperPart = 'encoder' | 'decoder' | 'tokens';

type Weights = ReadonlyMap<string, OnnxTensor>;

/** Whisper tiny, English only. */
const SHAPE = { width: 384, heads: 6, head: 64, layers: 4, mels: 80, frames: 1_500, text: 448, vocabulary: 51_864 };
const EPSILON = 1e-5;

/** As sherpa-onnx looks for it: what the tokens mean that are none of a text. */
const METADATA = {
  ...{ model_type: 'whisper-tiny.en', version: 1, maintainer: 'k2-fsa' },
  ...{ n_mels: SHAPE.mels, n_audio_ctx: SHAPE.frames, n_audio_state: SHAPE.width, n_audio_head: SHAPE.heads },
  ...{ n_audio_layer: SHAPE.layers, n_vocab: SHAPE.vocabulary, n_text_ctx: SHAPE.text, n_text_state: SHAPE.width },
  ...{ n_text_head: SHAPE.heads, n_text_layer: SHAPE.layers },
  ...{ sot: 50_257, sot_sequence: '50257', sot_index: 0, eot: 50_256, blank_id: 220, is_multilingual: 0 },
  ...{ translate: 50_357, transcribe: 50_358, sot_lm: 50_359, sot_prev: 50_360, no_speech: 50_361 },
  ...{ no_timestamps: 50_362, non_speech_tokens: '', all_language_tokens: '', all_language_codes: '' },
};

/**
 * Whisper tiny as sherpa-onnx reads it, of the same in CTranslate2's form (numbers of 16 bits).
 * @param folder with `model.bin` and `tokenizer.json`
 */
export async function writeWhisperPart(folder: string, part: WhisperPart, target: string): Promise<void> {
  if (part === 'tokens')
    return await writeFile(target, tokensOf(await readFile(join(folder, 'tokenizer.json'), 'utf8')));
  const weights = readWeights(await readFile(join(folder, 'model.bin')));
  await writeFile(target, part === 'encoder' ? encoder(weights) : decoder(weights));
}

/** CTranslate2's file: a name, a shape and numbers for each; type 4 are those of 16 bits. */
function readWeights(file: Buffer): Weights {
  let at = 4;
  const text = () => {
    const length = file.readUInt16LE(at);
    at += 2 + length;
    return file.toString('utf8', at - length, at - 1);
  };
  const number = () => {
    at += 4;
    return file.readUInt32LE(at - 4);
  };
  text();
  number();
  const weights = new Map<string, OnnxTensor>();
  for (let left = number(); left > 0; left--) {
    const name = text();
    const dims = Array.from({ length: file.readUInt8(at++) }, number);
    const type = file.readUInt8(at++);
    const length = number();
    if (type === 4) weights.set(name, { dims, type: 'float16', bytes: file.subarray(at, at + length) });
    at += length;
  }
  return weights;
}

/** A graph with Whisper's parts. */
class Whisper {
  readonly onnx = new OnnxFile();
  readonly #weights: Weights;

  constructor(weights: Weights) {
    this.#weights = weights;
  }

  /** As it is in the file, and as numbers of 32 bits. */
  raw(name: string): string {
    const weight = this.#weights.get(name);
    if (!weight) throw new Error(`${name} is not there.`);
    return this.onnx.tensor(weight);
  }

  weight = (name: string): string => this.onnx.add('Cast', [this.raw(name)], { to: 1 });

  linear(value: string, name: string): string {
    const turned = this.onnx.add('Transpose', [this.weight(`${name}/weight`)], { perm: [1, 0] });
    return this.onnx.add('Add', [this.onnx.add('MatMul', [value, turned]), this.weight(`${name}/bias`)]);
  }

  normed(value: string, name: string): string {
    const { onnx } = this;
    const mean = onnx.add('ReduceMean', [value], { axes: [-1] });
    const apart = onnx.add('Sub', [value, mean]);
    const variance = onnx.add('ReduceMean', [onnx.add('Mul', [apart, apart])], { axes: [-1] });
    const deviation = onnx.add('Sqrt', [onnx.add('Add', [variance, onnx.floats([EPSILON])])]);
    const even = onnx.add('Div', [apart, deviation]);
    return onnx.add('Add', [onnx.add('Mul', [even, this.weight(`${name}/gamma`)]), this.weight(`${name}/beta`)]);
  }

  gelu(value: string): string {
    const { onnx } = this;
    const error = onnx.add('Erf', [onnx.add('Mul', [value, onnx.floats([Math.SQRT1_2])])]);
    const half = onnx.add('Mul', [value, onnx.floats([0.5])]);
    return onnx.add('Mul', [half, onnx.add('Add', [error, onnx.floats([1])])]);
  }

  conv(value: string, name: string, stride: number): string {
    const weights = [this.weight(`${name}/weight`), this.weight(`${name}/bias`)];
    return this.gelu(this.onnx.add('Conv', [value, ...weights], { strides: [stride], pads: [1, 1] }));
  }

  /** @param mask added to how much each looks at each */
  attention(query: string, key: string, value: string, mask?: string): string {
    const { onnx } = this;
    const heads = (of: string, perm: number[]) =>
      onnx.add('Transpose', [onnx.add('Reshape', [of, onnx.ints(0, 0, SHAPE.heads, SHAPE.head)])], { perm });
    const scaled = onnx.add('Mul', [heads(query, [0, 2, 1, 3]), onnx.floats([SHAPE.head ** -0.5])]);
    const scores = onnx.add('MatMul', [scaled, heads(key, [0, 2, 3, 1])]);
    const shares = onnx.add('Softmax', [mask ? onnx.add('Add', [scores, mask]) : scores], { axis: -1 });
    const seen = onnx.add('Transpose', [onnx.add('MatMul', [shares, heads(value, [0, 2, 1, 3])])], {
      perm: [0, 2, 1, 3],
    });
    return onnx.add('Reshape', [seen, onnx.ints(0, 0, SHAPE.width)]);
  }

  feedForward(value: string, name: string): string {
    const inner = this.gelu(this.linear(this.normed(value, `${name}/layer_norm`), `${name}/linear_0`));
    return this.onnx.add('Add', [value, this.linear(inner, `${name}/linear_1`)]);
  }

  /** As many in one: of one layer each. */
  stacked(values: readonly string[]): string {
    const single = values.map((value) => this.onnx.add('Unsqueeze', [value, this.onnx.ints(0)]));
    return this.onnx.add('Concat', single, { axis: 0 });
  }

  slice(value: string, from: string, to: string, axis: number): string {
    return this.onnx.add('Slice', [value, from, to, this.onnx.ints(axis)]);
  }

  lengthOf(value: string, axis: number): string {
    return this.onnx.add('Gather', [this.onnx.add('Shape', [value]), this.onnx.ints(axis)]);
  }
}

/** Reads half a minute: what the decoder looks at, a key and a value for each of its layers. */
function encoder(weights: Weights): Buffer {
  const whisper = new Whisper(weights);
  const { onnx } = whisper;
  const mel = onnx.input('mel', 'float', ['batch', SHAPE.mels, 'frames']);
  const heard = whisper.conv(whisper.conv(mel, 'encoder/conv1', 1), 'encoder/conv2', 2);
  const rows = onnx.add('Transpose', [heard], { perm: [0, 2, 1] });
  const places = whisper.weight('encoder/position_encodings/encodings');
  let value = onnx.add('Add', [rows, whisper.slice(places, onnx.ints(0), whisper.lengthOf(rows, 1), 0)]);
  for (let layer = 0; layer < SHAPE.layers; layer++) {
    const name = `encoder/layer_${layer}/self_attention`;
    const all = whisper.linear(whisper.normed(value, `${name}/layer_norm`), `${name}/linear_0`);
    const [query, key, own] = onnx.split('Split', [all], 3, { axis: -1 }) as [string, string, string];
    value = onnx.add('Add', [value, whisper.linear(whisper.attention(query, key, own), `${name}/linear_1`)]);
    value = whisper.feedForward(value, `encoder/layer_${layer}/ffn`);
  }
  value = whisper.normed(value, 'encoder/layer_norm');
  const [keys, values]: [string[], string[]] = [[], []];
  for (let layer = 0; layer < SHAPE.layers; layer++) {
    const both = whisper.linear(value, `decoder/layer_${layer}/attention/linear_1`);
    const [key, own] = onnx.split('Split', [both], 2, { axis: -1 }) as [string, string];
    keys.push(key);
    values.push(own);
  }
  const dims = [SHAPE.layers, 'batch', 'heard', SHAPE.width];
  onnx.output('n_layer_cross_k', whisper.stacked(keys), dims);
  onnx.output('n_layer_cross_v', whisper.stacked(values), dims);
  return onnx.bytes(METADATA);
}

/** Writes the next word: it is given what it has looked at before, and gives it back with what is new. */
function decoder(weights: Weights): Buffer {
  const whisper = new Whisper(weights);
  const { onnx } = whisper;
  const tokens = onnx.input('tokens', 'int64', ['batch', 'tokens']);
  const kept = [SHAPE.layers, 'batch', SHAPE.text, SHAPE.width];
  const heard = [SHAPE.layers, 'batch', 'heard', SHAPE.width];
  const [keptKeys, keptValues] = ['in_n_layer_self_k_cache', 'in_n_layer_self_v_cache'].map((name) =>
    onnx.input(name, 'float', kept),
  ) as [string, string];
  const [heardKeys, heardValues] = ['n_layer_cross_k', 'n_layer_cross_v'].map((name) =>
    onnx.input(name, 'float', heard),
  ) as [string, string];
  const offset = onnx.input('offset', 'int64', [1]);
  const end = onnx.add('Add', [offset, whisper.lengthOf(tokens, 1)]);
  const mask = causal(whisper, offset, end);
  const embeddings = whisper.raw('decoder/embeddings/weight');
  const words = onnx.add('Cast', [onnx.add('Gather', [embeddings, tokens])], { to: 1 });
  const places = whisper.weight('decoder/position_encodings/encodings');
  let value = onnx.add('Add', [words, whisper.slice(places, offset, end, 0)]);
  const [keys, values]: [string[], string[]] = [[], []];
  for (let layer = 0; layer < SHAPE.layers; layer++) {
    const of = (all: string) => onnx.add('Gather', [all, onnx.int(layer)], { axis: 0 });
    const own = `decoder/layer_${layer}/self_attention`;
    const all = whisper.linear(whisper.normed(value, `${own}/layer_norm`), `${own}/linear_0`);
    const [query, newKey, newValue] = onnx.split('Split', [all], 3, { axis: -1 }) as [string, string, string];
    const key = withNew(whisper, of(keptKeys), newKey, offset, end);
    const other = withNew(whisper, of(keptValues), newValue, offset, end);
    keys.push(key);
    values.push(other);
    const begin = onnx.ints(0);
    const looked = whisper.attention(
      query,
      whisper.slice(key, begin, end, 1),
      whisper.slice(other, begin, end, 1),
      mask,
    );
    value = onnx.add('Add', [value, whisper.linear(looked, `${own}/linear_1`)]);
    const cross = `decoder/layer_${layer}/attention`;
    const asked = whisper.linear(whisper.normed(value, `${cross}/layer_norm`), `${cross}/linear_0`);
    const listened = whisper.attention(asked, of(heardKeys), of(heardValues));
    value = onnx.add('Add', [value, whisper.linear(listened, `${cross}/linear_2`)]);
    value = whisper.feedForward(value, `decoder/layer_${layer}/ffn`);
  }
  const turned = onnx.add('Transpose', [onnx.add('Cast', [embeddings], { to: 1 })], { perm: [1, 0] });
  const logits = onnx.add('MatMul', [whisper.normed(value, 'decoder/layer_norm'), turned]);
  onnx.output('logits', logits, ['batch', 'tokens', SHAPE.vocabulary]);
  onnx.output('out_n_layer_self_k_cache', whisper.stacked(keys), kept);
  onnx.output('out_n_layer_self_v_cache', whisper.stacked(values), kept);
  return onnx.bytes(METADATA);
}

/** What was kept, with what is new from `offset` on. */
function withNew(whisper: Whisper, kept: string, added: string, offset: string, end: string): string {
  const { onnx } = whisper;
  const before = whisper.slice(kept, onnx.ints(0), offset, 1);
  const behind = whisper.slice(kept, end, onnx.ints(SHAPE.text), 1);
  return onnx.add('Concat', [before, added, behind], { axis: 1 });
}

/** Nobody looks at what comes behind. */
function causal(whisper: Whisper, offset: string, end: string): string {
  const { onnx } = whisper;
  const alone = (value: string) => onnx.add('Squeeze', [value, onnx.ints(0)]);
  const columns = onnx.add('Range', [onnx.int(0), alone(end), onnx.int(1)]);
  const rows = onnx.add('Unsqueeze', [onnx.add('Range', [alone(offset), alone(end), onnx.int(1)]), onnx.ints(1)]);
  return onnx.add('Where', [onnx.add('Greater', [columns, rows]), onnx.floats([-1e9]), onnx.floats([0])]);
}

/** A line for each token: its bytes as base64, and its number. */
function tokensOf(tokenizer: string): string {
  const { model } = JSON.parse(tokenizer) as { model: { vocab: Record<string, number> } };
  const bytes = new Map(byteCharacters().map((character, byte) => [character, byte]));
  return Object.entries(model.vocab)
    .filter(([, id]) => id < METADATA.eot)
    .sort(([, a], [, b]) => a - b)
    .map(
      ([token, id]) =>
        `${Buffer.from([...token].map((character) => bytes.get(character) ?? 0)).toString('base64')} ${id}\n`,
    )
    .join('');
}

/** The character that stands for each byte in GPT-2's tokens: itself where it can be seen, else one beyond 255. */
function byteCharacters(): string[] {
  let next = 256;
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : next++));
}
