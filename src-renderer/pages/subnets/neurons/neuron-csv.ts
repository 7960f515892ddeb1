import type { MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { taoText } from '../../../../src-preload/contract/rao.ts';
import { csvOf } from '../../../components/saving/csv.ts';

const COLUMNS: readonly (readonly [name: string, cell: (neuron: NeuronView) => string | number | boolean])[] = [
  ['uid', ({ uid }) => uid],
  ['hotkey', ({ hotkey }) => hotkey],
  ['coldkey', ({ coldkey }) => coldkey],
  ['own', ({ own }) => (own ? `${own.wallet}/${own.hotkey}` : '')],
  ['stake', ({ stake }) => taoText(BigInt(stake))],
  ['incentive', ({ incentive }) => incentive],
  ['dividends', ({ dividends }) => dividends],
  ['consensus', ({ consensus }) => consensus],
  ['emission', ({ emission }) => taoText(BigInt(emission))],
  ['axon', ({ axon }) => (axon ? placeText(axon) : '')],
  ['active', ({ active }) => active],
  ['validator_permit', ({ validatorPermit }) => validatorPermit],
  ['updated_blocks_ago', ({ updatedAgo }) => updatedAgo],
  ['registered_at_block', ({ registeredAt }) => registeredAt],
];

/** Neurons as a table for other programs: a head, and a line for each; amounts with all their digits. */
export function neuronsCsv(neurons: readonly NeuronView[]): string {
  return csvOf([COLUMNS.map(([name]) => name), ...neurons.map((neuron) => COLUMNS.map(([, cell]) => cell(neuron)))]);
}

/** `subnet-12-block-5123456.csv` */
export function neuronsFileName({ netuid, block }: Pick<MetagraphView, 'netuid' | 'block'>): string {
  return `subnet-${netuid}-block-${block}.csv`;
}
