import { randomInt } from 'node:crypto';
import { MAX_SEED } from '../../../src-preload/contract/limits.ts';
import type { InferenceBackend } from '../backend.ts';
import type { TokenEvidence } from '../evidence.ts';
import type { AuditSums } from './audit.ts';
import { HONEST_QUESTIONS } from './honest-questions.ts';
import { type AuditingBackend, readAgain } from './read-again.ts';
import { type AuditThresholds, largestOf, thresholdsOf } from './thresholds.ts';

/** Tokens of an answer at the most. */
const ANSWER_TOKENS = 96;
/** As people ask by default, and as free as an answer that is audited may be: the noise grows with what may be chosen. */
const USUAL = { temperature: 0.7, topP: 0.9, topK: 40, repeatPenalty: 1 };
const FREE = { temperature: 1, topP: 1, topK: 0, repeatPenalty: 1 };

/** How many answers give about as many tokens as the largest threshold is for, and again as many. */
export const CALIBRATION_ANSWERS = 48;

export interface CalibrateOptions {
  /** Answers. Default {@link CALIBRATION_ANSWERS}. */
  answers?: number;
  /** So many are made at once, as for several clients. Default 2. */
  together?: number;
  signal?: AbortSignal;
}

/** An answer that was read again by the model that had given it. */
export interface HonestAnswer {
  /** Whether it was asked for in the way that leaves most open. */
  isFree: boolean;
  audits: AuditSums[];
}

/**
 * Has a model answer, and read its answers again: how far apart the two are where nobody lies. Several answers are made at once, since a batch rounds otherwise
 * than a single answer does.
 * @throws what the backend throws; the signal's reason
 */
export async function* honestAnswers(
  backend: AuditingBackend & Pick<InferenceBackend, 'generate'>,
  { answers = CALIBRATION_ANSWERS, together = 2, signal }: CalibrateOptions = {},
): AsyncGenerator<HonestAnswer, void, undefined> {
  for (let first = 0; first < answers; first += together) {
    signal?.throwIfAborted();
    const several = Array.from({ length: Math.min(together, answers - first) }, (_, n) => first + n);
    for (const answer of await Promise.all(several.map((number) => honestAnswer(backend, number, signal)))) {
      const { audits } = await readAgain(backend, answer, { ...(signal && { signal }) });
      yield { isFree: answer.isFree, audits };
    }
  }
}

async function honestAnswer(backend: Pick<InferenceBackend, 'generate'>, number: number, signal?: AbortSignal) {
  const content = HONEST_QUESTIONS[number % HONEST_QUESTIONS.length] ?? '';
  const input = { messages: [{ role: 'user' as const, content }] };
  // By turns, and the other way round when the questions begin anew.
  const isFree = (number + Math.floor(number / HONEST_QUESTIONS.length)) % 2 === 1;
  const sampling = { ...(isFree ? FREE : USUAL), seed: randomInt(MAX_SEED) };
  let evidence: TokenEvidence[] = [];
  const request = { input, maxTokens: ANSWER_TOKENS, ...sampling };
  const askedAt = Date.now();
  for await (const event of backend.generate(request, { verified: true, askedAt, ...(signal && { signal }) }))
    if (event.type === 'done') evidence = event.evidence ?? [];
  return { isFree, input, sampling, evidence, askedAt };
}

/** The larger of what each way of asking gives. @throws RangeError where there are none */
export function calibrated(answers: readonly HonestAnswer[]): AuditThresholds {
  const of = (wanted: boolean) => answers.filter(({ isFree }) => isFree === wanted).map(({ audits }) => audits);
  const groups = [of(false), of(true)].filter((group) => group.some(({ length }) => length > 0));
  return largestOf(groups.map((group) => thresholdsOf(group)));
}
