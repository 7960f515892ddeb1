import type { MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';

/** What one's own neurons of a subnet have together. */
export interface OwnPart {
  neurons: NeuronView[];
  /** Shares of 1. */
  incentive: number;
  dividends: number;
  /** Alpha of the last epoch, in rao. */
  emission: string;
}

/** Undefined where none of one's own is there. */
export function ownPart({ rows }: Pick<MetagraphView, 'rows'>): OwnPart | undefined {
  const neurons = rows.filter(({ own }) => own);
  if (neurons.length === 0) return undefined;
  const sum = (of: (neuron: NeuronView) => number) => neurons.reduce((total, neuron) => total + of(neuron), 0);
  return {
    neurons,
    incentive: sum(({ incentive }) => incentive),
    dividends: sum(({ dividends }) => dividends),
    emission: String(neurons.reduce((total, { emission }) => total + BigInt(emission), 0n)),
  };
}
