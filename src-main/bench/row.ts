import { performance } from 'node:perf_hooks';
import { median } from '../base/median.ts';

/** One line of `quarry bench`: ours beside its peer, measured in the same run. */
export interface BenchRow {
  bench: string;
  case: string;
  unit: string;
  /** Median of our runs. */
  ours: number;
  /** Median of the peer's runs; null where the case has no peer. */
  peer: number | null;
  peerName: string | null;
  /** ours ÷ peer for «more is better» units; where less is better the bench says so in `unit`. */
  ratio: number | null;
  /** What ratio (or, with no peer, what value) we want, as text: «≥ 0.95». */
  goal: string | null;
  /** Every run's figure, ours and the peer's, in the order measured: the spread is there to see. */
  runs: { ours: number[]; peer: number[] };
}

/** A bench yields a row as soon as it is measured; `note` lines say what a person should know meanwhile. */
export type BenchEvent = { type: 'row'; row: BenchRow } | { type: 'note'; text: string };

/** Builds a row from both sides' runs. */
export function benchRow(
  row: Pick<BenchRow, 'bench' | 'case' | 'unit' | 'goal'> & { peerName?: string; ours: number[]; peer?: number[] },
): BenchRow {
  const ours = median(row.ours);
  const peer = row.peer?.length ? median(row.peer) : null;
  return {
    bench: row.bench,
    case: row.case,
    unit: row.unit,
    ours,
    peer,
    peerName: row.peerName ?? null,
    ratio: peer === null ? null : ours / peer,
    goal: row.goal,
    runs: { ours: row.ours, peer: row.peer ?? [] },
  };
}

/** @param began of {@link performance.now} */
export function perSecond(count: number, began: number): number {
  return (count * 1_000) / (performance.now() - began);
}

export const note = (text: string): BenchEvent => ({ type: 'note', text });
