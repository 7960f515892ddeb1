import { isIP } from 'node:net';
import { isSamePlace, type Place, placeText } from '../../../src-preload/contract/place.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { isInside } from '../../base/network-prefix.ts';
import { ignoring } from '../../base/swallowed.ts';

/** Where others reach an axon, and who says so. */
export interface ExternalAddress extends Place {
  from: 'settings' | 'router' | 'peers';
}

/** Who may know the address, the surest first. */
export interface AddressSources {
  /** What a person has set; of an address without a port it is the one that is listened on. */
  set?: { ip?: string | undefined; port?: number | undefined };
  /** Asks the router (UPnP, NAT-PMP) to let the port in. @returns where it is let in */
  router?: (port: number) => Promise<Place | undefined>;
  /** From which address peers see this computer: the DHT knows it. */
  peers?: () => Promise<string | undefined>;
}

/**
 * The address to tell the chain. What is no address out in the world is not told: nobody could reach it.
 * @param port the axon listens on
 * @returns undefined when nobody knows it
 */
export async function findExternalAddress(
  { set = {}, router, peers }: AddressSources,
  port: number,
): Promise<ExternalAddress | undefined> {
  const external = set.port ?? port;
  if (set.ip !== undefined) return outside({ ip: set.ip, port: external, from: 'settings' });
  const mapped = await router?.(port).catch(ignoring('a router that does not understand is as good as none'));
  const found = mapped && outside({ ...mapped, from: 'router' });
  if (found) return found;
  const seen = await peers?.().catch(ignoring('without peers nobody knows it'));
  return seen === undefined ? undefined : outside({ ip: seen, port: external, from: 'peers' });
}

function outside(address: ExternalAddress): ExternalAddress | undefined {
  return isIP(address.ip) !== 0 && !isInside(address.ip) ? address : undefined;
}

/** What is known of an axon's way to the world. */
export interface ReachFacts {
  /** The port that is listened on; undefined while the axon does not run. */
  port: number | undefined;
  external: ExternalAddress | undefined;
  /** What the chain tells others; undefined where nothing was announced yet. */
  announced: Place | undefined;
  /** Whether somebody from outside was let in. That nobody came says nothing. */
  isReached: boolean;
}

/** As a check of `quarry doctor`. */
export interface ReachFinding {
  status: 'ok' | 'warn' | 'fail' | 'skip';
  found: Saying;
  advice?: Saying;
}

/** Whether others reach the axon, and what to do where they do not. */
export function judgeReach({ port, external, announced, isReached }: ReachFacts): ReachFinding {
  if (port === undefined) return { status: 'skip', found: say('bittensor.axon.notOpen') };
  if (!external) {
    const advice = say('bittensor.axon.setAddress');
    return { status: 'fail', found: say('bittensor.axon.noAddress'), advice };
  }
  const place = placeText(external);
  if (announced && !isSamePlace(announced, external)) {
    const found = say('bittensor.axon.otherAnnounced', { announced: placeText(announced), place });
    return { status: 'fail', found, advice: say('bittensor.axon.announceAgain') };
  }
  if (isReached) return { status: 'ok', found: say('bittensor.axon.reached', { place }) };
  const advice = say('bittensor.axon.forward', { port: String(port), outside: String(external.port) });
  return { status: 'warn', found: say('bittensor.axon.notTried', { place }), advice };
}
