import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

/** Answers of two models would be one figure. @param was that an evaluation was begun with @param is that would answer now */
export const otherModel = (was: string, is: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('evaluations.otherModel', { was, is }),
    hint: say('evaluations.sameModel', { was }),
    field: 'target',
  });
