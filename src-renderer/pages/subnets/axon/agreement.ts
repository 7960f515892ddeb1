import { IconAlertTriangle, IconCheck, IconPlayerStop, IconSpeakerphone, type TablerIcon } from '@tabler/icons-react';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import type { NeuronView } from '../../../../src-preload/contract/chain.ts';
import { isSamePlace } from '../../../../src-preload/contract/place.ts';
import type { State } from '../../../components/state.ts';

/**
 * Whether others are told of the axon that runs here. `none`: of no axon. `elsewhere`: it answers for another hotkey, or there is one on
 * another computer. `other`: at another address than it has. `unsure`: it runs, and nobody knows its address.
 */
export type Agreement = 'same' | 'none' | 'stopped' | 'elsewhere' | 'other' | 'unsure';

export const AGREEMENT_LOOKS: Record<Agreement, { state: State; icon: TablerIcon }> = {
  same: { state: 'good', icon: IconCheck },
  none: { state: 'idle', icon: IconSpeakerphone },
  stopped: { state: 'pause', icon: IconPlayerStop },
  elsewhere: { state: 'idle', icon: IconPlayerStop },
  other: { state: 'error', icon: IconAlertTriangle },
  unsure: { state: 'pause', icon: IconAlertTriangle },
};

/** How what the chain tells of a neuron of one's own fits the axon of this computer. */
export function agreementOf({ hotkey, axon }: Pick<NeuronView, 'hotkey' | 'axon'>, here: AxonState): Agreement {
  if (axon === null) return 'none';
  if (!here.running) return 'stopped';
  if (here.hotkey?.address !== hotkey) return 'elsewhere';
  if (!here.external) return 'unsure';
  return isSamePlace(here.external, axon) ? 'same' : 'other';
}
