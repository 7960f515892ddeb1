import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { About, Found } from './found.ts';
import type { Language } from './language.ts';
import { lengthWish } from './length-wish.ts';
import type { Mark } from './markup.ts';
import type { OneWish, Wish } from './wish.ts';
import { wishWords } from './wish-words.ts';

/** What a feedback seems to want. */
export interface Proposal {
  wish: Wish;
  /** Where this is there, other questions than the given one are to be asked. */
  about?: About;
  /** For people. */
  why: Saying;
}

/** Of a feedback only so much is read, UTF-16 units: patterns below look a bounded way ahead, so time grows with this alone. */
const MOST_CHARS = 2_000;

const NOT =
  /(?:\b(?:no|not|never|without|don't|do not|dont|stop|avoid|skip|drop|remove|less|fewer|leave out|leave away|omit|too many|too much|hate|dislike)\b|\b(?:keine?[nrms]?|nicht|nie|niemals|ohne|weniger|lass|weglassen|zu viele?|vermeide[nt]?|verzichte[nt]?)\b)/iu;

const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}]{0,30}(?:['-][\p{L}\p{N}]{1,20}){0,2}`;
const NAME = `[«"“„']?(${NAME_WORD}(?: ${NAME_WORD}){0,2})`;
const OWN_NAME = new RegExp(
  `(?:[Yy]our name(?: is|'s| should be)|[Yy]ou(?: are|'re) called|[Cc]all yourself|[Yy]ou go by|[Dd]u hei(?:ß|ss)t|[Dd]ein Name (?:ist|lautet)|[Nn]enne? dich|Ihr Name (?:ist|lautet)|Sie heißen|[Dd]er Name ist) (?:now |jetzt |ab jetzt )?${NAME}`,
  'u',
);
/** Written small it is one word, and the last: «your name is wrong» names nobody. */
const SMALL_NAME =
  /(?:\byour name is|\bdu hei(?:ß|ss)t|\bdein name ist) (?!wrong|bad|not|nice|good|great|falsch|nicht|gut|schön)(\p{L}{2,30})[.!]*$/iu;
const USER_NAME = new RegExp(
  `(?:[Mm]y name(?: is|'s)|[Cc]all me|I am called|[Ii]ch hei(?:ß|ss)e|[Mm]ein Name (?:ist|lautet)|[Nn]enne? mich|[Nn]ennen Sie mich) ${NAME}`,
  'u',
);

const SPOKEN: Record<string, Language> = {
  ...{ german: 'de', english: 'en', french: 'fr', spanish: 'es', italian: 'it', dutch: 'nl', portuguese: 'pt' },
  ...{ deutsch: 'de', englisch: 'en', französisch: 'fr', spanisch: 'es', italienisch: 'it', niederländisch: 'nl' },
  ...{ portugiesisch: 'pt' },
};
const LANGUAGE = new RegExp(
  String.raw`\b(?:in|auf|use|speak|nur|only|always) (${Object.keys(SPOKEN).join('|')})\b`,
  'iu',
);

const MARKS: readonly (readonly [RegExp, readonly Mark[]])[] = [
  [
    /\b(?:bullets?(?: points?)?|lists?|enumerations?|aufzählung(?:en)?|listen?|stichpunkten?|spiegelstrichen?)\b/iu,
    ['bullets'],
  ],
  [/\b(?:markdown|formatting|formatierung(?:en)?)\b/iu, ['bold', 'headings', 'bullets', 'code']],
  [/\b(?:bold|fett(?:schrift)?|asterisks?|sternchen)\b/iu, ['bold']],
  [/(?<!\p{L})(?:headings?|headlines?|überschriften?)\b/iu, ['headings']],
  [/\b(?:code blocks?|codeblöcke)\b/iu, ['code']],
  [/\b(?:exclamation (?:marks?|points?)|ausrufe?zeichen)\b/iu, ['exclamations']],
  [/\b(?:question marks?|questions?|rückfragen|fragezeichen)\b/iu, ['questions']],
];

const QUOTED = String.raw`[«"“„'‘]([^«»"“”„'’\n]{1,100})[»"”“'’]`;
const SAY_AT: readonly (readonly [RegExp, Omit<Extract<OneWish, { kind: 'phrase' }>, 'phrase'>])[] = [
  [
    new RegExp(
      String.raw`(?:n[eo](?:t|ver)|don't|stop|avoid|nicht|nie|ohne|without)[^.\n]{0,30}?(?:say(?:ing)?|word|us(?:e|ing)|wort|sag\p{L}{0,3})[^.\n«"“„'‘]{0,20}${QUOTED}`,
      'iu',
    ),
    { kind: 'phrase', wanted: false },
  ],
  [
    new RegExp(String.raw`(?:start|begin|beginne?n?|fange? an)[^.\n«"“„'‘]{0,30}${QUOTED}`, 'iu'),
    { kind: 'phrase', place: 'start' },
  ],
  [
    new RegExp(String.raw`(?:end|finish|close|ende?n?|schließe?)[^.\n«"“„'‘]{0,30}${QUOTED}`, 'iu'),
    { kind: 'phrase', place: 'end' },
  ],
  [new RegExp(String.raw`(?:say|include|mention|sage?|erwähne?)[^.\n«"“„'‘]{0,30}${QUOTED}`, 'iu'), { kind: 'phrase' }],
];

/**
 * Chooses a verifier for what somebody said of an answer, in English or German.
 * @param answer what it was said of: «shorter» is shorter than that
 * @returns undefined where no rule can be made of it: then {@link NO_RULE} is to be said, and answers are compared with the teacher's
 */
export function proposeWish(feedback: string, { answer }: { answer?: string } = {}): Proposal | undefined {
  const text = feedback.slice(0, MOST_CHARS).normalize('NFC').replaceAll('’', "'");
  const found = RULES.map((rule) => rule(text, answer)).filter((one) => one !== undefined);
  const [first, ...others] = found;
  if (!first) return undefined;
  const wish: Wish = others.length === 0 ? first.wish : { kind: 'all', of: found.map((one) => one.wish) };
  const about = found.find((one) => one.about)?.about;
  return { wish, ...(about && { about }), why: say('evaluation.proposal', { wish: wishWords(wish) }) };
}

/** That nothing checks a feedback by a rule. */
export const NO_RULE: Saying = say('evaluation.proposal.none');

type Rule = (text: string, answer: string | undefined) => Found | undefined;

/** Each looks for one thing. */
const RULES: readonly Rule[] = [emoji, lengthWish, ownName, userName, language, json, marks, phrase];

function emoji(text: string): Found | undefined {
  const clause = clauseWith(text, /\b(?:emoji(?:s|es)?|emoticons?|smileys?|smilies)\b/iu);
  if (clause === undefined) return undefined;
  return NOT.test(clause)
    ? { wish: { kind: 'emoji', wanted: false }, about: 'emojis' }
    : { wish: { kind: 'emoji', wanted: true } };
}

function ownName(text: string): Found | undefined {
  const [, name] = OWN_NAME.exec(text) ?? [];
  if (name) return { wish: { kind: 'phrase', phrase: name }, about: 'assistant' };
  const [, small] = SMALL_NAME.exec(text) ?? [];
  return small ? { wish: { kind: 'phrase', phrase: small }, about: 'assistant' } : undefined;
}

/** Not every answer has to say it: what is asked is to be about it. */
function userName(text: string): Found | undefined {
  const [, name] = OWN_NAME.test(text) ? [] : (USER_NAME.exec(text) ?? []);
  return name ? { wish: { kind: 'phrase', phrase: name }, about: 'user' } : undefined;
}

function language(text: string): Found | undefined {
  const [clause, name = ''] = LANGUAGE.exec(text) ?? [];
  const spoken = SPOKEN[name.toLowerCase()];
  if (clause === undefined || !spoken || NOT.test(clauseWith(text, LANGUAGE) ?? '')) return undefined;
  return { wish: { kind: 'language', language: spoken } };
}

function json(text: string): Found | undefined {
  const clause = clauseWith(text, /\bjson\b/iu);
  return clause === undefined || NOT.test(clause) ? undefined : { wish: { kind: 'json' } };
}

function marks(text: string): Found | undefined {
  for (const [word, kinds] of MARKS) {
    const clause = clauseWith(text, word);
    if (clause === undefined) continue;
    const without = NOT.test(clause);
    // «Answer my question» asks for no question marks.
    if (!without && kinds.some((kind) => kind === 'questions' || kind === 'exclamations')) continue;
    return { wish: { kind: 'marks', marks: [...kinds], wanted: !without } };
  }
  return undefined;
}

function phrase(text: string): Found | undefined {
  if (OWN_NAME.test(text) || USER_NAME.test(text)) return undefined;
  for (const [pattern, wish] of SAY_AT) {
    const [, said] = pattern.exec(text) ?? [];
    if (said && /[\p{L}\p{N}]/u.test(said)) return { wish: { ...wish, phrase: said.trim() } };
  }
  return undefined;
}

/** The part between commas, «and» and «but» in which a word stands: what is denied elsewhere is not denied here. */
function clauseWith(text: string, word: RegExp): string | undefined {
  return text.split(/[.;!?\n]|,|\b(?:and|but|und|aber|sondern)\b/iu).find((clause) => word.test(clause));
}
