import { z } from 'zod';
import type { ChainReader, Item } from './chain-reader.ts';
import { storageIndex } from './commit-reveal.ts';
import { address, bigNumber, MAX_UIDS, nonsense, number, uids } from './shapes.ts';

/** Where a neuron says it can be reached: anything may stand there. */
export interface ServedAxon {
  /** IPv4 or IPv6, as people write it. */
  ip: string;
  port: number;
  /** Of the program, as the SDK counts: 10.2.0 is 10002000. */
  version: number;
  /** Block in which it was said. */
  block: number;
}

/** One place of a subnet. Shares are of 1; amounts are rao, or the same of alpha. */
export interface Neuron {
  uid: number;
  hotkey: string;
  coldkey: string;
  axon: ServedAxon | undefined;
  active: boolean;
  validatorPermit: boolean;
  /** Of this subnet, what stands behind the hotkey. */
  alphaStake: bigint;
  /** On the root, counted by the chain's weight of TAO. */
  taoStake: bigint;
  /** What counts on this subnet. From storage, without what parents lend. */
  totalStake: bigint;
  incentive: number;
  dividends: number;
  consensus: number;
  /** Alpha of the last epoch. */
  emission: bigint;
  /** Block of its last weights. */
  lastUpdate: number;
  /** Block in which it came. */
  registeredAt: number;
}

/** A subnet's neurons at one block. */
export interface Metagraph {
  netuid: number;
  /** Hash of the block. */
  block: string;
  /** What said it: the runtime, or, where it has no such function, its storage. */
  from: 'runtime' | 'storage';
  /** Blocks between two epochs. */
  tempo: number;
  neurons: Neuron[];
}

const U16_MAX = 65_535;
const U64_MAX = 2n ** 64n - 1n;

const share = number.max(U16_MAX).transform((value) => value / U16_MAX);
const axon = z.object({ block: number, version: number, ip: bigNumber, port: number.max(U16_MAX), ipType: number });
const optional = <T>(of: z.ZodType<T>) => of.nullish();

/** The fields of `SelectiveMetagraph`, by their numbers in the runtime (Bittensor §3.5). */
const FIELDS = [8, 52, 53, 55, 56, 57, 59, 60, 61, 62, 63, 66, 67, 68, 69];
const SELECTIVE = z.object({
  tempo: number,
  hotkeys: uids(address),
  coldkeys: uids(address),
  axons: uids(axon),
  active: uids(z.boolean()),
  validatorPermit: uids(z.boolean()),
  lastUpdate: uids(number),
  emission: uids(bigNumber),
  dividends: uids(share),
  incentives: uids(share),
  consensus: uids(share),
  blockAtRegistration: uids(number),
  alphaStake: uids(bigNumber),
  taoStake: uids(bigNumber),
  totalStake: uids(bigNumber),
});

/** A subnet as it is at a block; undefined when there is none. */
export async function readMetagraph(reader: ChainReader, netuid: number): Promise<Metagraph | undefined> {
  const answer = await reader.api(SELECTIVE, 'SubnetInfoRuntimeApi', 'get_selective_metagraph', netuid, FIELDS);
  if (!answer) return metagraphFromStorage(reader, netuid);
  const { tempo, hotkeys, ...lists } = answer;
  if (Object.values(lists).some(({ length }) => length !== hotkeys.length)) throw nonsense('lists of unlike lengths');
  const neurons = hotkeys.map(
    (hotkey, uid): Neuron => ({
      uid,
      hotkey,
      coldkey: at(lists.coldkeys, uid),
      axon: servedAxon(lists.axons[uid]),
      active: at(lists.active, uid),
      validatorPermit: at(lists.validatorPermit, uid),
      alphaStake: at(lists.alphaStake, uid),
      taoStake: at(lists.taoStake, uid),
      totalStake: at(lists.totalStake, uid),
      incentive: at(lists.incentives, uid),
      dividends: at(lists.dividends, uid),
      consensus: at(lists.consensus, uid),
      emission: at(lists.emission, uid),
      lastUpdate: at(lists.lastUpdate, uid),
      registeredAt: at(lists.blockAtRegistration, uid),
    }),
  );
  return { netuid, block: reader.block, from: 'runtime', tempo, neurons };
}

const subtensor = (item: string, ...args: unknown[]): Item => ['subtensorModule', item, ...args];

async function metagraphFromStorage(reader: ChainReader, netuid: number): Promise<Metagraph | undefined> {
  if (!(await reader.one(z.boolean(), ...subtensor('networksAdded', netuid)))) return undefined;
  const size = (await reader.one(number.max(MAX_UIDS), ...subtensor('subnetworkN', netuid))) ?? 0;
  const all = Array.from({ length: size }, (_, uid) => uid);
  const hotkeys = (
    await reader.many(
      address,
      all.map((uid) => subtensor('keys', netuid, uid)),
    )
  ).filter(isThere);
  if (hotkeys.length !== size) throw nonsense('a neuron without a hotkey');
  const ofEach = <T>(shape: z.ZodType<T>, item: (hotkey: string, uid: number) => Item) =>
    reader.many(shape, hotkeys.map(item));
  const tempo = await reader.one(number, ...subtensor('tempo', netuid));
  const coldkeys = await ofEach(address, (hotkey) => subtensor('owner', hotkey));
  const axons = await ofEach(axon, (hotkey) => subtensor('axons', netuid, hotkey));
  const registeredAt = await ofEach(number, (_, uid) => subtensor('blockAtRegistration', netuid, uid));
  const stakes = await stakesOf(reader, netuid, hotkeys);
  const flags = await reader.many(uids(z.boolean()), [
    subtensor('active', netuid),
    subtensor('validatorPermit', netuid),
  ]);
  const shares = await reader.many(uids(share), [
    subtensor('incentive', storageIndex(netuid)),
    subtensor('dividends', netuid),
    subtensor('consensus', netuid),
  ]);
  const emissions = await reader.one(uids(bigNumber), ...subtensor('emission', netuid));
  const updates = await reader.one(uids(number), ...subtensor('lastUpdate', storageIndex(netuid)));
  const neurons = hotkeys.map(
    (hotkey, uid): Neuron => ({
      uid,
      hotkey,
      coldkey: coldkeys[uid] ?? hotkey,
      axon: servedAxon(axons[uid]),
      active: flags[0]?.[uid] ?? false,
      validatorPermit: flags[1]?.[uid] ?? false,
      ...(stakes[uid] ?? NO_STAKE),
      incentive: shares[0]?.[uid] ?? 0,
      dividends: shares[1]?.[uid] ?? 0,
      consensus: shares[2]?.[uid] ?? 0,
      emission: emissions?.[uid] ?? 0n,
      lastUpdate: updates?.[uid] ?? 0,
      registeredAt: registeredAt[uid] ?? 0,
    }),
  );
  return { netuid, block: reader.block, from: 'storage', tempo: tempo ?? 0, neurons };
}

type Stakes = Pick<Neuron, 'alphaStake' | 'taoStake' | 'totalStake'>;
const NO_STAKE: Stakes = { alphaStake: 0n, taoStake: 0n, totalStake: 0n };

/** By hotkey, in order. Before subnets had alpha (runtime 143), a hotkey had one stake, in TAO. */
async function stakesOf(reader: ChainReader, netuid: number, hotkeys: readonly string[]): Promise<Stakes[]> {
  const read = (item: (hotkey: string) => Item) => reader.many(bigNumber, hotkeys.map(item));
  const alphas = await read((hotkey) => subtensor('totalHotkeyAlpha', hotkey, netuid));
  const roots = await read((hotkey) => subtensor('totalHotkeyAlpha', hotkey, 0));
  const olds = await read((hotkey) => subtensor('totalHotkeyStake', hotkey));
  const weight = await reader.one(bigNumber, ...subtensor('taoWeight'));
  return hotkeys.map((_, uid) => {
    const alphaStake = alphas[uid] ?? 0n;
    const taoStake = alphas[uid] === undefined ? (olds[uid] ?? 0n) : ((roots[uid] ?? 0n) * (weight ?? 0n)) / U64_MAX;
    return { alphaStake, taoStake, totalStake: alphaStake + taoStake };
  });
}

/** A neuron's place on a subnet; undefined for a hotkey that is not registered there. */
export async function readUid(reader: ChainReader, netuid: number, hotkey: string): Promise<number | undefined> {
  const uid = await reader.one(optional(number.max(MAX_UIDS)), ...subtensor('uids', netuid, hotkey));
  return uid ?? undefined;
}

function servedAxon(said: z.infer<typeof axon> | undefined): ServedAxon | undefined {
  if (!said || said.port === 0 || said.ip === 0n) return undefined;
  return { ip: ipText(said.ip, said.ipType), port: said.port, version: said.version, block: said.block };
}

/** A number of the chain as an address: 3405803785 is 203.0.113.9. */
function ipText(ip: bigint, type: number): string {
  if (type === 4) return [24n, 16n, 8n, 0n].map((shift) => (ip >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((ip >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function at<T>(list: readonly T[], place: number): T {
  const value = list[place];
  if (value === undefined) throw nonsense('a list that ends early');
  return value;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
