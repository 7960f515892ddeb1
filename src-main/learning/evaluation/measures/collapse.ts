import { asked as chat } from '../probes/probe.ts';
import { sentenceCount, wordCount } from '../verifiers/sentences.ts';
import { answerTo, type Measuring, mean } from './answers.ts';
import { selfRouge } from './rouge.ts';

/** B6's question for it. */
const QUESTION = chat('You are a helpful assistant.', 'Tell me something interesting about the ocean.');
const SAMPLES = 3;
const SAMPLE_TEMPERATURE = 0.7;
const TOP = 20;
const TOKENS = 48;

/** How much a model still has to say. */
export interface Collapse {
  /** Mean over tokens of −Σ p ln p over the 20 likeliest, which together are 1; nats. */
  entropy: number;
  /** Mean ROUGE-L between samples, 0–1. About .3–.6 in a healthy model (B6). */
  selfRouge: number;
  /** Of the greedy answer's tokens, nats. */
  meanLogprob: number;
  /** Of a sample, on average. */
  words: number;
  sentences: number;
}

/** B6: below this ratio of entropy, above this likeness, beyond this drift. */
export const LEAST_ENTROPY_RATIO = 0.6;
export const MOST_SELF_ROUGE = 0.85;
export const MOST_DRIFT = 2;

export interface CollapseAlarms {
  entropyRatio: number;
  drift: number;
  entropy: boolean;
  selfRouge: boolean;
  logprob: boolean;
}

/** @param seed of the samples, each with the next */
export async function measureCollapse(measuring: Measuring, seed: number): Promise<Collapse> {
  const { asked, adapter, signal, onAnswer } = measuring;
  signal?.throwIfAborted();
  const greedy = await asked.answer(QUESTION, { maxTokens: TOKENS, topLogprobs: TOP, adapter, signal });
  onAnswer?.();
  const samples: string[] = [];
  for (let at = 0; at < SAMPLES; at++) {
    const settings = { maxTokens: TOKENS, temperature: SAMPLE_TEMPERATURE, seed: seed + at };
    samples.push((await answerTo(QUESTION, settings, measuring)).text);
  }
  const places = greedy.logprobs ?? [];
  return {
    entropy: mean(places.map(({ top }) => topEntropy(top.map(({ logprob }) => logprob)))),
    selfRouge: selfRouge(samples),
    meanLogprob: mean(places.map(({ logprob }) => logprob)),
    words: mean(samples.map(wordCount)),
    sentences: mean(samples.map(sentenceCount)),
  };
}

/** How many questions {@link measureCollapse} asks. */
export const COLLAPSE_ANSWERS = 1 + SAMPLES;

/** Entropy of a few likeliest tokens, made to sum up to 1; nats. */
export function topEntropy(logprobs: readonly number[]): number {
  const weights = logprobs.map(Math.exp);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return -weights.reduce((total, weight) => (weight > 0 ? total + (weight / sum) * Math.log(weight / sum) : total), 0);
}

/** What is alarming in comparison. Where there was no entropy before, none can be lost. */
export function collapseAlarms(before: Collapse, after: Collapse): CollapseAlarms {
  const entropyRatio = before.entropy === 0 ? 1 : after.entropy / before.entropy;
  const drift = after.meanLogprob - before.meanLogprob;
  return {
    entropyRatio,
    drift,
    entropy: entropyRatio < LEAST_ENTROPY_RATIO,
    selfRouge: after.selfRouge > MOST_SELF_ROUGE,
    logprob: Math.abs(drift) > MOST_DRIFT,
  };
}
