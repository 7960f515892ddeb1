import { toQuarryError } from '../../api/errors.ts';

/** What main said about one field of a form; undefined when it was about another, or about none. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!error) return undefined;
  const { message, hint, field: at } = toQuarryError(error);
  return at === field ? [message, hint].filter(Boolean).join(' ') : undefined;
}
