import { codePoints, strip } from './python-text.ts';
import { sequenceRatio } from './sequence-matcher.ts';

/** So many characters at the beginning tell which of several texts was wanted: they were made up for the question. */
const PREFIX = 10;

/** Which of several texts, and how well it is said again (QUASAR, metrics; MRCR of OpenAI): nothing where the answer does not begin as it is to. */
export function mrcr(answer: string, reference: string): number {
  const [said, wanted] = [parts(answer), parts(reference)];
  return said.prefix === wanted.prefix ? sequenceRatio(codePoints(said.rest), codePoints(wanted.rest)) : 0;
}

function parts(text: string) {
  const characters = Array.from(text);
  return { prefix: characters.slice(0, PREFIX).join(''), rest: strip(characters.slice(PREFIX).join('')) };
}
