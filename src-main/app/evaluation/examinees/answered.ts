import { performance } from 'node:perf_hooks';
import type { AskEvent } from '../../../../src-preload/contract/inference.ts';
import type { AnswerEvent } from '../../../inference/backend.ts';
import type { Answered } from '../../../subnets/quasar/evaluation/evaluation-run.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';

/** A question as a request has it. */
export const inputOf = (prompt: string) => ({ messages: [{ role: 'user' as const, content: prompt }] });

/** Without chance, so that the same question gets the same answer, where nobody wants another temperature. */
export const asked = (maxTokens: number, temperature = 0) => ({ maxTokens, temperature });

/** A figure for English, where nobody counts: four bytes a token. */
export const roughly = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

/** Times are this node's own: whoever answers may say anything of its speed. */
export async function answerOf(events: AsyncIterable<AskEvent | AnswerEvent>): Promise<Answered> {
  const began = performance.now();
  let firstMs: number | undefined;
  for await (const event of events) {
    if (event.type === 'chunk') firstMs ??= performance.now() - began;
    if (event.type === 'restart') firstMs = undefined;
    if (event.type !== 'done') continue;
    const totalMs = performance.now() - began;
    const { text, promptTokens, cachedTokens, completionTokens: answerTokens } = event.result;
    return {
      text: withoutThoughts(text),
      firstMs: firstMs ?? totalMs,
      totalMs,
      promptTokens,
      cachedTokens,
      answerTokens,
    };
  }
  throw new Error('an answer that has no end');
}
