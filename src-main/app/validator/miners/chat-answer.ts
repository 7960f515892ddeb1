import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import type { AnswerEvent } from '../../../inference/backend.ts';
import { MOST_ANSWER } from '../../../validation/answer-text.ts';
import type { Question } from '../../../validation/run/miner.ts';

/** A challenge as it is asked: like any question, so that no miner can tell it from one; without chance, so that the same question gets the same answer. */
export function asRequest({ prompt, maxTokens }: Question): GenerateRequest {
  return { input: { messages: [{ role: 'user', content: prompt }] }, maxTokens, temperature: 0 };
}

/** The text of an answer, as far as it is judged: an answer without an end is not waited for. @param onFirstByte told when it begins, and when it begins anew */
export async function answerText(events: AsyncIterable<AnswerEvent>, onFirstByte?: () => void): Promise<string> {
  let text = '';
  for await (const event of events) {
    if (event.type === 'restart') text = '';
    if (event.type === 'done') {
      if (text === '') onFirstByte?.(); // it came in one piece
      return event.result.text;
    }
    if (event.type === 'chunk') {
      if (text === '' && event.text !== '') onFirstByte?.();
      text += event.text;
    }
    if (text.length > MOST_ANSWER) break;
  }
  return text;
}
