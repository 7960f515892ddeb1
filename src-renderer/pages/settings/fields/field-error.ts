import { toQuarryError } from '../../../api/errors.ts';
import { sentenceAtField } from '../../../components/setting-field/sentence-at-field.ts';

/** What main said about one field of a form; undefined when it was about another, or about none. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!error) return undefined;
  return toQuarryError(error).field === field ? sentenceAtField(error) : undefined;
}
