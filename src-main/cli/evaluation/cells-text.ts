import type { EvaluationCellView } from '../../../src-preload/contract/evaluation.ts';
import { durationText, percent, table } from '../terminal/output.ts';
import { lengthText } from './length-list.ts';

/** Scores by kind of question and length: a row each, a column a length; below, how long it took. */
export function cellsTable(cells: readonly EvaluationCellView[]): string {
  const lengths = [...new Set(cells.map(({ length }) => length))].toSorted((one, other) => one - other);
  const kinds = new Map(cells.map((cell) => [`${cell.suite}: ${cell.variant}`, cell]));
  const rows = [...kinds].map(([name, { suite, variant }]) => [
    cells.some((cell) => cell.suite === suite && cell.variant !== '') ? name : suite,
    ...lengths.map((length) =>
      scoreText(cells.find((cell) => cell.suite === suite && cell.variant === variant && cell.length === length)),
    ),
  ]);
  const of = (length: number) => cells.filter((cell) => cell.length === length);
  const all = lengths.map((length) => scoreText(summed(of(length))));
  const first = lengths.map((length) => timeText(mean(of(length).map(({ firstMs }) => firstMs))));
  const speed = lengths.map((length) => speedText(mean(of(length).map((cell) => cell.promptTokensPerSecond))));
  return table(
    ['QUESTIONS', ...lengths.map(lengthText)],
    [...rows, ['all', ...all], ['time to the first word', ...first], ['tokens read a second', ...speed]],
  );
}

type Counted = Pick<EvaluationCellView, 'asked' | 'answered' | 'score'>;

/** «–» where nobody was asked; «no room» where the text was longer than whoever was asked can take. */
function scoreText(cell: Counted | undefined): string {
  if (!cell || cell.asked === 0) return '–';
  return cell.answered === 0 ? 'no room' : percent(cell.score / cell.answered);
}

const summed = (cells: readonly Counted[]): Counted =>
  cells.reduce(
    (sum, cell) => ({
      asked: sum.asked + cell.asked,
      answered: sum.answered + cell.answered,
      score: sum.score + cell.score,
    }),
    { asked: 0, answered: 0, score: 0 },
  );

function mean(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}

const timeText = (ms: number | undefined) => (ms === undefined ? '–' : durationText(ms));
const speedText = (speed: number | undefined) => (speed === undefined ? '–' : speed.toFixed(0));
