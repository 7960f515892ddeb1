import type { EvaluationCellView } from '../../../../src-preload/contract/evaluation.ts';
import { accuracyOf, type CellSum, lengthsOf, summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { DEPTH_BANDS, type DepthBand } from '../../../../src-preload/contract/evaluation-numbers.ts';

/** Some questions of an evaluation, which have a place in a map. */
export interface Spot {
  key: string;
  suite: string;
  /** Null: all its kinds. */
  kind: string | null;
  /** Null: whatever the depth. */
  band: DepthBand | null;
  length: number;
  /** Their names in the evaluation. */
  variants: string[];
  /** `none`: not asked, or not yet. `noRoom`: nobody could take the texts. */
  state: 'scored' | 'noRoom' | 'none';
  sum: CellSum;
}

/** Rows by depth, in their order from the beginning of a text; columns by length. */
export interface NeedleMap {
  lengths: number[];
  rows: { band: DepthBand; spots: Spot[] }[];
}

/** «number, middle» stands in its name for a kind and a depth. */
const WITH_BAND = new RegExp(`^(.*), (${DEPTH_BANDS.join('|')})$`);

/** What is asked for, without where it stands. */
export function kindOf(variant: string): string {
  return WITH_BAND.exec(variant)?.[1] ?? variant;
}

/** Where it stands: by what it is called, or by what was measured. */
export function bandOf({ variant, band }: Pick<EvaluationCellView, 'variant' | 'band'>): DepthBand | null {
  return (WITH_BAND.exec(variant)?.[2] as DepthBand | undefined) ?? band;
}

/** Whether rows are where things were to stand, as the names of kinds say, and not where they were found to. */
export function isAsNamed(cells: readonly EvaluationCellView[], suite: string): boolean {
  return cells.some((cell) => cell.suite === suite && kindOf(cell.variant) !== cell.variant);
}

/** Suites that were asked, in the order of the plan, those by depth alone or all. */
export function suitesOf(cells: readonly EvaluationCellView[], order: readonly string[], byDepth = false): string[] {
  const asked = new Set(cells.filter((cell) => !byDepth || bandOf(cell) !== null).map(({ suite }) => suite));
  return [...new Set(order)].filter((suite) => asked.has(suite));
}

/** Kinds of questions in a suite; none where it has but one. */
export function kindsOf(cells: readonly EvaluationCellView[], suite: string): string[] {
  const kinds = [...new Set(cells.filter((cell) => cell.suite === suite).map(({ variant }) => kindOf(variant)))];
  return kinds.length > 1 ? kinds : [];
}

/** How well what stands at which depth is found in texts of which length. @param kind null: all */
export function needleMap(
  cells: readonly EvaluationCellView[],
  suite: string,
  kind: string | null,
  lengths = lengthsOf(cells),
): NeedleMap {
  const chosen = cells.filter((cell) => cell.suite === suite && (kind === null || kindOf(cell.variant) === kind));
  const rows = DEPTH_BANDS.map((band) => ({
    band,
    spots: lengths.map((length) => {
      const ofLength = chosen.filter((cell) => cell.length === length);
      const here = ofLength.filter((cell) => bandOf(cell) === band);
      // A text that is too long is not made: nothing stands anywhere in it.
      const unmade = ofLength.filter((cell) => bandOf(cell) === null);
      return spotOf({ suite, kind, band, length }, here.length > 0 ? here : unmade);
    }),
  }));
  return { lengths, rows };
}

/** All questions of a suite, by length. */
export function suiteRow(cells: readonly EvaluationCellView[], suite: string, lengths = lengthsOf(cells)): Spot[] {
  return lengths.map((length) =>
    spotOf(
      { suite, kind: null, band: null, length },
      cells.filter((cell) => cell.suite === suite && cell.length === length),
    ),
  );
}

function spotOf(place: Pick<Spot, 'suite' | 'kind' | 'band' | 'length'>, cells: readonly EvaluationCellView[]): Spot {
  const sum = summedCells(cells);
  const state = sum.answered > 0 ? 'scored' : sum.asked > 0 ? 'noRoom' : 'none';
  const key = [place.suite, place.kind ?? '*', place.band ?? '*', place.length].join(' ');
  return { ...place, key, state, sum, variants: [...new Set(cells.map(({ variant }) => variant))] };
}

/** How well, at each length; null where there was no answer. */
export function accuracies(cells: readonly EvaluationCellView[], lengths: readonly number[]): (number | null)[] {
  return lengths.map((length) => accuracyOf(summedCells(cells.filter((cell) => cell.length === length))) ?? null);
}

/** What counts as used. */
const HALF = 0.5;

/** How long texts may be of which it uses enough. */
export interface Used {
  /** The longest of which at least half of the answers are right, as they are of all shorter ones; undefined: of none. */
  length: number | undefined;
  /** The next one that was asked, which is not used so; undefined where there is none. */
  next: { length: number; accuracy: number | undefined } | undefined;
}

/** What did not fit its length, or the model, says nothing of the shorter ones. */
export function usedLength(cells: readonly EvaluationCellView[]): Used {
  const all = lengthsOf(cells).map((length) => ({ length, accuracy: accuracies(cells, [length])[0] ?? undefined }));
  const answered = all.filter(({ accuracy }) => accuracy !== undefined);
  const end = answered.findIndex(({ accuracy = 0 }) => accuracy < HALF);
  const length = answered[(end < 0 ? answered.length : end) - 1]?.length;
  return { length, next: end < 0 ? all.find((one) => one.length > (length ?? 0)) : answered[end] };
}
