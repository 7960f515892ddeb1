import type { MINER_KINDS } from '../../../../src-preload/contract/validator-names.ts';
import type { AskedMiner, EndpointView, MinerHotkeyView } from '../../../../src-preload/contract/validator-run.ts';

/** A miner that is asked, or would be. */
export interface ListedMiner {
  /** As results name it. */
  id: string;
  kind: (typeof MINER_KINDS)[number];
  /** Of one at an address of its own. */
  endpoint: EndpointView | undefined;
  /** How it goes; undefined while nobody is asked. */
  asked: AskedMiner | undefined;
  /** Which stands for it on the chain; undefined for none, and for those of a subnet, which have their own. */
  hotkey: string | undefined;
}

/**
 * All miners: those with addresses of their own by name, then those of the mesh and of subnets, whoever answered most first; at last workers for which a
 * hotkey stands, and which are not asked now.
 */
export function listMiners(
  endpoints: readonly EndpointView[],
  asked: readonly AskedMiner[],
  hotkeys: readonly MinerHotkeyView[],
): ListedMiner[] {
  const byId = new Map(asked.map((one) => [one.miner, one]));
  const hotkeyOf = new Map(hotkeys.map(({ miner, hotkey }) => [miner, hotkey]));
  const listed = (id: string, kind: ListedMiner['kind'], endpoint?: EndpointView): ListedMiner => ({
    ...{ id, kind, endpoint, asked: byId.get(id), hotkey: hotkeyOf.get(id) },
  });
  const own = endpoints.map((endpoint) => listed(`endpoint/${endpoint.name}`, 'endpoint', endpoint));
  const others = asked
    .filter(({ kind }) => kind !== 'endpoint') // one that was removed a moment ago is still told of
    .toSorted((a, b) => b.answered - a.answered || (a.miner < b.miner ? -1 : 1))
    .map(({ miner, kind }) => listed(miner, kind));
  const away = hotkeys.filter(({ miner }) => !miner.startsWith('endpoint/') && !byId.has(miner));
  return [...own, ...others, ...away.map(({ miner }) => listed(miner, 'mesh'))];
}

/** How a miner stands. */
export type MinerStanding = 'off' | 'new' | 'asked' | 'answers' | 'fails';

export function standingOf({ asked }: Pick<ListedMiner, 'asked'>): MinerStanding {
  if (!asked) return 'off';
  if (asked.fault) return 'fails';
  if (asked.heardAt !== null) return 'answers';
  return asked.inFlight > 0 ? 'asked' : 'new';
}
