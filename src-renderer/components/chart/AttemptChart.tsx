import { useFormat } from '../../i18n/format.ts';
import { ChartFrame, type ChartProps } from './ChartFrame.tsx';
import { INK, SERIES_COLOURS } from './colours.ts';
import type { Stops } from './Explorer.tsx';
import type { Label } from './labels.ts';
import { DOT, type Plot } from './plot.ts';
import { NOT_KNOWN } from './reading.ts';
import { spread } from './time-axis.ts';

/** One try: a value between two bounds, or none, as it failed. */
export interface AttemptPoint {
  number: number;
  /** Null: it failed. */
  value: { at: number; low: number; high: number } | null;
  /** What came of it, in a word or two. */
  word: string;
  /** Whether it is the best of all. */
  isBest: boolean;
}

interface AttemptChartProps extends ChartProps {
  points: readonly AttemptPoint[];
  write: (value: number) => string;
  /** Headings: of a try, its value, its bounds and its word; of the line at 1. */
  words: { attempt: string; value: string; bounds: string; outcome: string; par: string };
}

const LABEL_ROOM = 48;
const MOST_LABELS = 6;
const CAP = 3;

/** Tries in their order, each as a dot with its bounds, beside a line at 1; what failed is a cross at the foot. */
export function AttemptChart(props: AttemptChartProps) {
  const { points, write, words } = props;
  const format = useFormat();
  const [first = 0, last = 0] = [points[0]?.number, points.at(-1)?.number];
  const x = (plot: Plot, number: number) => {
    const [left, right] = [plot.left + 2 * DOT, plot.right - 2 * DOT];
    return last === first ? (left + right) / 2 : left + ((number - first) / (last - first)) * (right - left);
  };
  const stops: Stops = {
    times: points.map(({ number }) => number),
    x: (plot, stop) => x(plot, points[stop]?.number ?? 0),
    reading: (_plot, stop) => {
      const { number = 0, value = null, word = '' } = points[stop] ?? {};
      return {
        title: `${words.attempt} ${format.number(number)}`,
        rows: [
          { label: words.value, value: value ? write(value.at) : NOT_KNOWN },
          { label: words.bounds, value: value ? `${write(value.low)} – ${write(value.high)}` : NOT_KNOWN },
          { label: words.outcome, value: word },
        ],
      };
    },
    mark: (plot, stop) => {
      const point = points[stop];
      const at = x(plot, point?.number ?? 0);
      return <line x1={at} x2={at} y1={plot.top} y2={plot.bottom} stroke={INK.base} />;
    },
  };
  const labels = (plot: Plot): Label[] =>
    spread(points.length, Math.max(2, Math.min(MOST_LABELS, Math.floor((plot.right - plot.left) / LABEL_ROOM))))
      .reverse()
      .map((index) => points[index]?.number ?? 0)
      .map((number) => ({ x: x(plot, number), text: format.number(number) }));
  return (
    <ChartFrame
      {...props}
      counts={words.attempt}
      highest={Math.max(1, ...points.map(({ value }) => value?.high ?? 0))}
      span={1}
      stops={stops}
      columns={[words.value, words.bounds, words.outcome]}
      labels={labels}
      behind={(plot) => points.length > 0 && <Par plot={plot} word={words.par} />}
    >
      {(plot) => points.map((point) => <Mark key={point.number} point={point} x={x(plot, point.number)} plot={plot} />)}
    </ChartFrame>
  );
}

/** Where nothing is gained and nothing lost. */
function Par({ plot, word }: { plot: Plot; word: string }) {
  const y = plot.y(1);
  return (
    <g data-chart="par">
      <line x1={plot.left} x2={plot.right} y1={y} y2={y} stroke={INK.text} strokeDasharray="4 4" />
      <text x={plot.right} y={y - 5} textAnchor="end" fontSize={11.5} fill={INK.text}>
        {word}
      </text>
    </g>
  );
}

function Mark({ point: { value, isBest }, x, plot }: { point: AttemptPoint; x: number; plot: Plot }) {
  if (!value) {
    const [y, half] = [plot.bottom - 2 * DOT, CAP];
    const cross = `M${x - half},${y - half}L${x + half},${y + half}M${x - half},${y + half}L${x + half},${y - half}`;
    return <path data-chart="failed" d={cross} stroke={INK.error} strokeWidth={1.5} fill="none" />;
  }
  const [y, top, bottom] = [plot.y(value.at), plot.y(value.high), plot.y(value.low)];
  const ink = isBest ? INK.ore : SERIES_COLOURS[0];
  const bounds = `M${x},${top}V${bottom}M${x - CAP},${top}h${2 * CAP}M${x - CAP},${bottom}h${2 * CAP}`;
  return (
    <g data-chart={isBest ? 'best' : 'measured'}>
      <path d={bounds} stroke={ink} strokeWidth={1.25} fill="none" />
      <circle cx={x} cy={y} r={isBest ? DOT + 1 : DOT} fill={ink} stroke={INK.panel} />
    </g>
  );
}
