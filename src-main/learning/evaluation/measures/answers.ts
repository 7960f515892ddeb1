import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { AskedAnswers, AskOptions } from '../../asked.ts';
import { type Answered, lookedAt } from '../verifiers/verifier.ts';

/** What is asked, of whom, and who is told how far it is. */
export interface Measuring extends AskOptions {
  asked: AskedAnswers;
  /** Told after each question. */
  onAnswer?: (() => void) | undefined;
}

export interface AnswerSettings {
  /** Most tokens of each answer. */
  maxTokens: number;
  /** Default 0. */
  temperature?: number;
  seed?: number;
}

/** Asks a question and gives what people see of the answer. */
export async function answerTo(
  messages: readonly ChatMessage[],
  { maxTokens, temperature, seed }: AnswerSettings,
  { asked, adapter, signal, onAnswer }: Measuring,
): Promise<Answered & { messages: readonly ChatMessage[] }> {
  signal?.throwIfAborted();
  const { text, finish } = await asked.answer(messages, { maxTokens, temperature, seed, adapter, signal });
  onAnswer?.();
  return { text: lookedAt(text), finish, messages };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
