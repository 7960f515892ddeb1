import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../i18n/format.ts';
import { ChartFrame, type ChartProps } from './ChartFrame.tsx';
import { INK, SERIES_COLOURS } from './colours.ts';
import type { Stops } from './Explorer.tsx';
import { type Label, wordingFor } from './labels.ts';
import { areaPath, linePath, type Point } from './line-path.ts';
import { type Payment, Payments, paidNear } from './Payments.tsx';
import { DOT, type Plot } from './plot.ts';
import { NOT_KNOWN, type ReadingRow } from './reading.ts';
import { roundTimes, type TimeStyle, timeStyle } from './time-axis.ts';

export interface ChartSeries {
  label: string;
  /** As many as there are times; null leaves a gap. */
  values: readonly (number | null)[];
  /** A CSS colour; default: the next of SERIES_COLOURS. */
  colour?: string;
}

/** A time in which nothing was to be drawn, and why. Unix milliseconds. */
export interface Band {
  from: number;
  to: number;
  /** «Paused: you were here» */
  label: string;
  /** «Paused», where that is too long. */
  short?: string;
}

interface TimeChartProps extends ChartProps {
  /** What the chart spans, Unix milliseconds: an axis of fixed length begins before the first sample. */
  from: number;
  to: number;
  /** Of the samples, Unix milliseconds, rising. */
  times: readonly number[];
  /** Four at most. The first has a fade below it. */
  series: readonly ChartSeries[];
  /** How a value is written beside the crosshair. Default: with one digit after the point. */
  format?: (value: number) => string;
  /** The word below the right end: «now», which is the default, or «today»; null if that is a time like any other. */
  end?: string | null;
  bands?: readonly Band[];
  /** Given, even if there are none, there is a strip for them. */
  payments?: readonly Payment[];
  /** Samples further apart are not joined, in milliseconds; default: all are, but for nulls. */
  gapMs?: number;
}

/** Pixels that a label below needs, all in all. */
const LABEL_ROOM: Record<TimeStyle, number> = { seconds: 96, minutes: 64, days: 64 };
/** Round times between the two ends, which have their own. */
const MOST_BETWEEN = 3;

/** Lines over time, on an axis from `from` to `to`: cheap enough to change every second for days. */
export function TimeChart(props: TimeChartProps) {
  const { from, to, times, series, bands = [], payments } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const write = props.format ?? ((value: number) => format.number(value, 1));
  const shown = useMemo(() => indexesShown(times, series, from, to), [times, series, from, to]);
  const style = timeStyle(to - from);
  const x = (plot: Plot, at: number) => plot.left + ((at - from) / (to - from)) * (plot.right - plot.left);

  const rowsAt = (plot: Plot, at: number, index: number): ReadingRow[] => {
    const rows: ReadingRow[] = series.map(({ label, values, colour }, place) => {
      const value = values[index];
      return { label, colour: colourOf(colour, place), value: typeof value === 'number' ? write(value) : NOT_KNOWN };
    });
    const paid = paidNear(payments ?? [], at, (to - from) / (plot.right - plot.left));
    if (paid.count > 0) {
      rows.push({ label: t('chart.paid', paid), value: format.signed(paid.points), tone: 'ore' });
    }
    const band = bands.find((one) => one.from <= at && at <= one.to);
    return band ? [...rows, { label: band.label, value: '', tone: 'pause' }] : rows;
  };
  const stops: Stops = {
    times: shown.map((index) => times[index] ?? 0),
    x: (plot, stop) => x(plot, times[shown[stop] ?? 0] ?? 0),
    reading: (plot, stop) => {
      const index = shown[stop] ?? 0;
      const at = times[index] ?? 0;
      return { title: timeWritten(format, at, to - from), rows: rowsAt(plot, at, index) };
    },
    mark: (plot, stop) => (
      <Crosshair plot={plot} x={x(plot, times[shown[stop] ?? 0] ?? 0)} series={series} index={shown[stop] ?? 0} />
    ),
  };
  const labels = (plot: Plot): Label[] => {
    const most = Math.floor((plot.right - plot.left) / LABEL_ROOM[style]) - 1;
    const between = roundTimes(from, to, Math.max(1, Math.min(MOST_BETWEEN, most)));
    const end = props.end === undefined ? t('chart.now') : props.end;
    return [
      { x: plot.right, text: end ?? written(format, to, style) },
      ...[from, ...between].map((at) => ({ x: x(plot, at), text: written(format, at, style) })),
    ];
  };
  return (
    <ChartFrame
      {...props}
      highest={highestOf(series, shown)}
      span={to - from}
      strip={payments !== undefined}
      stops={stops}
      columns={series.map(({ label }) => label)}
      labels={labels}
      behind={(plot) => <Bands bands={bands} plot={plot} from={from} to={to} />}
    >
      {(plot) => (
        <>
          <Lines {...{ plot, times, series, from, to }} gapMs={props.gapMs ?? Number.POSITIVE_INFINITY} />
          {payments && <Payments payments={payments} plot={plot} x={(at) => x(plot, at)} />}
        </>
      )}
    </ChartFrame>
  );
}

/** Samples in the span of which at least one value is known. */
function indexesShown(times: readonly number[], series: readonly ChartSeries[], from: number, to: number): number[] {
  const shown: number[] = [];
  for (const [index, at] of times.entries()) {
    if (at < from || at > to) continue;
    if (series.some(({ values }) => typeof values[index] === 'number')) shown.push(index);
  }
  return shown;
}

/** @param shown indexes of the values that are */
export function highestOf(series: readonly ChartSeries[], shown: readonly number[]): number {
  let highest = 0;
  for (const { values } of series) for (const index of shown) highest = Math.max(highest, values[index] ?? 0);
  return highest;
}

export const colourOf = (colour: string | undefined, place: number) =>
  colour ?? SERIES_COLOURS[place % SERIES_COLOURS.length];

interface LinesProps {
  plot: Plot;
  times: readonly number[];
  series: readonly ChartSeries[];
  from: number;
  to: number;
  gapMs: number;
}

function Lines({ plot, times, series, from, to, gapMs }: LinesProps) {
  const fade = useId();
  const scale = (plot.right - plot.left) / (to - from);
  return series.map(({ label, values, colour }, place) => {
    const points: Point[] = [];
    let before = Number.NEGATIVE_INFINITY;
    for (const [index, at] of times.entries()) {
      if (at < from || at > to) continue;
      const value = values[index];
      if (at - before > gapMs) points.push(null);
      points.push(typeof value === 'number' ? [plot.left + (at - from) * scale, plot.y(value)] : null);
      before = at;
    }
    const ink = colourOf(colour, place);
    const newest = points.at(-1);
    return (
      <g key={label} data-chart="line">
        {place === 0 && (
          <>
            <linearGradient id={fade} x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" stopColor={ink} stopOpacity={0.24} />
              <stop offset="1" stopColor={ink} stopOpacity={0.02} />
            </linearGradient>
            <path d={areaPath(points, plot.bottom)} fill={`url(#${fade})`} />
          </>
        )}
        <path
          d={linePath(points)}
          fill="none"
          stroke={ink}
          strokeWidth={1.75}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
        {newest && <circle cx={newest[0]} cy={newest[1]} r={DOT} fill={ink} />}
      </g>
    );
  });
}

function Bands({ bands, plot, from, to }: { bands: readonly Band[]; plot: Plot; from: number; to: number }) {
  const x = (at: number) =>
    plot.left + ((Math.max(from, Math.min(at, to)) - from) / (to - from)) * (plot.right - plot.left);
  return bands
    .filter((band) => band.to > from && band.from < to)
    .map((band) => {
      const [left, width] = [x(band.from), x(band.to) - x(band.from)];
      const wording = wordingFor([band.label, band.short], width);
      return (
        <g key={band.from} data-chart="band">
          <rect
            x={left}
            y={plot.top}
            width={Math.max(1, width)}
            height={plot.bottom - plot.top}
            rx={3}
            fill={INK.pauseGround}
            opacity={0.65}
          />
          {wording && (
            <text
              x={left + width / 2}
              y={plot.top + 18}
              textAnchor="middle"
              fontSize={11.5}
              fontWeight={500}
              fill={INK.pause}
            >
              {wording}
            </text>
          )}
        </g>
      );
    });
}

interface CrosshairProps {
  plot: Plot;
  x: number;
  series: readonly ChartSeries[];
  index: number;
}

/** A line where one looks, with a ring on each of the chart's. */
export function Crosshair({ plot, x, series, index }: CrosshairProps) {
  return (
    <g data-chart="crosshair">
      <line x1={x} x2={x} y1={plot.top} y2={plot.base} stroke={INK.text} strokeDasharray="2 3" />
      {series.map(({ label, values, colour }, place) => {
        const value = values[index];
        if (typeof value !== 'number') return null;
        const ink = colourOf(colour, place);
        return <circle key={label} cx={x} cy={plot.y(value)} r={DOT} fill={INK.panel} stroke={ink} strokeWidth={2} />;
      })}
    </g>
  );
}

/** On the axis. */
function written(format: Format, at: number, style: TimeStyle): string {
  if (style === 'days') return format.day(at);
  return style === 'seconds' ? format.clock(at) : format.hours(at);
}

/** Beside the crosshair, where it is to be exact. */
function timeWritten(format: Format, at: number, spanMs: number): string {
  if (timeStyle(spanMs) === 'days') return format.time(at);
  return spanMs <= 3_600_000 ? format.clock(at) : format.hours(at);
}
