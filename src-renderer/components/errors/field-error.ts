import { toQuarryError } from '../../api/errors.ts';
import { worded } from '../../i18n/worded.ts';

/** What an error says of one of these fields; undefined where it is not about them. */
export function errorAt(error: unknown, ...fields: readonly string[]): string | undefined {
  if (!error) return undefined;
  const named = toQuarryError(error);
  if (!named.field || !fields.includes(named.field)) return undefined;
  return [worded(named, 'message'), worded(named, 'hint')].filter(Boolean).join(' ');
}

/** An error that is about none of these fields. */
export function errorBeside(error: unknown, ...fields: readonly string[]): unknown {
  return errorAt(error, ...fields) === undefined ? error : undefined;
}
