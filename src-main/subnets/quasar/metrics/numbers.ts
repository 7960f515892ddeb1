import { numbersIn } from './python-text.ts';

/** Of all numbers in an answer, the share that is the one that is wanted (LongBench, counting). */
export function count(answer: string, reference: string): number {
  return shareOf(reference, answer);
}

/** The same for the number of a paragraph; 0 where the reference names none (LongBench, retrieval). */
export function retrieval(answer: string, reference: string): number {
  return shareOf(/Paragraph (\p{Nd}+)/u.exec(reference)?.[1], answer);
}

export function retrievalChinese(answer: string, reference: string): number {
  return shareOf(/段落(\p{Nd}+)/u.exec(reference)?.[1], answer);
}

function shareOf(wanted: string | undefined, answer: string): number {
  const numbers = numbersIn(answer);
  return numbers.length === 0 ? 0 : numbers.filter((number) => number === wanted).length / numbers.length;
}
