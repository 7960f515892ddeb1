import { isUtf8 } from 'node:buffer';
import { say } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { setCommitment } from '../../chain/calls.ts';
import type { Commitment } from '../../chain/subnet.ts';
import { hexOf } from '../../hex.ts';
import { ownNeuron } from './own-neuron.ts';
import type { Action } from './prepared-call.ts';
import { refused } from './refused.ts';

/** Says something in public, in the place of what was said before. */
export const commitment: Action<'commitment'> = {
  async prepare(tools, wanted) {
    const data = Buffer.from(wanted.text);
    if (data.length === 0) throw refused(say('chainCalls.nothingToSay'), 'text');
    const { hotkey } = await ownNeuron(tools, wanted);
    const { netuid } = wanted;
    const before = (await tools.chain.commitments(netuid, [hotkey])).get(hotkey);
    const call = setCommitment({ netuid, data });
    return { call, moves: 0n, target: hotkey, netuid, ...(before && { replaces: textOf(before) }) };
  },
};

/** What stands there, in one line, as an endpoint tells it; bytes that are no text as `0x…`. */
function textOf({ data }: Commitment): string {
  const said = Buffer.concat(data);
  return isUtf8(said) ? foreignLine(said.toString()) : hexOf(said);
}
