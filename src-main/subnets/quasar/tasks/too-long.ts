import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

/** What is asked has more tokens by itself than it may have with its text. */
export function tooLong(tokens: number, least: number): QuarryError {
  return new QuarryError({
    code: 'CONTEXT_TOO_LONG',
    message: say('contextFiles.tooLong', { tokens, least }),
    hint: say('contextFiles.tooLong.hint', { least }),
    field: 'tokens',
  });
}
