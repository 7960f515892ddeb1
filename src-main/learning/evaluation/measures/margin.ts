import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { AskedAnswers } from '../../asked.ts';
import { type Measuring, mean } from './answers.ts';

/** Two answers to the same, of which the first is as somebody wants it. */
export interface AnswerPair {
  messages: readonly ChatMessage[];
  positive: string;
  negative: string;
}

/** How much likelier the wanted answers are, in nats. */
export interface Margin {
  /** B6: Σ log p(positive) − Σ log p(negative). Where one of two is longer, length is most of it. */
  sum: number;
  /** The same with the mean over tokens in place of the sum. */
  perToken: number;
}

/** @returns of each pair */
export async function measureMargins(pairs: readonly AnswerPair[], measuring: Measuring): Promise<Margin[]> {
  const margins: Margin[] = [];
  for (const { messages, positive, negative } of pairs) {
    const [wanted, unwanted] = [
      await likely(messages, positive, measuring),
      await likely(messages, negative, measuring),
    ];
    margins.push({ sum: wanted.sum - unwanted.sum, perToken: wanted.perToken - unwanted.perToken });
    measuring.onAnswer?.();
  }
  return margins;
}

/** Mean over pairs. @returns undefined of none */
export function marginOf(margins: readonly Margin[]): Margin | undefined {
  if (margins.length === 0) return undefined;
  return { sum: mean(margins.map(({ sum }) => sum)), perToken: mean(margins.map(({ perToken }) => perToken)) };
}

async function likely(
  messages: readonly ChatMessage[],
  answer: string,
  { asked, adapter, signal }: Measuring,
): Promise<Margin> {
  signal?.throwIfAborted();
  const { logprobs } = await asked.score(messages, answer, { adapter, signal });
  return { sum: logprobs.reduce((sum, one) => sum + one, 0), perToken: mean(logprobs) };
}

/** Mean log-probability of an answer's tokens under the model without adapter, nats. */
export async function plausibility(
  asked: Pick<AskedAnswers, 'score'>,
  messages: readonly ChatMessage[],
  answer: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { logprobs } = await asked.score(messages, answer, { signal });
  return mean(logprobs);
}
