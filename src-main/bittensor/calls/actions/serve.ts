import { say } from '../../../../src-preload/contract/saying.ts';
import { isInside } from '../../../base/network-prefix.ts';
import { serveAxon } from '../../chain/calls.ts';
import { PROTOCOL_VERSION } from '../../synapse/synapse.ts';
import { ownNeuron } from './own-neuron.ts';
import type { Action } from './prepared-call.ts';

/** Tells everybody where the axon is. */
export const serve: Action<'serve'> = {
  async prepare(tools, wanted) {
    const { netuid, ip, port } = wanted;
    const { hotkey } = await ownNeuron(tools, wanted);
    const call = serveAxon({ netuid, ip, port, version: PROTOCOL_VERSION });
    return { call, moves: 0n, target: hotkey, netuid };
  },

  caution: (_, { ip }) => ({ warnings: isInside(ip) ? [say('chainCalls.warning.insideAddress')] : [] }),
};
