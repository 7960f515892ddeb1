import { useTranslation } from 'react-i18next';
import type { LearningRunDetails } from '../../../../src-preload/contract/learning-runs.ts';
import { SERIES_COLOURS } from '../../../components/chart/colours.ts';
import { Legend } from '../../../components/chart/Legend.tsx';
import { StepChart } from '../../../components/chart/StepChart.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { curvesOf } from './run-curves.ts';

interface Line {
  label: string;
  values: readonly (number | null)[];
}

/** The curves of a run: whether it learnt, whether answers became what was wanted, what it still knows, and whether it has anything left to say. */
export function RunCharts({ run }: { run: LearningRunDetails }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const { steps, loss, compliance, capability, margin, marginSum, entropyRatio, selfRouge, drift } = curvesOf(run);
  const hasMargin = margin.some((value) => value !== null);
  const percents = (values: readonly (number | null)[]) => values.map((value) => value && value * 100);
  return (
    <div className={classes.charts}>
      <Chart title={t('chart.answers')} steps={steps} maximum={100} write={(value) => format.percent(value / 100)}>
        {[
          { label: t('measure.compliance'), values: percents(compliance) },
          { label: t('measure.capability'), values: percents(capability) },
        ]}
      </Chart>
      {hasMargin && (
        <>
          <Chart title={t('chart.margin')} steps={steps}>
            {[{ label: t('measure.margin'), values: margin }]}
          </Chart>
          <Chart title={t('chart.marginSum')} steps={steps}>
            {[{ label: t('measure.marginSum'), values: marginSum }]}
          </Chart>
        </>
      )}
      <Chart title={t('chart.loss')} steps={steps}>
        {[{ label: t('measure.loss'), values: loss }]}
      </Chart>
      <Chart title={t('chart.collapse')} steps={steps}>
        {[
          { label: t('measure.entropyRatio'), values: entropyRatio },
          { label: t('measure.selfRouge'), values: selfRouge },
          { label: t('measure.drift'), values: drift },
        ]}
      </Chart>
    </div>
  );
}

interface ChartProps {
  title: string;
  steps: readonly number[];
  maximum?: number;
  write?: (value: number) => string;
  children: readonly Line[];
}

function Chart({ title, steps, maximum, write, children: lines }: ChartProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const said = write ?? ((value: number) => format.number(value, 2));
  const items = lines.map(({ label, values }, place) => {
    const value = values.findLast((one) => one !== null);
    const colour = SERIES_COLOURS[place] ?? '';
    return { label, colour, ...(typeof value === 'number' && { value: said(value) }) };
  });
  const newest = items.map(({ label, value }) => `${label} ${value ?? '–'}`).join(', ');
  return (
    <div>
      <h4 className={classes.chartTitle}>{title}</h4>
      <Legend items={items} />
      <StepChart
        label={t('chart.label', { title, newest })}
        empty={t('chart.empty')}
        steps={steps}
        series={lines}
        format={said}
        height={110}
        {...(maximum !== undefined && { maximum })}
      />
    </div>
  );
}
