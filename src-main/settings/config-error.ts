import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';

/** An error in the configuration: what is wrong where, and what to do. */
export function configError(message: Words, hint: Words = say('settings.listed'), field?: string): QuarryError {
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field });
}
