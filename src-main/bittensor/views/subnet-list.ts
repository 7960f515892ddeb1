import { z } from 'zod';
import { foreignLine } from '../../base/foreign-text.ts';
import { severalAtOnce } from '../../base/several-at-once.ts';
import type { ChainReader, Item } from '../chain/chain-reader.ts';
import { bigNumber, bytes, MOST_SUBNETS, number } from '../chain/shapes.ts';
import { readPrices } from './prices.ts';

/** Netuids that are looked for at once; where none of them is a subnet, no later one is. */
const NETUIDS_AT_ONCE = 128;
/** Hotkeys of this computer that are looked for, and so many at once. */
const MOST_HOTKEYS = 256;
const HOTKEYS_AT_ONCE = 16;
const MOST_NAME = 64;

const IDENTITY = z.object({ subnetName: bytes });
/** `DynamicInfo`, of which only what a subnet is called is read (Bittensor §3.5). */
const DYNAMIC = z.object({
  netuid: number,
  subnetName: z.array(z.int().min(0).max(255)),
  subnetIdentity: IDENTITY.nullish(),
});
const ALL_DYNAMIC = z.array(DYNAMIC.nullable()).max(MOST_SUBNETS);

/** A subnet, as people choose among them. */
export interface Subnet {
  netuid: number;
  /** As its owner calls it, held to one short line; empty where nobody says. */
  name: string;
  /** Who is registered, and how many may be. */
  neurons: number;
  places: number;
  /** Rao for one alpha; undefined where nobody tells. */
  price: bigint | undefined;
  /** Rao. */
  registrationCost: bigint | undefined;
  registrationOpen: boolean;
  /** How many of this computer's hotkeys are registered there. */
  own: number;
}

const subtensor = (item: string, netuid: number): Item => ['subtensorModule', item, netuid];

/** Every subnet there is, by its number. @param hotkeys this computer's: how many of them are registered is counted */
export async function readSubnets(reader: ChainReader, hotkeys: readonly string[]): Promise<Subnet[]> {
  const netuids = await readNetuids(reader);
  const each = <T>(shape: z.ZodType<T>, item: string) =>
    reader.many(
      shape,
      netuids.map((netuid) => subtensor(item, netuid)),
    );
  const [names, prices, own, neurons, places, costs, open] = await Promise.all([
    readNames(reader, netuids),
    readPrices(reader, netuids),
    countOwn(reader, netuids, hotkeys.slice(0, MOST_HOTKEYS)),
    each(number, 'subnetworkN'),
    each(number, 'maxAllowedUids'),
    each(bigNumber, 'burn'),
    each(z.boolean(), 'networkRegistrationAllowed'),
  ]);
  return netuids.map((netuid, at) => ({
    netuid,
    name: names.get(netuid) ?? '',
    neurons: neurons[at] ?? 0,
    places: places[at] ?? 0,
    price: prices.get(netuid),
    registrationCost: costs[at],
    registrationOpen: open[at] ?? false,
    own: own[at] ?? 0,
  }));
}

async function readNetuids(reader: ChainReader): Promise<number[]> {
  const netuids: number[] = [];
  for (let from = 0; from < MOST_SUBNETS; from += NETUIDS_AT_ONCE) {
    const looked = Array.from({ length: NETUIDS_AT_ONCE }, (_, at) => from + at);
    const added = await reader.many(
      z.boolean(),
      looked.map((netuid) => subtensor('networksAdded', netuid)),
    );
    const found = looked.filter((_, at) => added[at]);
    if (found.length === 0) break;
    netuids.push(...found);
  }
  return netuids;
}

/** How many hotkeys are registered, by subnet in order. What each of them is in is few; all places where one may be are thousands. */
async function countOwn(
  reader: ChainReader,
  netuids: readonly number[],
  hotkeys: readonly string[],
): Promise<number[]> {
  const places = await severalAtOnce(hotkeys, HOTKEYS_AT_ONCE, async (hotkey) =>
    (await reader.keys('subtensorModule', 'isNetworkMember', hotkey)).map(netuidIn),
  );
  const counts = new Map<number, number>();
  for (const netuid of places.flat()) counts.set(netuid, (counts.get(netuid) ?? 0) + 1);
  return netuids.map((netuid) => counts.get(netuid) ?? 0);
}

/** However keys are hashed, they end with the number itself: two bytes, the lower one first. */
function netuidIn(key: string): number {
  const [low = 0, high = 0] = Buffer.from(key.slice(-4), 'hex');
  return low + 256 * high;
}

/** As owners call their subnets, held to one short line. */
async function readNames(reader: ChainReader, netuids: readonly number[]): Promise<Map<number, string>> {
  const told = await reader.api(ALL_DYNAMIC, 'SubnetInfoRuntimeApi', 'get_all_dynamic_info');
  if (told) {
    const known = told.filter((one) => one !== null);
    return new Map(
      known.map((one) => [one.netuid, nameIn(one.subnetIdentity) || cleaned(Buffer.from(one.subnetName))]),
    );
  }
  const items = netuids.map((netuid) => subtensor('subnetIdentities', netuid));
  const identities = await reader.many(IDENTITY, items);
  return new Map(netuids.map((netuid, at) => [netuid, nameIn(identities[at])]));
}

function nameIn(identity: z.infer<typeof IDENTITY> | null | undefined): string {
  return identity ? cleaned(Buffer.from(identity.subnetName.slice(2), 'hex')) : '';
}

const cleaned = (name: Buffer) => foreignLine(name.subarray(0, 4 * MOST_NAME).toString('utf8')).slice(0, MOST_NAME);
