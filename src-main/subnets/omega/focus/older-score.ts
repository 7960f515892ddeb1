import { type Saying, say } from '../../../../src-preload/contract/saying.ts';

/** OMEGA’s of November 2024 (B11): what each part counts for. */
const EXPONENTS = {
  taskQuality: 0.23,
  taskUniqueness: 0.16,
  completion: 0.29,
  descriptionUniqueness: 0.14,
  videoUniqueness: 0.18,
} as const;
export type OlderPart = keyof typeof EXPONENTS;
const LEAST = 0.05;

/** From 0 to 1; null where it is not known. */
export type OlderParts = Record<OlderPart, number | null>;

export interface OlderScore {
  /** Null where nothing is known. */
  score: number | null;
  parts: { part: OlderPart; value: number | null; reason: Saying }[];
}

/**
 * The geometric mean of the parts that are known, each of at least 0.05; the exponents of those are made to sum up to 1.
 * @param boost not held to 1, as it was not there
 */
export function olderScore(parts: OlderParts, boost = 1): OlderScore {
  const names = Object.keys(EXPONENTS) as OlderPart[];
  const known = names.flatMap((part) => {
    const value = parts[part];
    return value === null ? [] : [{ value: Math.min(1, Math.max(LEAST, value)), exponent: EXPONENTS[part] }];
  });
  const sum = known.reduce((total, { exponent }) => total + exponent, 0);
  const product = known.reduce((total, { value, exponent }) => total * value ** (exponent / sum), 1);
  return {
    score: known.length > 0 ? product * boost : null,
    parts: names.map((part) => ({ part, value: parts[part], reason: REASONS[part](parts[part]) })),
  };
}

const REASONS: Record<OlderPart, (value: number | null) => Saying> = {
  taskQuality: () => say('focusScore.older.taskQuality'),
  taskUniqueness: (value) => say(value === null ? 'focusScore.older.noMeaning' : 'focusScore.older.taskUniqueness'),
  completion: (value) => say(value === null ? 'focusScore.older.noModel' : 'focusScore.older.completion'),
  descriptionUniqueness: (value) =>
    say(value === null ? 'focusScore.older.noMeaning' : 'focusScore.older.descriptionUniqueness'),
  videoUniqueness: (value) => say(value === null ? 'focusScore.older.noPictures' : 'focusScore.older.videoUniqueness'),
};
