import { Box, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { INK } from './colours.ts';
import { Drawing, Explorer, type Stops } from './Explorer.tsx';
import { type Label, placeLabels } from './labels.ts';
import { nearest } from './line-path.ts';
import { type Plot, plotOf } from './plot.ts';
import { digitsOf, gridValues, steadyMaximum } from './scale.ts';
import { roundTimes, spread } from './time-axis.ts';

const LABEL_BELOW = 17;
const MOST_ROWS = 12;
const DEFAULT_HEIGHT = 142;

/** What both kinds of chart are told. */
export interface ChartProps {
  /** What the chart shows, in a sentence, for those who hear it; say the newest value or the sum in it. */
  label: string;
  /** Stands in the middle while there is nothing to draw; say when that will change. */
  empty: string;
  /** Where the upper line is; default: a round figure above the highest value, that changes rarely. */
  maximum?: number;
  /** The values are whole numbers, and so are the lines. Default false. */
  whole?: boolean;
  /** Pixels of the plot, without its labels. Default 142. */
  height?: number;
}

interface ChartFrameProps extends ChartProps {
  /** Of all values that are shown. */
  highest: number;
  /** The same, where some are below 0. Default 0. */
  lowest?: number;
  /** How much is shown at a time, in whatever unit: with another one the scale begins anew. */
  span: number;
  /** Whether a strip for payments is below the plot. */
  strip?: boolean;
  stops: Stops;
  /** What the stops count, where it is no time: «Step». */
  counts?: string;
  /** Headings of the columns for those who cannot see the lines, as rows of a reading are labelled. */
  columns: readonly string[];
  /** What may stand below, what matters most first. */
  labels: (plot: Plot) => Label[];
  behind?: (plot: Plot) => ReactNode;
  children: (plot: Plot) => ReactNode;
}

/**
 * What every chart has: lines from 0, and below it where values are, labels below, a crosshair, a table for those who hear it.
 *
 * All is SVG that React draws: cheap enough at an update a second (docs/decisions/0007-the-screens.md has figures beside a canvas).
 * A canvas would need its own text, focus, themes and sharpness; what is an element takes the theme's variables and the page's
 * font, and tests can look at it.
 */
export function ChartFrame(props: ChartFrameProps) {
  const { label, empty, height = DEFAULT_HEIGHT, lowest = 0, strip = false, stops, columns, labels } = props;
  const format = useFormat();
  const { ref, width } = useElementSize();
  const maximum = useMaximum(props);
  const lines = [...linesBelow(lowest, maximum), ...gridValues(maximum)];
  const digits = digitsOf(gridValues(maximum)[1] ?? 1);
  const hasSome = stops.times.length > 0;
  const figures = hasSome ? lines.map((value) => format.short(value, digits)) : [];
  const plot = plotOf({ width, height, maximum, minimum: lines[0] ?? 0, figures, strip });
  const drawn = (
    <>
      {props.behind?.(plot)}
      <Grid plot={plot} lines={lines} figures={figures} />
      <TimeLabels plot={plot} labels={labels(plot)} />
      {hasSome && props.children(plot)}
    </>
  );
  return (
    <Box
      component="figure"
      aria-label={label}
      ref={ref}
      m={0}
      mih={plot.height}
      pos="relative"
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {width > 0 && hasSome && (
        <Explorer plot={plot} stops={stops}>
          {drawn}
        </Explorer>
      )}
      {width > 0 && !hasSome && (
        <>
          <Drawing plot={plot}>{drawn}</Drawing>
          <Nothing plot={plot}>{empty}</Nothing>
        </>
      )}
      {width > 0 && hasSome && (
        <Figures caption={label} plot={plot} stops={stops} columns={columns} counts={props.counts} />
      )}
    </Box>
  );
}

/** Held while the same is shown: what takes its place begins anew. */
function useMaximum({ highest, lowest = 0, maximum, whole, columns, span }: ChartFrameProps): number {
  const of = [span, ...columns].join();
  const [held, setHeld] = useState<{ of: string; value: number }>();
  const value = steadyMaximum(held?.of === of ? held.value : undefined, Math.max(highest, -lowest), whole);
  if (held?.of !== of || held.value !== value) setHeld({ of, value });
  return maximum ?? value;
}

/** As far apart as those above 0. */
function linesBelow(lowest: number, maximum: number): number[] {
  const apart = gridValues(maximum)[1] ?? maximum;
  return Array.from({ length: Math.ceil(-lowest / apart) }, (_, place) => -(place + 1) * apart).reverse();
}

function Grid({ plot, lines, figures }: { plot: Plot; lines: number[]; figures: string[] }) {
  const { left, right, base, bottom } = plot;
  const line = { x1: left, x2: right, shapeRendering: 'crispEdges' } as const;
  return (
    <g data-chart="grid">
      {lines.map((value, index) => (
        <g key={value}>
          <line {...line} y1={plot.y(value)} y2={plot.y(value)} stroke={value === 0 ? INK.base : INK.line} />
          <text x={left - 8} y={plot.y(value) + 4} textAnchor="end" fontSize={11.5} fill={INK.text}>
            {figures[index]}
          </text>
        </g>
      ))}
      {base > bottom && <line {...line} y1={base} y2={base} stroke={INK.base} />}
    </g>
  );
}

function TimeLabels({ plot, labels }: { plot: Plot; labels: Label[] }) {
  return (
    <g data-chart="times">
      {placeLabels(labels, plot.left, plot.right).map(({ x, text, anchor }) => (
        <text key={text} x={x} y={plot.base + LABEL_BELOW} textAnchor={anchor} fontSize={11.5} fill={INK.text}>
          {text}
        </text>
      ))}
    </g>
  );
}

function Nothing({ plot, children }: { plot: Plot; children: string }) {
  return (
    <Text
      pos="absolute"
      top={plot.top}
      h={plot.bottom - plot.top}
      left={0}
      right={0}
      fz={12}
      ta="center"
      c="dimmed"
      style={{ alignContent: 'center' }}
    >
      <Text span inherit px={8} py={3} bg={INK.panel} bdrs={6}>
        {children}
      </Text>
    </Text>
  );
}

/** A few of the figures, for those to whom a line says nothing. */
function Figures({
  caption,
  plot,
  stops,
  columns,
  counts,
}: Pick<ChartFrameProps, 'stops' | 'columns'> & { caption: string; plot: Plot; counts: string | undefined }) {
  const { t } = useTranslation();
  const rows = counts === undefined ? rowsOf(stops.times) : spread(stops.times.length, MOST_ROWS);
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{counts ?? t('chart.time')}</th>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((index) => {
            const { title, rows: cells } = stops.reading(plot, index);
            return (
              <tr key={stops.times[index]}>
                <th scope="row">{title}</th>
                {columns.map((column) => (
                  <td key={column}>{cells.find((row) => row.label === column)?.value}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

/** Stops at round times, and the newest: while time goes on, hardly a row changes. */
function rowsOf(times: readonly number[]): number[] {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const round = roundTimes(first, last, MOST_ROWS - 1).map((at) => nearest(times.length, (one) => times[one] ?? 0, at));
  return [...new Set([...round, times.length - 1])];
}
