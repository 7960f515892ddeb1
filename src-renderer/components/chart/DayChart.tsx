import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { ChartFrame, type ChartProps } from './ChartFrame.tsx';
import { INK, SERIES_COLOURS } from './colours.ts';
import type { Stops } from './Explorer.tsx';
import type { Label } from './labels.ts';
import type { Plot } from './plot.ts';
import { NOT_KNOWN } from './reading.ts';
import { spread } from './time-axis.ts';

export interface DaySeries {
  label: string;
  /** As many as there are days; null where nothing is known. */
  values: readonly (number | null)[];
  /** Default: a whole number. */
  format?: (value: number) => string;
}

interface DayChartProps extends ChartProps {
  /** A time in each day, Unix milliseconds, rising; the last is today unless `end` says otherwise. */
  days: readonly number[];
  /** The bars. */
  series: DaySeries;
  /** What else is told of a day beside the crosshair. */
  others?: readonly DaySeries[];
  /** Of the bars, a CSS colour; default: the first of SERIES_COLOURS. */
  colour?: string;
  /** The word below the last day; null: its date. Default: «today». */
  end?: string | null;
}

const LABEL_ROOM = 64;
const MOST_LABELS = 5;
const WIDEST = 48;
/** How much of its place a bar takes; of a narrow place more. */
const SHARE = { wide: 0.72, narrow: 0.8 };
/** A day below zero: a stroke that hangs from the line. Its number is beside the crosshair and in the table. */
const BELOW = 3;

/** A bar a day. */
export function DayChart(props: DayChartProps) {
  const { days, series, others = [], colour = SERIES_COLOURS[0] } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const slot = (plot: Plot) => (plot.right - plot.left) / days.length;
  const x = (plot: Plot, index: number) => plot.left + (index + 0.5) * slot(plot);
  const all = [series, ...others];
  const hasSome = series.values.some((value) => value !== null && value !== 0);

  const stops: Stops = {
    times: hasSome ? days : [],
    x,
    reading: (_plot, index) => ({
      title: format.weekday(days[index] ?? 0),
      rows: all.map(({ label, values, format: write = (value) => format.number(value) }, place) => {
        const value = values[index];
        return { label, value: typeof value === 'number' ? write(value) : NOT_KNOWN, ...(place === 0 && { colour }) };
      }),
    }),
    mark: (plot, index) => (
      <rect
        data-chart="crosshair"
        x={x(plot, index) - slot(plot) / 2}
        y={plot.top}
        width={slot(plot)}
        height={plot.bottom - plot.top}
        rx={2}
        fill={INK.strong}
        opacity={0.08}
      />
    ),
  };
  const labels = (plot: Plot): Label[] => {
    const most = Math.floor((plot.right - plot.left) / LABEL_ROOM);
    const last = days.length - 1;
    const end = props.end === undefined ? t('chart.today') : props.end;
    return spread(days.length, Math.max(2, Math.min(MOST_LABELS, most)))
      .reverse()
      .map((index) => ({ x: x(plot, index), text: (index === last && end) || format.day(days[index] ?? 0) }));
  };
  return (
    <ChartFrame
      {...props}
      highest={Math.max(0, ...series.values.map((value) => value ?? 0))}
      span={days.length}
      stops={stops}
      columns={all.map(({ label }) => label)}
      labels={labels}
    >
      {(plot) => <Bars plot={plot} values={series.values} slot={slot(plot)} colour={colour} />}
    </ChartFrame>
  );
}

interface BarsProps {
  plot: Plot;
  values: readonly (number | null)[];
  /** Pixels. */
  slot: number;
  colour: string;
}

function Bars({ plot, values, slot, colour }: BarsProps) {
  const width = Math.min(WIDEST, slot * (slot > 8 ? SHARE.wide : SHARE.narrow));
  return (
    <g data-chart="bars">
      {values.map((value, index) => {
        if (!value) return null;
        const left = plot.left + (index + 0.5) * slot - width / 2;
        const height = value < 0 ? BELOW : Math.max(2, plot.bottom - plot.y(value));
        const top = value < 0 ? plot.bottom : plot.bottom - height;
        return <path key={index} d={bar(left, top, width, height)} fill={value < 0 ? INK.error : colour} />;
      })}
    </g>
  );
}

/** A bar with a rounded top. */
function bar(left: number, top: number, width: number, height: number): string {
  const radius = Math.min(3, width / 2, height);
  return `M${left} ${top + height}v${radius - height}q0 ${-radius} ${radius} ${-radius}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}v${height - radius}z`;
}
