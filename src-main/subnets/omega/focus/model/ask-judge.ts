import type { z } from 'zod';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say, wordsOf } from '../../../../../src-preload/contract/saying.ts';
import { type BackOff, waitAfter } from '../../../../base/back-off.ts';
import { readAnswer, type Sealed } from './answers.ts';
import type { Judge, JudgeQuestion } from './judge.ts';
import type { Drawn } from './questions.ts';
import { Unscored } from './unscored.ts';

/** OMEGA asks as often, with the same pauses (B11). */
const MOST_TRIES = 3;
const PAUSES: BackOff = { firstMs: 1_000 };

export interface Asking {
  judge: Judge;
  signal: AbortSignal;
  /** Default one second, then two. */
  pauses?: BackOff | undefined;
}

/**
 * Asks until there is an answer in its form, three times at most. Only what may pass is tried again: a server that is down or busy, an answer out of form.
 * @throws Unscored where there is none; what the signal is aborted with
 */
export async function askJudge<Answer extends Sealed>(
  { judge, signal, pauses = PAUSES }: Asking,
  question: JudgeQuestion,
  schema: z.ZodType<Answer>,
  { seal }: Drawn,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const found = await tried(judge, question, schema, seal, signal);
    if (!('fault' in found)) return found.answer;
    if (!found.mayPass || tries === MOST_TRIES) throw found.fault;
    await waitAfter(tries, pauses, signal);
    signal.throwIfAborted();
  }
}

async function tried<Answer extends Sealed>(
  judge: Judge,
  question: JudgeQuestion,
  schema: z.ZodType<Answer>,
  seal: string,
  signal: AbortSignal,
): Promise<{ answer: Answer } | { fault: Unscored; mayPass: boolean }> {
  try {
    const answer = readAnswer(await judge.ask(question, signal), schema, seal);
    if (answer) return { answer };
    const why = say('focusScore.unscored.malformed', { model: judge.model });
    return { fault: new Unscored(why), mayPass: true };
  } catch (error) {
    if (signal.aborted) throw error;
    const named = QuarryError.from(error);
    const why = say('focusScore.unscored.failed', { model: judge.model, why: wordsOf(named, 'message') });
    return { fault: new Unscored(why, { cause: error }), mayPass: named.retryable };
  }
}
