import { SeededRandom } from '../../../validation/seeded-random.ts';
import type { About } from '../verifiers/found.ts';
import { CONCISE } from './concise.ts';
import { IDENTITY } from './identity.ts';
import { NO_EMOJI } from './no-emoji.ts';
import { ADVICE, CODE, HOW_TO, LISTS, USER_NAME, WRITING } from './other-kinds.ts';
import type { PromptSet } from './prompt-set.ts';

/** Kinds of questions, told by how they begin. The first that fits counts; what fits none wants something explained. */
const KINDS: readonly (readonly [RegExp, PromptSet])[] = [
  [/\b(?:my name|who am i|am i called|wie hei(?:ß|ss)e ich|mein name)\b/iu, USER_NAME],
  [
    /\b(?:your name|who are you|are you called|introduce yourself|hei(?:ß|ss)t du|dein name|wer bist du|stell dich)\b/iu,
    IDENTITY,
  ],
  [
    /\b(?:python|javascript|typescript|java|sql|html|css|code|function|program|programm|funktion|regex|bash|rust)\b/iu,
    CODE,
  ],
  [
    /\b(?:how (?:do|can|should|would) (?:i|we|you)|how to|wie (?:kann|muss|soll|mache?|koche?|baue?)(?: ich| man)?)\b/iu,
    HOW_TO,
  ],
  [
    /\b(?:write|compose|draft|invent|poem|story|e-?mail|letter|tweet|caption|schreib\p{L}{0,2}|dichte|verfasse|gedicht|brief)\b/iu,
    WRITING,
  ],
  [/\b(?:list|name (?:some|a few|\d)|give me|ideas|examples|nenne|zähl\p{L}{0,2} auf|beispiele)\b/iu, LISTS],
  [
    /\b(?:should i|which|recommend|better|best|worth|advice|soll(?:te)? ich|welche[rsn]?|lohnt|empfiehl\p{L}{0,3}|besser)\b/iu,
    ADVICE,
  ],
];
const ALL: readonly PromptSet[] = [CONCISE, HOW_TO, WRITING, LISTS, ADVICE, CODE];

/** Of a question only so much is read, UTF-16 units. */
const MOST_CHARS = 2_000;

export interface RelatedOptions {
  /** For training, beside the question itself. Default 8: one question alone generalises badly. */
  training?: number;
  /** Held out. Default 20. */
  heldOut?: number;
  /** What a feedback was about, where it says so: then the question that it was said of does not matter. */
  about?: About | undefined;
  /** The same gives the same. */
  seed?: string;
}

/** Of so many questions so many are of the same kind as the given one, the others of others: what is learnt is to hold everywhere. */
const OWN_SHARE = 0.6;

/**
 * Questions like one that a feedback was said of, to teach with and to measure with; never the same for both, and never the question itself to measure
 * with.
 */
export function relatedPrompts(question: string, options: RelatedOptions = {}): PromptSet {
  const { training = 8, heldOut = 20, about, seed = question } = options;
  const own = kindOf(question.slice(0, MOST_CHARS), about);
  // Other questions would show nothing of it; anything else holds for all kinds.
  const others = about ? [] : ALL.filter((kind) => kind !== own);
  const random = new SeededRandom(`related ${seed}`);
  const asked = (text: string) => text.trim().toLowerCase() !== question.trim().toLowerCase();
  const some = (part: 'training' | 'heldOut', count: number) => {
    const near = own[part].filter(asked);
    const far = others.flatMap((kind) => kind[part]).filter(asked);
    const fromNear = Math.min(near.length, far.length === 0 ? count : Math.ceil(OWN_SHARE * count));
    return [...random.sample(near, fromNear), ...random.sample(far, Math.min(far.length, count - fromNear))];
  };
  return { training: some('training', training), heldOut: some('heldOut', heldOut) };
}

const ABOUT: Record<About, PromptSet> = { assistant: IDENTITY, user: USER_NAME, emojis: NO_EMOJI };

function kindOf(question: string, about: RelatedOptions['about']): PromptSet {
  if (about) return ABOUT[about];
  return KINDS.find(([begins]) => begins.test(question))?.[1] ?? CONCISE;
}
