import { useFormat } from '../../i18n/format.ts';
import { inkOf, type State } from '../state.ts';
import { ChartFrame, type ChartProps } from './ChartFrame.tsx';
import { INK } from './colours.ts';
import type { Stops } from './Explorer.tsx';
import type { Label } from './labels.ts';
import { DOT, type Plot } from './plot.ts';
import { NOT_KNOWN } from './reading.ts';

/** What was counted of one thing, and what was measured over that. */
export interface ThresholdPoint {
  name: string;
  at: number;
  value: number;
  state: State;
  /** What the state says, in a word. */
  word: string;
  /** Drawn as a triangle: a colour alone says nothing. Else as a dot. */
  isOver: boolean;
}

interface ThresholdChartProps extends ChartProps {
  /** From which count on which value is too much, rising; none: nobody knows. */
  steps: readonly { from: number; threshold: number }[];
  points: readonly ThresholdPoint[];
  write: (value: number) => string;
  /** Headings: of a point, its count, its value, the threshold there, and its word. */
  words: { point: string; at: string; value: string; threshold: string; verdict: string };
  /** Stands above the line. */
  above: string;
  /** What is counted, behind the last count below. */
  axis: string;
}

/** The axis spans at least these counts. Each count has as much room as its double: the more there is, the less does one more matter. */
const FROM = 16;
const TO = 4_096;

/** Points over how much was counted, beside a line that falls in steps: what is above it is too much. */
export function ThresholdChart(props: ThresholdChartProps) {
  const { steps, write, words, above, axis } = props;
  const format = useFormat();
  const points = props.points.toSorted((one, other) => one.at - other.at);
  const to = Math.max(TO, 1.2 * (points.at(-1)?.at ?? 0));
  const x = (plot: Plot, count: number) => {
    const share = Math.log2(Math.max(FROM, count) / FROM) / Math.log2(to / FROM);
    return plot.left + share * (plot.right - plot.left);
  };
  const thresholdAt = (count: number) => steps.findLast(({ from }) => from <= count)?.threshold;
  const stops: Stops = {
    times: points.map((_, place) => place),
    x: (plot, stop) => x(plot, points[stop]?.at ?? 0),
    reading: (_plot, stop) => {
      const { name = '', at = 0, value = 0, word = '' } = points[stop] ?? {};
      const threshold = thresholdAt(at);
      return {
        title: name,
        rows: [
          { label: words.at, value: format.number(at) },
          { label: words.value, value: write(value) },
          { label: words.threshold, value: threshold === undefined ? NOT_KNOWN : write(threshold) },
          { label: words.verdict, value: word },
        ],
      };
    },
    mark: (plot, stop) => {
      const point = points[stop];
      if (!point) return null;
      const place = { cx: x(plot, point.at), cy: plot.y(point.value) };
      return <circle {...place} r={DOT + 5} fill="none" stroke={inkOf(point.state)} strokeWidth={1.5} />;
    },
  };
  const labels = (plot: Plot): Label[] => {
    const counts = steps.length > 0 ? steps.map(({ from }) => from) : [32, 128, 512, 2_048];
    const last = counts.length - 1;
    return counts
      .map((count, place) => ({
        x: x(plot, count),
        text: place === last ? `${format.number(count)} ${axis}` : format.number(count),
      }))
      .reverse();
  };
  return (
    <ChartFrame
      {...props}
      counts={words.point}
      highest={Math.max(0, ...points.map(({ value }) => value), ...steps.map(({ threshold }) => threshold))}
      span={1}
      stops={stops}
      columns={[words.at, words.value, words.threshold, words.verdict]}
      labels={labels}
      behind={(plot) => <Line plot={plot} steps={steps} x={(count) => x(plot, count)} above={above} />}
    >
      {(plot) => points.map((point) => <Mark key={point.name} point={point} x={x(plot, point.at)} plot={plot} />)}
    </ChartFrame>
  );
}

interface LineProps extends Pick<ThresholdChartProps, 'steps'> {
  plot: Plot;
  x: (count: number) => number;
  above: string;
}

/** The line, and a soft ground above it. */
function Line({ plot, steps, x, above }: LineProps) {
  const corners = steps.flatMap(({ from, threshold }, place): [number, number][] => {
    const until = steps[place + 1]?.from;
    const right = until === undefined ? plot.right : x(until);
    return [
      [x(from), plot.y(threshold)],
      [right, plot.y(threshold)],
    ];
  });
  const [first] = corners;
  if (!first) return null;
  const line = corners.map(([left, top]) => `${left},${top}`);
  return (
    <g data-chart="threshold">
      <polygon
        points={[`${first[0]},${plot.top}`, ...line, `${plot.right},${plot.top}`].join(' ')}
        fill="var(--q-error-soft)"
        opacity={0.6}
      />
      <polyline points={line.join(' ')} fill="none" stroke={inkOf('error')} strokeWidth={1.5} strokeDasharray="5 3" />
      <text x={plot.right - 6} y={plot.top + 14} textAnchor="end" fontSize={11.5} fill={inkOf('error')}>
        {above}
      </text>
    </g>
  );
}

function Mark({ point, x, plot }: { point: ThresholdPoint; x: number; plot: Plot }) {
  const y = plot.y(point.value);
  const ink = { fill: inkOf(point.state), stroke: INK.panel, strokeWidth: 1 };
  if (!point.isOver) return <circle cx={x} cy={y} r={DOT + 1} {...ink} />;
  const [half, height] = [DOT + 3, DOT + 2];
  return <polygon points={`${x - half},${y + height} ${x + half},${y + height} ${x},${y - height}`} {...ink} />;
}
