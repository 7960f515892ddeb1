import { os } from '@orpc/server';
import type { Caller } from '../../../src-preload/contract/caller.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** For calls that carry words or passwords: whoever could be listened to is refused. */
export const confidential = os.$context<Caller>().middleware(({ context, next }) => {
  if (context.confidential) return next();
  throw new QuarryError({ code: 'UNAUTHORIZED', message: say('login.overheard'), hint: say('login.confidential') });
});
