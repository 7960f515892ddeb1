import { formsIn, phrase, type Said, type Saying } from '../../src-preload/contract/saying.ts';
import { i18n, SAYINGS } from './i18n.ts';
import type { Texts } from './texts.ts';

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
  const templates = templatesIn(i18n.language);
  return saying && templates && phrase(saying, templates, formsIn(i18n.language));
}

type Templates = Readonly<Record<string, string>>;

/** By language, once its texts are there. */
const known = new Map<string, Templates>();

/**
 * Main's sentences in a language. Where they tell of commands, options or names in a file, the screens say it with their own buttons and
 * labels instead: `inApp.settings.heat` stands for `settings.heat`.
 */
function templatesIn(language: string): Templates | undefined {
  const sayings = i18n.getResourceBundle(language, SAYINGS) as Templates | undefined;
  const made = known.get(language) ?? (sayings && { ...sayings, ...inApp(language) });
  if (made) known.set(language, made);
  return made;
}

function inApp(language: string): Templates {
  return Object.fromEntries(flat(i18n.getResourceBundle(language, 'inApp') as Texts));
}

/** `{ doctor: { disk: { makeRoom } } }` as `doctor.disk.makeRoom`. */
function flat(texts: Texts, above = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[above + key, text]] : flat(text, `${above}${key}.`),
  );
}
