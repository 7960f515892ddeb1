import type { DiffLine, OptimiserAttempt, OptimiserDetails } from '../../../src-preload/contract/optimiser.ts';
import { foreignLine, withoutControls } from '../../base/foreign-text.ts';
import { durationText, table } from '../terminal/output.ts';

/** «1.31× (1.28–1.34)» */
export const speedText = ({ ratio, low, high }: { ratio: number; low: number; high: number }) =>
  `${ratio.toFixed(3)}× (${low.toFixed(3)}–${high.toFixed(3)})`;

/** Of what went wrong, the beginning. */
const MOST_DETAIL = 60;

/** What came of each attempt. */
export function attemptsTable({ list, best }: OptimiserDetails): string {
  const rows = list.map((attempt) => [
    ...[attempt.number, attempt.iteration, attempt.repair, attempt.temperature ?? '–'],
    ...[outcomeText(attempt), attempt.speed ? speedText(attempt.speed) : '–'],
    durationText(1_000 * attempt.seconds),
    attempt.number === best?.number ? 'best' : '',
  ]);
  return table(['ATTEMPT', 'IDEA', 'REPAIR', 'TEMPERATURE', 'OUTCOME', 'SPEED', 'TOOK', ''], rows);
}

function outcomeText({ outcome, detail }: OptimiserAttempt): string {
  if (detail === null) return outcome;
  return `${outcome}: ${foreignLine(detail.split('\n')[0] ?? '').slice(0, MOST_DETAIL)}`;
}

const SIGNS = { same: ' ', gone: '-', new: '+', gap: '…' } as const;

/** Line by line, as tools for versions write it. */
export const diffText = (diff: readonly DiffLine[]) =>
  diff.map(({ kind, text }) => `${SIGNS[kind]} ${withoutControls(text)}`.trimEnd()).join('\n');

/** How a search goes, in a line. */
export function progressText({ iterations, attempts, best, plan, list }: OptimiserDetails): string {
  const last = list.at(-1);
  const came = last ? `, the last one: ${last.outcome}` : '';
  const fastest = best ? `, best ${speedText(best)}` : '';
  return `Idea ${iterations} of ${plan.iterations}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${came}${fastest}`;
}
