import { INK } from './colours.ts';
import type { Plot } from './plot.ts';

/** An answer that was paid for, or some of about the same time. */
export interface Payment {
  /** Unix milliseconds. */
  at: number;
  /** Of all of them. */
  points: number;
  /** Default 1. */
  answers?: number;
}

/** Pixels: the ticks of payments nearer than that would run into each other, and stand as one. */
const COLUMN = 5;
const HIGHEST = 24;
const LOWEST = 6;
const ABOVE_BASE = 3;
/** Pixels from the crosshair within which a payment is meant. */
const NEAR = 4;

/** A tick for each payment, as high as it brought points, in the strip below the plot. */
export function Payments({
  payments,
  plot,
  x,
}: {
  payments: readonly Payment[];
  plot: Plot;
  x: (at: number) => number;
}) {
  const columns = new Map<number, number>();
  for (const { at, points } of payments) {
    const column = Math.round(x(at) / COLUMN);
    if (points > 0 && x(at) >= plot.left && x(at) <= plot.right)
      columns.set(column, (columns.get(column) ?? 0) + points);
  }
  const most = Math.max(...columns.values());
  const bottom = plot.base - ABOVE_BASE;
  return (
    <g data-chart="payments" stroke={INK.oreFill} strokeWidth={3} strokeLinecap="round">
      {[...columns].map(([column, points]) => {
        const place = Math.max(plot.left + 1.5, Math.min(column * COLUMN, plot.right - 1.5));
        const height = LOWEST + ((HIGHEST - LOWEST) * points) / most;
        return <line key={column} x1={place} x2={place} y1={bottom} y2={bottom - height} />;
      })}
    </g>
  );
}

/** How many answers were paid about a time, and what they brought together. */
export function paidNear(payments: readonly Payment[], at: number, msPerPixel: number) {
  const near = payments.filter((payment) => Math.abs(payment.at - at) <= NEAR * msPerPixel);
  return {
    count: near.reduce((sum, { answers = 1 }) => sum + answers, 0),
    points: near.reduce((sum, { points }) => sum + points, 0),
  };
}
