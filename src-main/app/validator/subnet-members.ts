import { SharedWork } from '../../base/shared-work.ts';
import type { Metagraph } from '../../bittensor/chain/metagraph.ts';
import type { MetagraphLookup, SubnetPlace } from '../../subnets/quasar/competition/server/roles.ts';

/** Milliseconds for which a subnet is taken as it was told. */
const FRESH_MS = 60_000;

/** Looks hotkeys up in a subnet, which is asked of the chain once a minute at most, however many ask. @param now Unix milliseconds */
export function subnetMembers(
  neurons: () => Promise<Pick<Metagraph, 'neurons'> | undefined>,
  now: () => number = Date.now,
): MetagraphLookup {
  const asks = new SharedWork<ReadonlyMap<string, SubnetPlace>>();
  let known: { members: ReadonlyMap<string, SubnetPlace>; at: number } | undefined;
  const ask = async () => {
    const all = (await neurons())?.neurons ?? [];
    const members = new Map(
      all.map(({ hotkey, uid, validatorPermit, totalStake }) => [hotkey, { uid, validatorPermit, stake: totalStake }]),
    );
    known = { members, at: now() };
    return members;
  };
  return async (hotkey) => {
    const isFresh = known !== undefined && Math.abs(now() - known.at) < FRESH_MS;
    const members = isFresh && known ? known.members : await asks.take('subnet', ask);
    return members.get(hotkey);
  };
}
