import { useTranslation } from 'react-i18next';
import type { EvaluationCellView } from '../../../../src-preload/contract/evaluation.ts';
import { lengthsOf, summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { LengthChart, type LengthLine } from '../LengthChart.tsx';
import { accuracies } from '../map/map-cells.ts';
import { useWords } from '../use-words.ts';

const MOST_LINES = 4;

interface LengthChartsProps {
  cells: readonly EvaluationCellView[];
  suites: readonly string[];
}

/** What longer texts change: how much is right, and how long one waits. */
export function LengthCharts({ cells, suites }: LengthChartsProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const lengths = lengthsOf(cells);
  const right: LengthLine[] =
    suites.length > MOST_LINES
      ? [{ label: t('chart.all'), values: accuracies(cells, lengths) }]
      : suites.map((suite) => ({
          label: words.suite(suite),
          values: accuracies(
            cells.filter((cell) => cell.suite === suite),
            lengths,
          ),
        }));
  const sums = lengths.map((wanted) => summedCells(cells.filter(({ length }) => length === wanted)));
  const first = sums.map(({ firstMs }) => firstMs && firstMs / 1_000);
  const reads = sums.map(({ promptTokensPerSecond }) => promptTokensPerSecond);
  return (
    <Section title={t('chart.title')}>
      <div className={classes.charts}>
        <LengthChart
          title={t('chart.right')}
          lengths={lengths}
          lines={inPercent(right)}
          maximum={100}
          write={(value) => format.percent(value / 100)}
        />
        <LengthChart
          title={t('chart.first')}
          lengths={lengths}
          lines={[{ label: t('chart.firstShort'), values: first }]}
          write={(value) => format.duration(1_000 * value)}
        />
        {reads.some((value) => value !== null) && (
          <LengthChart
            title={t('chart.reads')}
            lengths={lengths}
            lines={[{ label: t('chart.readsShort'), values: reads }]}
            write={(value) => format.number(value)}
          />
        )}
      </div>
    </Section>
  );
}

const inPercent = (lines: readonly LengthLine[]) =>
  lines.map(({ label, values }) => ({ label, values: values.map((value) => value && 100 * value) }));
