import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { plain, type Verifier } from './verifier.ts';

/** Each looks at every line once: answers are a stranger's. */
const MARKS = {
  bullets: /^[ \t]{0,40}(?:[-*•–+][ \t]|\d{1,3}[.)][ \t])/mu,
  bold: /\*\*[^*\n]{1,200}\*\*|__[^_\n]{1,200}__/u,
  headings: /^ {0,3}#{1,6} /mu,
  code: /```/u,
  exclamations: /[!！]/u,
  questions: /[?？]/u,
} as const;
export type Mark = keyof typeof MARKS;
export const MARK_NAMES = Object.keys(MARKS) as [Mark, ...Mark[]];

/** Whether an answer has marks of some kind. @param wanted whether it is to have one, or none */
export function markupVerifier(marks: readonly Mark[], wanted: boolean): Verifier {
  return {
    async check({ text }) {
      const found = marks.find((mark) => MARKS[mark].test(text));
      const what = markNames(found === undefined ? marks : [found]);
      const why =
        found === undefined ? say('evaluation.marks.none', { what }) : say('evaluation.marks.found', { what });
      return plain((found !== undefined) === wanted, why);
    },
  };
}

const NAMES: Record<Mark, Saying> = {
  bullets: say('evaluation.mark.bullets'),
  bold: say('evaluation.mark.bold'),
  headings: say('evaluation.mark.headings'),
  code: say('evaluation.mark.code'),
  exclamations: say('evaluation.mark.exclamations'),
  questions: say('evaluation.mark.questions'),
};

/** Marks in words. */
export function markNames(marks: readonly Mark[]): Saying[] {
  return marks.map((mark) => NAMES[mark]);
}
