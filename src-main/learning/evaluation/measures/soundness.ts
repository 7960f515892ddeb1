import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { AskedAnswers } from '../../asked.ts';
import { plainWords } from '../verifiers/phrase.ts';
import { sentenceCount, wordCount, wordsOf } from '../verifiers/sentences.ts';
import type { Answered } from '../verifiers/verifier.ts';
import { mean } from './answers.ts';
import { plausibility } from './margin.ts';

/** Whether answers look like answers, over some of them. */
export interface Soundness {
  /** Mean of sentences, and of words. */
  sentences: number;
  words: number;
  /** Shares of the answers, 0–1: that say nothing, that came to their end, that go round in circles. */
  empty: number;
  ended: number;
  circling: number;
  /** Median over answers of the mean log-probability of their tokens under the model without adapter, nats; absent where it was not measured. */
  plausibility?: number;
}

/** Words that follow each other, of which circles are made. */
const RUN = 3;
/** An answer goes round in circles where so much of its runs of words has been there before. */
const MOST_REPEATED = 0.5;
/** Of shorter ones nothing can be said. */
const LEAST_WORDS = 8;
/** The same character so often: «🌱🌱🌱…» has no words to go by. */
const SAME_CHARACTER = /(\P{Zs})\1{11}/u;

export interface SoundnessOptions {
  asked?: Pick<AskedAnswers, 'score'>;
  /** What is put before the model without adapter. Default: what was asked. */
  view?: (messages: readonly ChatMessage[]) => readonly ChatMessage[];
  /** Of the answers so many are scored, the first ones. Default 6. */
  scored?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Looks at answers without knowing what is right: a model that answers garbage shows here, whatever else it passes. With `asked`, the model as it was
 * says how plausible they are to it: manners move few tokens, gibberish moves all of them.
 */
export async function measureSoundness(
  answers: readonly Answered[],
  { asked, view = (messages) => messages, scored = 6, signal }: SoundnessOptions = {},
): Promise<Soundness> {
  const looks = soundnessOf(answers);
  if (!asked) return looks;
  const values: number[] = [];
  for (const { text, messages = [] } of answers.filter(({ text }) => text !== '').slice(0, scored)) {
    signal?.throwIfAborted();
    values.push(await plausibility(asked, view(messages), text, signal));
  }
  return values.length === 0 ? looks : { ...looks, plausibility: median(values) };
}

/** What can be seen without asking a model. */
export function soundnessOf(answers: readonly Answered[]): Soundness {
  const share = (has: (answer: Answered) => boolean) => mean(answers.map((answer) => (has(answer) ? 1 : 0)));
  return {
    sentences: mean(answers.map(({ text }) => sentenceCount(text))),
    words: mean(answers.map(({ text }) => wordCount(text))),
    empty: share(({ text }) => text === ''),
    ended: share(({ finish }) => finish !== 'length'),
    circling: share(({ text }) => goesInCircles(text)),
  };
}

/** Whether an answer says the same again and again. */
export function goesInCircles(text: string): boolean {
  if (SAME_CHARACTER.test(text)) return true;
  const words = wordsOf(text.toLowerCase());
  if (words.length < LEAST_WORDS) return false;
  const runs = words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
  return 1 - new Set(runs).size / runs.length > MOST_REPEATED;
}

/** So many words in a row are no chance. */
const ECHO = 4;

/**
 * Whether an answer repeats what it was told and nobody is to read: small models answer a hindsight block with «The following is a future user
 * message», which passes most verifiers. @param told the block, without the question
 */
export function echoes(text: string, told: string): boolean {
  const answer = plainWords(text);
  const words = plainWords(told).trim().split(' ');
  return words.slice(ECHO - 1).some((_, at) => answer.includes(` ${words.slice(at, at + ECHO).join(' ')} `));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
