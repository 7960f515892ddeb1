import { createHash } from 'node:crypto';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { MAX_TEACHER_TOP } from '../../../../src-preload/contract/learning-numbers.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { Slices } from '../../../base/slices.ts';
import type { TrainingSample } from '../trainer.ts';
import { LEAST_LOGPROB, MOST_LOGPROB, MOST_SAMPLES_BYTES, MOST_TOKEN } from './limits.ts';
import { Nonsense } from './nonsense.ts';

/*
 * Samples as bytes, little endian; numbers of 32 bits without sign but for log-probabilities, which have 64: how many samples; of each how many tokens
 * its prompt and its response have, and whether `old` (1) and `base` (2) are there; these tokens; for each of the response how many likeliest there are, their
 * tokens and log-probabilities; `old` and `base`.
 */

const OLD = 1;
const BASE = 2;
const HASHED_AT_ONCE = 1 << 20;

/** What samples may be that somebody else has written: without bounds, a few bytes a token become many times as much memory. */
export interface SampleBounds {
  /** How many. */
  samples: number;
  /** Tokens of one, prompt and response together. */
  tokens: number;
  /** Whether the teacher says of each token which are likeliest, so that something can be learnt from it; otherwise it says nothing of any. */
  isTold: boolean;
}

/** Bytes that no samples within these bounds exceed. */
export function mostBytes({ samples, tokens, isTold }: SampleBounds): number {
  const top = 4 + (isTold ? 12 * MAX_TEACHER_TOP : 0);
  return Math.min(MOST_SAMPLES_BYTES, 4 + samples * (12 + tokens * (4 + top + 2 * 8)));
}

/** @param mostBytes default: as many as a step may have @throws BAD_REQUEST for more */
export async function samplesToBytes(
  samples: readonly TrainingSample[],
  mostBytes = MOST_SAMPLES_BYTES,
): Promise<Buffer> {
  const size = samples.reduce((sum, sample) => sum + sizeOf(sample), 4);
  if (size > mostBytes) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('remoteTraining.tooMuch') });
  }
  const writer = new Writer(Buffer.alloc(size));
  const slices = new Slices();
  writer.whole([samples.length]);
  for (const { prompt, response, teacher, old, base } of samples) {
    writer.whole([prompt.length, response.length, (old ? OLD : 0) | (base ? BASE : 0)]);
    writer.whole(prompt);
    writer.whole(response);
    for (const { tokens, logprobs } of teacher) {
      writer.whole([tokens.length]);
      writer.whole(tokens);
      writer.real(logprobs);
      if (slices.isOver) await slices.next();
    }
    if (old) writer.real(old);
    if (base) writer.real(base);
  }
  return writer.bytes;
}

/** @throws Nonsense when they are none, or out of bounds */
export async function bytesToSamples(bytes: Buffer, bounds: SampleBounds): Promise<TrainingSample[]> {
  const reader = new Reader(bytes);
  const slices = new Slices();
  const count = reader.count(bounds.samples);
  const samples: TrainingSample[] = [];
  while (samples.length < count) samples.push(await readSample(reader, bounds, slices));
  if (!reader.isAtEnd) throw new Nonsense('samples with something behind them');
  return samples;
}

async function readSample(
  reader: Reader,
  { tokens: most, isTold }: SampleBounds,
  slices: Slices,
): Promise<TrainingSample> {
  const [prompts, responses] = [reader.count(most), reader.count(most)];
  const has = reader.count(OLD | BASE);
  if (prompts === 0 || responses === 0) throw new Nonsense('a sample without tokens');
  if (prompts + responses > most) throw new Nonsense('a sample that is too long');
  const [prompt, response] = [reader.tokens(prompts), reader.tokens(responses)];
  const teacher: { tokens: number[]; logprobs: number[] }[] = [];
  while (teacher.length < responses) {
    const top = reader.count(isTold ? MAX_TEACHER_TOP : 0);
    if (isTold && top === 0) throw new Nonsense('a sample that no teacher speaks of');
    teacher.push({ tokens: reader.tokens(top), logprobs: reader.logprobs(top) });
    if (slices.isOver) await slices.next();
  }
  const old = (has & OLD) !== 0 && { old: reader.logprobs(responses) };
  const base = (has & BASE) !== 0 && { base: reader.logprobs(responses) };
  return { prompt, response, teacher, ...old, ...base };
}

/** Log-probabilities by themselves. */
export function logprobsToBytes(logprobs: readonly number[]): Buffer {
  const writer = new Writer(Buffer.alloc(logprobs.length * 8));
  writer.real(logprobs);
  return writer.bytes;
}

/** @throws Nonsense */
export function bytesToLogprobs(bytes: Buffer): number[] {
  if (bytes.length % 8 !== 0) throw new Nonsense('no log-probabilities');
  return new Reader(bytes).logprobs(bytes.length / 8);
}

/** SHA-256, 64 hex, with turns for others in between. */
export async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  const slices = new Slices();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    if (slices.isOver) await slices.next();
  }
  return hash.digest('hex');
}

function sizeOf({ prompt, response, teacher, old, base }: TrainingSample): number {
  const top = teacher.reduce((sum, { tokens }) => sum + 4 + 12 * tokens.length, 0);
  return 12 + 4 * (prompt.length + response.length) + top + 8 * ((old?.length ?? 0) + (base?.length ?? 0));
}

class Writer {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  whole(numbers: readonly number[]): void {
    for (const each of numbers) this.#at = this.bytes.writeUInt32LE(each, this.#at);
  }

  real(numbers: readonly number[]): void {
    for (const each of numbers) this.#at = this.bytes.writeDoubleLE(each, this.#at);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  count(most: number): number {
    this.#need(4);
    const count = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    if (count > most) throw new Nonsense('a sample with too much in it');
    return count;
  }

  tokens(count: number): number[] {
    this.#need(count * 4);
    return Array.from({ length: count }, () => this.count(MOST_TOKEN));
  }

  logprobs(count: number): number[] {
    this.#need(count * 8);
    return Array.from({ length: count }, () => {
      const logprob = this.#bytes.readDoubleLE(this.#at);
      this.#at += 8;
      if (!(logprob >= LEAST_LOGPROB && logprob <= MOST_LOGPROB)) throw new Nonsense('no log-probability');
      return logprob;
    });
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) throw new Nonsense('samples that end too early');
  }
}
