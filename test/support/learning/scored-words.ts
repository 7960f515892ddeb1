import type { AskedScore } from '../../../src-main/learning/asked.ts';

/** A text whose words are the tokens, each as likely as the others. @param logprob of each, natural logarithm */
export function scoredWords(text: string | readonly number[], logprob: number): AskedScore {
  const words = typeof text === 'string' ? text.split(' ') : text;
  const tokens = words.map((_, at) => at);
  return { tokens, logprobs: words.map(() => logprob), top: words.map(() => ({ tokens: [], logprobs: [] })) };
}
