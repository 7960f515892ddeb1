import { isIPv4, isIPv6 } from 'node:net';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { publicKeyOf } from '../address.ts';
import { hexOf } from '../hex.ts';
import type { Runtime } from './runtime.ts';
import { byteVector, compact, littleEndian, u16Vector } from './scale.ts';
import { nonsense } from './shapes.ts';

/** Which key has to sign: a coldkey owns the money, and a person confirms each of its calls. */
export type KeyKind = 'hotkey' | 'coldkey';

/** An argument: its name in camelCase, what polkadot.js is given for it, and its bytes as this chain has always written them. */
export type Argument = readonly [name: string, value: unknown, bytes: Uint8Array];

/** A call as some runtime has it. */
export interface CallForm {
  /** As `subtensorModule`. */
  pallet: Pallet;
  /** As `serveAxon`. */
  name: string;
  /** Number of the call in its pallet: it stays the same over all runtimes (Bittensor §3). */
  number: number;
  args: readonly Argument[];
}

/** What is wanted of the chain: the first form that a runtime has is the one that is sent. */
export interface ChainCall {
  signedBy: KeyKind;
  forms: readonly CallForm[];
}

/** Where the pallets have stood: SubtensorModule was 8 in runtime 103, Commitments 17 in 143. */
const PALLETS = { balances: [5], subtensorModule: [7, 8], commitments: [17, 18] } as const;
type Pallet = keyof typeof PALLETS;

const u8 = (name: string, value: number): Argument => [name, value, littleEndian(value, 1)];
const u16 = (name: string, value: number): Argument => [name, value, littleEndian(value, 2)];
const u32 = (name: string, value: number): Argument => [name, value, littleEndian(value, 4)];
const u64 = (name: string, value: bigint): Argument => [name, value, littleEndian(value, 8)];
const u128 = (name: string, value: bigint): Argument => [name, value, littleEndian(value, 16)];
const flag = (name: string, value: boolean): Argument => [name, value, Uint8Array.of(value ? 1 : 0)];
const u16s = (name: string, value: readonly number[]): Argument => [name, value, u16Vector(value)];
const raw = (name: string, value: Uint8Array): Argument => [name, hexOf(value), value];
const vector = (name: string, value: Uint8Array): Argument => [name, hexOf(value), byteVector(value)];
const account = (name: string, address: string): Argument => [name, address, publicKeyOf(address)];

const subtensor = (name: string, number: number, ...args: Argument[]): CallForm => ({
  pallet: 'subtensorModule',
  name,
  number,
  args,
});

/** Registers a hotkey on a subnet and pays what that costs then, whatever it is: see {@link registerUpTo}. */
export function burnedRegister({ netuid, hotkey }: { netuid: number; hotkey: string }): ChainCall {
  return {
    signedBy: 'coldkey',
    forms: [subtensor('burnedRegister', 7, u16('netuid', netuid), account('hotkey', hotkey))],
  };
}

/** The same, for no more than a price in rao. Runtimes up to 381 lack it. */
export function registerUpTo(at: { netuid: number; hotkey: string; limitPrice: bigint }): ChainCall {
  const args = [u16('netuid', at.netuid), account('hotkey', at.hotkey), u64('limitPrice', at.limitPrice)];
  return { signedBy: 'coldkey', forms: [subtensor('registerLimit', 134, ...args)] };
}

/** Where others reach a neuron. */
export interface AxonPlace {
  netuid: number;
  /** IPv4 or IPv6, as people write it. */
  ip: string;
  port: number;
  /** As in the HTTP headers: 10.2.0 is 10002000. */
  version: number;
}

/** The protocol that the official SDK names. */
const PROTOCOL = 4;

/** @throws BAD_REQUEST with the field `ip` or `port` for what the chain would refuse, too */
export function serveAxon({ netuid, ip, port, version }: AxonPlace): ChainCall {
  const args = [
    u16('netuid', netuid),
    u32('version', version),
    u128('ip', ipNumber(ip)),
    u16('port', checkedPort(port)),
    u8('ipType', isIPv4(ip) ? 4 : 6),
    u8('protocol', PROTOCOL),
    u8('placeholder1', 0),
    u8('placeholder2', 0),
  ];
  return { signedBy: 'hotkey', forms: [subtensor('serveAxon', 4, ...args)] };
}

interface OnMechanism {
  netuid: number;
  /** Default 0: the only one that older runtimes know. */
  mechanism?: number;
}

/** Calls on weights come twice: the newer one names a mechanism, and the older one stands for the first. */
function onMechanism(
  { netuid, mechanism = 0 }: OnMechanism,
  [newer, older]: readonly [readonly [string, number], readonly [string, number]],
  args: readonly Argument[],
): ChainCall {
  const forms = [subtensor(...newer, u16('netuid', netuid), u8('mecid', mechanism), ...args)];
  if (mechanism === 0) forms.push(subtensor(...older, u16('netuid', netuid), ...args));
  return { signedBy: 'hotkey', forms };
}

export function setWeights(
  on: OnMechanism,
  { uids, values, versionKey }: { uids: readonly number[]; values: readonly number[]; versionKey: bigint },
): ChainCall {
  const args = [u16s('dests', uids), u16s('weights', values), u64('versionKey', versionKey)];
  return onMechanism(
    on,
    [
      ['setMechanismWeights', 119],
      ['setWeights', 0],
    ],
    args,
  );
}

/** @param hash 32 bytes, of `commitHash` */
export function commitWeights(on: OnMechanism, hash: Uint8Array): ChainCall {
  return onMechanism(
    on,
    [
      ['commitMechanismWeights', 115],
      ['commitWeights', 96],
    ],
    [raw('commitHash', hash)],
  );
}

export function revealWeights(
  on: OnMechanism,
  w: { uids: readonly number[]; values: readonly number[]; salt: readonly number[]; versionKey: bigint },
): ChainCall {
  const args = [u16s('uids', w.uids), u16s('values', w.values), u16s('salt', w.salt), u64('versionKey', w.versionKey)];
  return onMechanism(
    on,
    [
      ['revealMechanismWeights', 116],
      ['revealWeights', 97],
    ],
    args,
  );
}

/** @param commit of `timelockedWeights`, at most 5000 bytes */
export function commitTimelockedWeights(
  on: OnMechanism,
  { commit, round, version }: { commit: Uint8Array; round: number; version: number },
): ChainCall {
  const args = [vector('commit', commit), u64('revealRound', BigInt(round)), u16('commitRevealVersion', version)];
  return onMechanism(
    on,
    [
      ['commitTimelockedMechanismWeights', 118],
      ['commitTimelockedWeights', 113],
    ],
    args,
  );
}

/** Longest of the first form of data, and of the second, which runtime 218 does not have. */
const MOST_RAW = 128;
const MOST_BIG_RAW = 512;
/** SCALE: {@link MOST_RAW} forms stand before it, and seven others. */
const BIG_RAW = 136;

/**
 * What a neuron says in public on a subnet, in the place of what it said before.
 * @throws BAD_REQUEST with the field `data` above 512 bytes
 */
export function setCommitment({ netuid, data }: { netuid: number; data: Uint8Array }): ChainCall {
  if (data.length > MOST_BIG_RAW) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.commitmentTooLong'), field: 'data' });
  }
  const big = data.length > MOST_RAW;
  const value = { fields: [{ [big ? 'BigRaw' : `Raw${data.length}`]: hexOf(data) }] };
  const bytes = big ? [Uint8Array.of(BIG_RAW), byteVector(data)] : [Uint8Array.of(data.length + 1), data];
  const info: Argument = ['info', value, Buffer.concat([compact(1), ...bytes])];
  const form: CallForm = {
    pallet: 'commitments',
    name: 'setCommitment',
    number: 0,
    args: [u16('netuid', netuid), info],
  };
  return { signedBy: 'hotkey', forms: [form] };
}

/** Sends TAO, and leaves the sender what keeps an account alive. @param amount rao */
export function transferKeepAlive({ to, amount }: { to: string; amount: bigint }): ChainCall {
  const key = publicKeyOf(to);
  const dest: Argument = ['dest', { Id: to }, Buffer.concat([Uint8Array.of(0), key])];
  const args = [dest, ['value', amount, compact(amount)] as const];
  return { signedBy: 'coldkey', forms: [{ pallet: 'balances', name: 'transferKeepAlive', number: 3, args }] };
}

interface Staking {
  hotkey: string;
  netuid: number;
  /** Rao, or the same of alpha when it is taken out. */
  amount: bigint;
  /** Rao for one alpha: at a worse price nothing is done. */
  limitPrice: bigint;
}

/** Buys alpha of a subnet for a hotkey, all or nothing. */
export function addStakeLimit({ hotkey, netuid, amount, limitPrice }: Staking): ChainCall {
  const args = [account('hotkey', hotkey), u16('netuid', netuid), u64('amountStaked', amount)];
  const limits = [u64('limitPrice', limitPrice), flag('allowPartial', false)];
  return { signedBy: 'coldkey', forms: [subtensor('addStakeLimit', 88, ...args, ...limits)] };
}

/** Sells alpha of a subnet, all or nothing. */
export function removeStakeLimit({ hotkey, netuid, amount, limitPrice }: Staking): ChainCall {
  const args = [account('hotkey', hotkey), u16('netuid', netuid), u64('amountUnstaked', amount)];
  const limits = [u64('limitPrice', limitPrice), flag('allowPartial', false)];
  return { signedBy: 'coldkey', forms: [subtensor('removeStakeLimit', 89, ...args, ...limits)] };
}

/** Sells all that a hotkey has of a subnet's alpha, also what comes in until then. */
export function removeAllStakeLimit({ hotkey, netuid, amount, limitPrice }: Staking): ChainCall {
  const limit: Argument = ['limitPrice', limitPrice, Buffer.concat([Uint8Array.of(1), littleEndian(limitPrice, 8)])];
  const form = subtensor('removeStakeFullLimit', 103, account('hotkey', hotkey), u16('netuid', netuid), limit);
  return { signedBy: 'coldkey', forms: [form, ...removeStakeLimit({ hotkey, netuid, amount, limitPrice }).forms] };
}

/** Sells alpha of a subnet and buys that of another with it, for the same hotkey, all or nothing. @param limitPrice see `quoteMove` */
export function swapStakeLimit(move: {
  hotkey: string;
  from: number;
  to: number;
  amount: bigint;
  limitPrice: bigint;
}): ChainCall {
  const between = [u16('originNetuid', move.from), u16('destinationNetuid', move.to)];
  const limits = [u64('alphaAmount', move.amount), u64('limitPrice', move.limitPrice), flag('allowPartial', false)];
  return {
    signedBy: 'coldkey',
    forms: [subtensor('swapStakeLimit', 90, account('hotkey', move.hotkey), ...between, ...limits)],
  };
}

/** Puts alpha of a subnet behind another hotkey. Nothing is bought or sold for that. */
export function moveStake(move: { from: string; to: string; netuid: number; amount: bigint }): ChainCall {
  const hotkeys = [account('originHotkey', move.from), account('destinationHotkey', move.to)];
  const subnets = [u16('originNetuid', move.netuid), u16('destinationNetuid', move.netuid)];
  return {
    signedBy: 'coldkey',
    forms: [subtensor('moveStake', 85, ...hotkeys, ...subnets, u64('alphaAmount', move.amount))],
  };
}

/** The form of a call that this runtime has; undefined when it has none. */
export function formFor(runtime: Runtime, { forms }: ChainCall): CallForm | undefined {
  return forms.find(({ pallet, name, args }) => {
    const fields = runtime.call(pallet, name)?.meta.args.map((one) => one.name.toString());
    return fields?.length === args.length && fields.every((field, at) => field === args[at]?.[0]);
  });
}

/**
 * A call as the runtime wants it, built from its metadata. Metadata comes from whoever runs the endpoint, and what is built is signed:
 * so the bytes have to be those that this chain has always had for it. An endpoint cannot have a registration mean a transfer.
 *
 * @returns `0x…`
 * @throws CHAIN_REFUSED when the runtime has no such call; PROTOCOL when its metadata describes another one
 */
export function encodedCall(runtime: Runtime, call: ChainCall): `0x${string}` {
  const form = formFor(runtime, call);
  if (!form) {
    const { specVersion } = runtime.version;
    const name = call.forms.at(0)?.name ?? '';
    throw new QuarryError({
      code: 'CHAIN_REFUSED',
      message: say('bittensor.chain.noSuchCall', { name, runtime: String(specVersion) }),
    });
  }
  const built = builtFrom(runtime, form);
  const arguments_ = hexOf(Buffer.concat([Uint8Array.of(form.number), ...form.args.map(([, , bytes]) => bytes)]));
  const known = PALLETS[form.pallet].some((index) => built === `${hexOf(Uint8Array.of(index))}${arguments_.slice(2)}`);
  if (!known) throw nonsense(`metadata makes ${form.pallet}.${form.name} ${built.slice(0, 200)}`);
  return built;
}

function builtFrom(runtime: Runtime, { pallet, name, args }: CallForm): `0x${string}` {
  try {
    return hexOf(
      runtime
        .call(
          pallet,
          name,
        )?.(...args.map(([, value]) => value))
        .toU8a() ?? new Uint8Array(),
    );
  } catch (error) {
    throw nonsense(error);
  }
}

/** An address of IP as the chain keeps it: 203.0.113.9 is 3405803785. */
function ipNumber(ip: string): bigint {
  if (isIPv4(ip) && ip !== '127.0.0.1' && ip !== '255.255.255.255') {
    return ip.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  }
  if (isIPv6(ip) && !ip.includes('%')) {
    const number = ipv6Number(ip);
    if (number > 1n) return number;
  }
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.noPublicIp'), field: 'ip' });
}

function ipv6Number(ip: string): bigint {
  // The URL parser writes what `::` leaves out, and an IPv4 ending, as hexadecimal groups.
  const [before = '', after = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(before), groups(after)];
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function checkedPort(port: number): number {
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.noPort'), field: 'port' });
}
