import type { ShareAxis } from './share-axis.ts';

/** A measured share and between which two the true one lies, 0 to 1. */
export interface MeasuredShare {
  mean: number;
  low: number;
  high: number;
}

interface IntervalBarProps {
  /** Said in its place. */
  label: string;
  /** One or several below each other, in the same place of a table all on one axis. */
  shares: readonly (MeasuredShare & { colour: string })[];
  axis: ShareAxis;
}

const LINE = 11;

/** A dot for what was measured and a bar for how sure that is. */
export function IntervalBar({ label, shares, axis }: IntervalBarProps) {
  const height = 9 + LINE * shares.length;
  return (
    <svg role="img" aria-label={label} width="100%" height={height} style={{ display: 'block', overflow: 'visible' }}>
      {axis.ticks.map((tick) => (
        <line key={tick} x1={axis.x(tick)} x2={axis.x(tick)} y1={0} y2={height} stroke="var(--q-line)" />
      ))}
      {shares.map(({ mean, low, high, colour }, place) => {
        const y = 10 + LINE * place;
        const line = {
          x1: axis.x(low),
          x2: axis.x(high),
          y1: y,
          y2: y,
          stroke: colour,
          strokeLinecap: 'round',
        } as const;
        return (
          <g key={place}>
            <line {...line} strokeWidth={5} opacity={0.28} />
            <line {...line} strokeWidth={1.5} />
            <circle cx={axis.x(mean)} cy={y} r={4} fill={colour} />
          </g>
        );
      })}
    </svg>
  );
}

/** The labels of an axis, above or below the bars that share it. */
export function IntervalAxis({ axis, say }: { axis: ShareAxis; say: (share: number) => string }) {
  return (
    <svg width="100%" height={14} aria-hidden style={{ display: 'block', overflow: 'visible' }}>
      {axis.ticks.map((tick, place) => (
        <text
          key={tick}
          data-inner={(place > 0 && place < axis.ticks.length - 1) || undefined}
          x={axis.x(tick)}
          y={11}
          fontSize={11.5}
          fill="var(--q-ink-3)"
          textAnchor={place === axis.ticks.length - 1 ? 'end' : place === 0 ? 'start' : 'middle'}
        >
          {say(tick)}
        </text>
      ))}
    </svg>
  );
}
