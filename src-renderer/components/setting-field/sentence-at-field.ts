import { toQuarryError } from '../../api/errors.ts';
import { worded } from '../../i18n/worded.ts';

/** What main said against a value and what to do, in one line, where the field stands right above: nobody needs the list of all settings then. */
export function sentenceAtField(error: unknown): string {
  const named = toQuarryError(error);
  const hint = named.said?.hint?.key === 'settings.listed' ? undefined : worded(named, 'hint');
  return [worded(named, 'message'), hint].filter(Boolean).join(' ');
}
