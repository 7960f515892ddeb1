import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { accuracyOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { tokensText } from '../../../../src-preload/contract/token-length.ts';
import { csvOf } from '../../../components/saving/csv.ts';
import { suiteRow, suitesOf } from '../map/map-cells.ts';

const HEAD = [
  ...['suite', 'variant', 'length', 'band', 'asked', 'answered', 'score', 'depth'],
  ...['firstMs', 'totalMs', 'promptTokensPerSecond'],
];

/** Every cell, a line each, for other programs: as the terminal writes them, so that both can be read alike. */
export function cellsCsv({ cells }: Pick<EvaluationDetails, 'cells'>): string {
  return csvOf([
    HEAD,
    ...cells.map((cell) => [
      ...[cell.suite, cell.variant, cell.length, cell.band ?? ''],
      ...[cell.asked, cell.answered, accuracyOf(cell) ?? '', cell.depth ?? ''],
      ...[cell.firstMs ?? '', cell.totalMs ?? '', cell.promptTokensPerSecond ?? ''],
    ]),
  ]);
}

/** Right answers by kind of questions and length, for people, with all that is needed to ask the same. In English: it is read elsewhere. */
export function cellsMarkdown({
  cells,
  plan,
  model,
  sha256,
}: Pick<EvaluationDetails, 'cells' | 'plan' | 'model' | 'sha256'>): string {
  const lengths = [...new Set(plan.lengths)].toSorted((one, other) => one - other);
  const row = (parts: readonly string[]) => `| ${parts.map((part) => part.replaceAll('|', '\\|')).join(' | ')} |`;
  const percent = (share: number | undefined, isNoRoom: boolean) =>
    share === undefined ? (isNoRoom ? 'no room' : '–') : `${Math.round(100 * share)} %`;
  return [
    `# ${model ?? 'A model'} and long texts`,
    '',
    ...(sha256 === null ? [] : [`File: SHA-256 \`${sha256}\``, '']),
    `Seed: \`${plan.seed}\` · ${plan.samples} of each kind and length`,
    '',
    row(['Questions', ...lengths.map((length) => tokensText(length))]),
    row(['---', ...lengths.map(() => '---:')]),
    ...suitesOf(cells, plan.suites).map((suite) =>
      row([
        suite,
        ...suiteRow(cells, suite, lengths).map(({ sum, state }) => percent(accuracyOf(sum), state === 'noRoom')),
      ]),
    ),
    '',
  ].join('\n');
}
