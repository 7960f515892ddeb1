import { sha256 } from '../../../base/sha256.ts';
import { taggedBytes } from '../../../base/signing.ts';
import { SeededRandom } from '../../../validation/seeded-random.ts';

/** What a model is to be asked. The same plan asks the same, whoever is asked. */
export interface EvaluationPlan {
  /** Names of suites. */
  suites: readonly string[];
  /** Tokens of a prompt, as whoever is asked counts them. */
  lengths: readonly number[];
  /** Texts of each variant and length. */
  samples: number;
  /** Any text. */
  seed: string;
  /** Asks each question about a text that is made a second time, put a little differently. Default false. */
  twice?: boolean | undefined;
}

/** One text that is to be asked about. */
export interface PlannedText {
  suite: string;
  variant: string;
  length: number;
  /** 0 for the first of its kind. */
  sample: number;
}

/**
 * All texts of a plan in the order in which they are asked: short ones first, which are quick, and one of each kind before the second, so that whoever stops early
 * has seen a little of everything.
 * @param variantsOf of a suite by its name
 */
export function plannedTexts(
  { suites, lengths, samples }: EvaluationPlan,
  variantsOf: (suite: string) => readonly string[],
): PlannedText[] {
  const kinds = [...new Set(suites)].flatMap((suite) => variantsOf(suite).map((variant) => ({ suite, variant })));
  const ascending = [...new Set(lengths)].toSorted((one, other) => one - other);
  return ascending.flatMap((length) =>
    Array.from({ length: samples }, (_, sample) => kinds.map((kind) => ({ ...kind, length, sample }))).flat(),
  );
}

/**
 * Draws of a text, the same for ever. Texts that differ in their length alone have the same draws: they are to be compared.
 * @param version of its suite
 */
export function drawsOf(
  { seed }: Pick<EvaluationPlan, 'seed'>,
  { length: _, ...text }: PlannedText,
  version: string,
): SeededRandom {
  return new SeededRandom(
    sha256(taggedBytes('quarry-evaluation-1', { seed, ...text, version }).toString()).toString('hex'),
  );
}

/** Draws of how its questions are put the second time. */
export const drawsAgain = (plan: Pick<EvaluationPlan, 'seed'>, text: PlannedText): SeededRandom =>
  drawsOf(plan, text, 'again');
