import { QuarryError } from '../../src-preload/contract/errors.ts';

/** An error in the configuration: what is wrong where, and what to do. */
export function configError(
  message: string,
  hint = 'docs/configuration.md lists every setting.',
  field?: string,
): QuarryError {
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint, field });
}
