import type { NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import type { SortOrder } from '../../../components/page/sort-order.ts';
import { compareRao } from '../compare-rao.ts';

/** Which neurons are shown. */
export const NEURON_CHOICES = ['all', 'own', 'validators'] as const;
export type WhoseNeurons = (typeof NEURON_CHOICES)[number];

export interface NeuronChoice {
  whose: WhoseNeurons;
  /** A number, or a part of a key, an address or a name of one's own. */
  text: string;
}

export const ALL_NEURONS: NeuronChoice = { whose: 'all', text: '' };

export type NeuronSortKey = 'uid' | 'stake' | 'incentive' | 'dividends' | 'consensus' | 'emission' | 'updatedAgo';
export type NeuronOrder = SortOrder<NeuronSortKey>;

export function chooseNeurons(neurons: readonly NeuronView[], { whose, text }: NeuronChoice): NeuronView[] {
  const wanted = text.trim().toLowerCase();
  return neurons.filter(
    (neuron) =>
      (whose === 'all' || (whose === 'own' ? neuron.own !== undefined : neuron.validatorPermit)) &&
      (wanted === '' || textsOf(neuron).some((one) => one.toLowerCase().includes(wanted))),
  );
}

function textsOf({ uid, hotkey, coldkey, axon, own }: NeuronView): string[] {
  return [String(uid), hotkey, coldkey, axon ? placeText(axon) : '', own ? `${own.wallet} ${own.hotkey}` : ''];
}

/** Equals stand in the order of their numbers, so that rows do not jump. */
export function sortNeurons(neurons: readonly NeuronView[], { key, descending }: NeuronOrder): NeuronView[] {
  return neurons.toSorted((one, other) => {
    const [a, b] = [one[key], other[key]];
    const order = typeof a === 'string' ? compareRao(a, String(b)) : a - Number(b);
    return (descending ? -order : order) || one.uid - other.uid;
  });
}

/** The place of a neuron among all by incentive, from 1 on; those with equal incentive share the better one. */
export function incentiveRank(neurons: readonly NeuronView[], { incentive }: NeuronView): number {
  return neurons.filter((one) => one.incentive > incentive).length + 1;
}
