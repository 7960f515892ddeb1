import { RE2JS, RE2JSException } from 're2js';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { plain, type Verifier } from './verifier.ts';

/** Instructions of a compiled pattern. A search takes at most so many steps for each character: with 16,000 of them, below half a second. */
const MOST_INSTRUCTIONS = 2_000;
export const MOST_PATTERN_CHARS = 500;

export interface PatternWanted {
  /** In RE2's language: neither looking around nor back-references. */
  pattern: string;
  ignoreCase?: boolean | undefined;
  /** Whether it is to be found in an answer. Default true. */
  wanted?: boolean | undefined;
}

/**
 * Whether an own regular expression is found in an answer. RE2's way takes time that grows with pattern × text and no faster, whatever stands in
 * them; JavaScript's own expressions hang on `(a+)+$`.
 * @throws BAD_REQUEST for a pattern that is none, or too large
 */
export function patternVerifier({ pattern, ignoreCase = false, wanted = true }: PatternWanted): Verifier {
  const compiled = compile(pattern, ignoreCase);
  return {
    async check({ text }) {
      const found = compiled.matcher(text).find();
      const why = found ? say('evaluation.pattern.found', { pattern }) : say('evaluation.pattern.missing', { pattern });
      return plain(found === wanted, why);
    },
  };
}

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  if (pattern.length > MOST_PATTERN_CHARS) throw tooLarge();
  try {
    const compiled = RE2JS.compile(pattern, (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE);
    if (compiled.programSize() > MOST_INSTRUCTIONS) throw tooLarge();
    return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const message = say('evaluation.pattern.invalid', { why: error.message.slice(0, 200) });
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('evaluation.pattern.hint'), field: 'pattern' });
  }
}

function tooLarge(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('evaluation.pattern.large'), field: 'pattern' });
}
