import { formsIn, phrase, type Said, type Saying } from '../../src-preload/contract/saying.ts';
import { i18n, SAYINGS } from './i18n.ts';

/**
 * What main says in a field of an answer or an error, in the language of the screens; main's own English sentence where
 * it is free text, or where a newer node says something that these screens do not know.
 */
export function worded<Field extends string>(
  view: { readonly [Name in Field]: string } & { readonly said?: Said | undefined },
  field: Field,
): string;
export function worded<Field extends string>(
  view: { readonly [Name in Field]?: string | null | undefined } & { readonly said?: Said | undefined },
  field: Field,
): string | undefined;
export function worded(view: { said?: Said | undefined } & Record<string, unknown>, field: string): unknown {
  return inWords(view.said?.[field]) ?? view[field];
}

/** The same for a list of sentences; `said` has them by their places. */
export function wordedList(sentences: readonly string[], said: Said | undefined): string[] {
  return sentences.map((sentence, place) => inWords(said?.[place]) ?? sentence);
}

function inWords(saying: Saying | undefined): string | undefined {
  const templates = i18n.getResourceBundle(i18n.language, SAYINGS) as Record<string, string> | undefined;
  return saying && templates && phrase(saying, templates, formsIn(i18n.language));
}
