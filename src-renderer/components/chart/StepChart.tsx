import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { ChartFrame, type ChartProps } from './ChartFrame.tsx';
import type { Stops } from './Explorer.tsx';
import type { Label } from './labels.ts';
import { linePath } from './line-path.ts';
import { DOT, type Plot } from './plot.ts';
import { NOT_KNOWN } from './reading.ts';
import { type ChartSeries, Crosshair, colourOf, highestOf } from './TimeChart.tsx';
import { spread } from './time-axis.ts';

interface StepChartProps extends ChartProps {
  /** Numbers of the steps, rising; 0 is what was before the first. */
  steps: readonly number[];
  /** Four at most, as many values as there are steps; what was not measured at a step is null, and the line goes on over it. */
  series: readonly ChartSeries[];
  /** How a value is written beside the crosshair. Default: with two digits after the point. */
  format?: (value: number) => string;
  /** What the steps are where they are none of work: what they count, and how one of them is called. */
  counted?: { as: string; name: (step: number) => string };
}

const LABEL_ROOM = 48;
/** For names of a few letters, of which as many are shown as have room. */
const NAME_ROOM = 36;
const MOST_LABELS = 5;

/** Lines over the steps of some work, with a dot wherever something was measured. */
export function StepChart(props: StepChartProps) {
  const { steps, series } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const write = props.format ?? ((value: number) => format.number(value, 2));
  const shown = steps.flatMap((_, index) => (series.some(({ values }) => isMeasured(values[index])) ? [index] : []));
  const [first = 0, last = 0] = [steps[0], steps.at(-1)];
  const x = (plot: Plot, step: number) =>
    plot.left + ((step - first) / Math.max(1, last - first)) * (plot.right - plot.left);
  const { counted } = props;
  const named = (step: number) => {
    if (counted) return counted.name(step);
    return step === 0 ? t('chart.before') : t('chart.step', { formatted: format.number(step) });
  };
  const label = (step: number) => {
    if (counted) return counted.name(step);
    return step === 0 ? t('chart.before') : format.number(step);
  };
  const stops: Stops = {
    times: shown.map((index) => steps[index] ?? 0),
    x: (plot, stop) => x(plot, steps[shown[stop] ?? 0] ?? 0),
    reading: (_plot, stop) => {
      const index = shown[stop] ?? 0;
      const rows = series.map(({ label, values, colour }, place) => {
        const value = values[index];
        return { label, colour: colourOf(colour, place), value: isMeasured(value) ? write(value) : NOT_KNOWN };
      });
      return { title: named(steps[index] ?? 0), rows };
    },
    mark: (plot, stop) => {
      const index = shown[stop] ?? 0;
      return <Crosshair plot={plot} x={x(plot, steps[index] ?? 0)} series={series} index={index} />;
    },
  };
  const labels = (plot: Plot): Label[] => {
    const [room, wanted] = counted ? [NAME_ROOM, steps.length] : [LABEL_ROOM, MOST_LABELS];
    const most = Math.max(2, Math.min(wanted, Math.floor((plot.right - plot.left) / room)));
    return spread(steps.length, most)
      .reverse()
      .map((index) => steps[index] ?? 0)
      .map((step) => ({ x: x(plot, step), text: label(step) }));
  };
  return (
    <ChartFrame
      {...props}
      counts={counted?.as ?? t('chart.steps')}
      highest={highestOf(series, shown)}
      lowest={Math.min(0, ...series.flatMap(({ values }) => values.filter(isMeasured)))}
      span={last - first}
      stops={stops}
      columns={series.map(({ label }) => label)}
      labels={labels}
    >
      {(plot) => <Lines plot={plot} steps={steps} series={series} x={x} />}
    </ChartFrame>
  );
}

const isMeasured = (value: number | null | undefined): value is number => typeof value === 'number';

interface LinesProps extends Pick<StepChartProps, 'steps' | 'series'> {
  plot: Plot;
  x: (plot: Plot, step: number) => number;
}

function Lines({ plot, steps, series, x }: LinesProps) {
  return series.map(({ label, values, colour }, place) => {
    const ink = colourOf(colour, place);
    const points = steps.flatMap((step, index): (readonly [number, number])[] => {
      const value = values[index];
      return isMeasured(value) ? [[x(plot, step), plot.y(value)]] : [];
    });
    return (
      <g key={label} data-chart="line">
        <path d={linePath(points)} fill="none" stroke={ink} strokeWidth={1.75} strokeLinejoin="round" />
        {points.map(([left, top]) => (
          <circle key={left} cx={left} cy={top} r={DOT - 1} fill={ink} />
        ))}
      </g>
    );
  });
}
