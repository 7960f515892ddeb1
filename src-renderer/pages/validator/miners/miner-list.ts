import type { MINER_KINDS } from '../../../../src-preload/contract/validator-names.ts';
import type { AskedMiner, EndpointView } from '../../../../src-preload/contract/validator-run.ts';

/** A miner that is asked, or would be. */
export interface ListedMiner {
  /** As results name it. */
  id: string;
  kind: (typeof MINER_KINDS)[number];
  /** Of one at an address of its own. */
  endpoint: EndpointView | undefined;
  /** How it goes; undefined while nobody is asked. */
  asked: AskedMiner | undefined;
}

/** All miners: those with addresses of their own by name, then those of the mesh and of subnets, whoever answered most first. */
export function listMiners(endpoints: readonly EndpointView[], asked: readonly AskedMiner[]): ListedMiner[] {
  const byId = new Map(asked.map((one) => [one.miner, one]));
  const own = endpoints.map((endpoint): ListedMiner => {
    const id = `endpoint/${endpoint.name}`;
    return { id, kind: 'endpoint', endpoint, asked: byId.get(id) };
  });
  const others = asked
    .filter(({ kind }) => kind !== 'endpoint') // one that was removed a moment ago is still told of
    .toSorted((a, b) => b.answered - a.answered || (a.miner < b.miner ? -1 : 1))
    .map((one): ListedMiner => ({ id: one.miner, kind: one.kind, endpoint: undefined, asked: one }));
  return [...own, ...others];
}

/** How a miner stands. */
export type MinerStanding = 'off' | 'new' | 'asked' | 'answers' | 'fails';

export function standingOf({ asked }: Pick<ListedMiner, 'asked'>): MinerStanding {
  if (!asked) return 'off';
  if (asked.fault) return 'fails';
  if (asked.heardAt !== null) return 'answers';
  return asked.inFlight > 0 ? 'asked' : 'new';
}
