import { useTranslation } from 'react-i18next';
import { SERIES_COLOURS } from '../../components/chart/colours.ts';
import { Legend } from '../../components/chart/Legend.tsx';
import { StepChart } from '../../components/chart/StepChart.tsx';
import classes from './evaluation.module.css';
import { useWords } from './use-words.ts';

export interface LengthLine {
  label: string;
  /** As many as there are lengths; null where there was no answer. */
  values: readonly (number | null)[];
}

interface LengthChartProps {
  title: string;
  lengths: readonly number[];
  /** Four at most. */
  lines: readonly LengthLine[];
  maximum?: number;
  write: (value: number) => string;
}

/** Lines over the lengths of texts, which stand at equal distances: each is about twice the one before. */
export function LengthChart({ title, lengths, lines, maximum, write }: LengthChartProps) {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const longest = lines.map(({ label, values }) => {
    const value = values.findLast((one) => one !== null);
    return `${label} ${typeof value === 'number' ? write(value) : '–'}`;
  });
  return (
    <div>
      <h3 className={classes.chartTitle}>{title}</h3>
      {lines.length > 1 && (
        <Legend items={lines.map(({ label }, place) => ({ label, colour: SERIES_COLOURS[place] ?? '' }))} />
      )}
      <StepChart
        label={t('chart.label', { title, longest: longest.join(', ') })}
        empty={t('chart.empty')}
        steps={lengths.map((_, place) => place)}
        series={lines}
        format={write}
        height={120}
        counted={{ as: t('chart.length'), name: (place) => words.length(lengths[place] ?? 0) }}
        {...(maximum !== undefined && { maximum })}
      />
    </div>
  );
}
