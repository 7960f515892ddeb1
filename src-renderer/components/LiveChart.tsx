import 'uplot/dist/uPlot.min.css';
import { Box, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

export interface ChartSeries {
  label: string;
  /** A CSS colour. */
  colour: string;
  /** As many as there are times; null leaves a gap. */
  values: (number | null)[];
}

interface LiveChartProps {
  /** What the chart shows, for those who hear it; say the newest value in it. */
  label: string;
  /** Unix milliseconds, rising. */
  times: number[];
  series: ChartSeries[];
  /** Pixels. Default 160. */
  height?: number;
  /** How a value is written on the axis. */
  format: (value: number) => string;
  /** How a time is written on the axis; default: the clock. */
  formatTime?: (at: number) => string;
}

/** A chart over time that is drawn on a canvas: cheap enough to change every second for days. */
export function LiveChart(props: LiveChartProps) {
  const { label, times, series, height = 160 } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const scheme = useComputedColorScheme();
  const shape = `${scheme} ${height} ${series.map(({ label: name, colour }) => name + colour).join()}`;

  useEffect(() => {
    if (!place.current) return;
    const element = place.current;
    const plot = new uPlot(options(latest.current, element.clientWidth, scheme === 'dark'), [[]], element);
    chart.current = plot;
    plot.setData(dataOf(latest.current));
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
  }, [shape]);

  useEffect(() => chart.current?.setData(dataOf({ times, series })), [times, series]);

  return (
    <Box>
      <Box ref={place} role="img" aria-label={label} h={height} style={{ overflow: 'hidden' }} />
      {series.length > 1 && <Legend series={series} />}
    </Box>
  );
}

function Legend({ series }: { series: ChartSeries[] }) {
  return (
    <Box component="ul" m={0} p={0} style={{ display: 'flex', gap: 16, listStyle: 'none' }}>
      {series.map(({ label, colour }) => (
        <Text component="li" size="xs" key={label}>
          <Box component="span" c={colour} mr={4} aria-hidden>
            ●
          </Box>
          {label}
        </Text>
      ))}
    </Box>
  );
}

function dataOf({ times, series }: Pick<LiveChartProps, 'times' | 'series'>): uPlot.AlignedData {
  return [times.map((at) => at / 1_000), ...series.map(({ values }) => values)];
}

function options(props: LiveChartProps, width: number, dark: boolean): uPlot.Options {
  const { series, height = 160, format, formatTime } = props;
  const ink = dark ? '#c1c2c5' : '#495057';
  const grid = { stroke: dark ? '#373a40' : '#e9ecef', width: 1 };
  return {
    width: Math.max(1, width),
    height,
    padding: [8, 36, 0, 0], // the last time on the axis stands half beside the chart
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] } },
    axes: [
      {
        stroke: ink,
        grid: { show: false },
        ticks: { show: false },
        ...(formatTime && { values: (_plot, ticks) => ticks.map((seconds) => formatTime(seconds * 1_000)) }),
      },
      { stroke: ink, grid, ticks: { show: false }, size: 64, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label, colour }) => ({
        label,
        stroke: colour,
        fill: `${colour}22`,
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      })),
    ],
  };
}
