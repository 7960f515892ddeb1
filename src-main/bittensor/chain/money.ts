import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { RAO_PER_TAO } from '../../../src-preload/contract/rao.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ChainReader, Item } from './chain-reader.ts';
import { address, bigNumber, fixed, MOST_SUBNETS, number } from './shapes.ts';

/** What an account has, in rao. */
export interface Balance {
  /** What may be spent, but for what is {@link frozen} of it. */
  free: bigint;
  reserved: bigint;
  frozen: bigint;
}

/** Alpha of one subnet behind one hotkey, owned by a coldkey. Root (netuid 0) has TAO. */
export interface Stake {
  hotkey: string;
  netuid: number;
  amount: bigint;
}

/** What a swap between TAO and alpha would come to now, or one between the alpha of two subnets: {@link quoteMove}. */
export interface SwapQuote {
  /** Rao for one alpha, before it. */
  price: bigint;
  /** What comes out: alpha when staking and moving, rao when unstaking. */
  out: bigint;
  /** What would come out if the price did not move by it, and nothing was taken for it. */
  ideal: bigint;
  /** What of it is lost to the price's moving and to the pool's fee, in parts of 10,000. */
  slippage: number;
  /** The price, in rao for one alpha, at which the chain does nothing. */
  limitPrice: bigint;
  /** Below this tolerance, in parts of 10,000, the chain refuses it for what its own amount does to the price; undefined where nothing tells. */
  needs: number | undefined;
}

/** Rao that an account needs to stay (Bittensor §3.7). */
const EXISTENTIAL = 500n;
const PARTS = 10_000n;
const MOST_PRICE = 2n ** 64n - 1n;
const MOST_STAKES = 4_096;
const MOST_HOTKEYS = 256;

const ACCOUNT = z.object({ data: z.object({ free: bigNumber, reserved: bigNumber, frozen: bigNumber.optional() }) });
const STAKES = z.array(z.object({ hotkey: address, netuid: number, stake: bigNumber })).max(MOST_STAKES);
const SWAP = z.object({ taoAmount: bigNumber, alphaAmount: bigNumber, taoFee: bigNumber, alphaFee: bigNumber });

const subtensor = (item: string, ...args: unknown[]): Item => ['subtensorModule', item, ...args];

/** @param account ss58 */
export async function readBalance(reader: ChainReader, account: string): Promise<Balance> {
  const found = await reader.one(ACCOUNT, 'system', 'account', account);
  return { free: 0n, reserved: 0n, ...found?.data, frozen: found?.data.frozen ?? 0n };
}

/** What an account can send, and stay: what is frozen of it, or what it needs to stay, is not there to be sent. */
export function spendable({ free, frozen }: Balance): bigint {
  const kept = frozen > EXISTENTIAL ? frozen : EXISTENTIAL;
  return free > kept ? free - kept : 0n;
}

/** All that a coldkey has staked. */
export async function readStakes(reader: ChainReader, coldkey: string): Promise<Stake[]> {
  const answer = await reader.api(STAKES, 'StakeInfoRuntimeApi', 'get_stake_info_for_coldkey', coldkey);
  const stakes = answer?.map(({ hotkey, netuid, stake }) => ({ hotkey, netuid, amount: stake }));
  return (stakes ?? (await stakesFromStorage(reader, coldkey))).filter(({ amount }) => amount > 0n);
}

/** Runtime 218 counts what everybody has of a hotkey's alpha in shares of a pool, of which the coldkey has some. */
async function stakesFromStorage(reader: ChainReader, coldkey: string): Promise<Stake[]> {
  const hotkeys = (await reader.one(z.array(address).max(MOST_HOTKEYS), ...subtensor('stakingHotkeys', coldkey))) ?? [];
  const subnets = (await reader.one(number.max(MOST_SUBNETS), ...subtensor('totalNetworks'))) ?? 0;
  const places = hotkeys.flatMap((hotkey) => Array.from({ length: subnets + 1 }, (_, netuid) => ({ hotkey, netuid })));
  const sharesOf = z.union([fixed, bigNumber]);
  const own = await reader.many(
    sharesOf,
    places.map(({ hotkey, netuid }) => subtensor('alpha', hotkey, coldkey, netuid)),
  );
  const held = places.flatMap((place, at) => (own[at] ? [{ ...place, shares: own[at] }] : []));
  const all = await reader.many(
    sharesOf,
    held.map(({ hotkey, netuid }) => subtensor('totalHotkeyShares', hotkey, netuid)),
  );
  const alpha = await reader.many(
    bigNumber,
    held.map(({ hotkey, netuid }) => subtensor('totalHotkeyAlpha', hotkey, netuid)),
  );
  return held.map(({ hotkey, netuid, shares }, at) => ({
    hotkey,
    netuid,
    amount: all[at] ? ((alpha[at] ?? 0n) * shares) / all[at] : 0n,
  }));
}

/** Rao for one alpha of a subnet; undefined where nothing tells. On the root, alpha is TAO. */
export async function readAlphaPrice(reader: ChainReader, netuid: number): Promise<bigint | undefined> {
  if (netuid === 0) return RAO_PER_TAO;
  const told = await reader.api(bigNumber, 'SwapRuntimeApi', 'current_alpha_price', netuid);
  if (told !== undefined) return told;
  const pool = await readPool(reader, netuid);
  return pool && (pool.tao * RAO_PER_TAO) / pool.alpha;
}

/** A swap that may be asked for: rao for alpha, or alpha for rao. */
interface Swap {
  way: 'stake' | 'unstake';
  netuid: number;
  /** Rao to stake, or alpha to unstake. */
  amount: bigint;
}

/**
 * What staking or unstaking would come to right now.
 * @param tolerance how much worse than now the price may be, in parts of 10,000: the limit that is sent along
 * @throws CHAIN_REFUSED where the subnet has no price, or no such amount
 */
export async function quoteSwap(reader: ChainReader, swap: Swap & { tolerance: number }): Promise<SwapQuote> {
  const { way, netuid, amount } = swap;
  const price = await certainPrice(reader, netuid);
  const ideal = way === 'stake' ? (amount * RAO_PER_TAO) / price : (amount * price) / RAO_PER_TAO;
  const whole = await swapped(reader, swap);
  const end = await endPrice(reader, swap, whole);
  const tolerance = BigInt(swap.tolerance);
  const limit = (price * (way === 'stake' ? PARTS + tolerance : PARTS - tolerance)) / PARTS;
  return {
    ...{ price, out: whole.out, ideal },
    slippage: partsLost(ideal, whole.out),
    limitPrice: limit < MOST_PRICE ? limit : MOST_PRICE,
    needs: end === undefined ? undefined : partsBetween(price, way === 'stake' ? end - price : price - end),
  };
}

/**
 * What moving stake to another subnet would come to right now: it is sold for TAO, which buys the other's alpha. The price is alpha of the
 * other subnet for one of this, in billionths, as the chain's limit for it is.
 * @param amount alpha of the first
 * @throws CHAIN_REFUSED where one of them has no price, or no such amount
 */
export async function quoteMove(
  reader: ChainReader,
  { from, to, amount, tolerance }: { from: number; to: number; amount: bigint; tolerance: number },
): Promise<SwapQuote> {
  const price = ((await certainPrice(reader, from)) * RAO_PER_TAO) / (await certainPrice(reader, to));
  const ideal = (amount * price) / RAO_PER_TAO;
  const sold = { way: 'unstake', netuid: from, amount } as const;
  const { out: tao } = await swapped(reader, sold);
  const bought = { way: 'stake', netuid: to, amount: tao } as const;
  const { out } = await swapped(reader, bought);
  const end = await endOfMove(reader, sold, bought);
  return {
    ...{ price, out, ideal },
    slippage: partsLost(ideal, out),
    limitPrice: (price * (PARTS - BigInt(tolerance))) / PARTS,
    needs: end === undefined ? undefined : partsBetween(price, price - end),
  };
}

async function certainPrice(reader: ChainReader, netuid: number): Promise<bigint> {
  const price = await readAlphaPrice(reader, netuid);
  if (price) return price;
  throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.noPrice') });
}

const partsLost = (ideal: bigint, out: bigint) => (ideal > out ? Number(((ideal - out) * PARTS) / ideal) : 0);

/** How much it is of a price, in parts of 10,000, rounded up. */
const partsBetween = (price: bigint, by: bigint) => (by > 0n ? Number((by * PARTS + price - 1n) / price) : 0);

interface Swapped {
  /** What of the amount moves the price: the pool's fee does not. */
  paid: bigint;
  out: bigint;
}

/** What the runtime says would come out; where it cannot say, what its pool of a constant product would give. On the root nothing changes. */
async function swapped(reader: ChainReader, { netuid, way, amount }: Swap): Promise<Swapped> {
  if (netuid === 0) return { paid: amount, out: amount };
  const method = way === 'stake' ? 'sim_swap_tao_for_alpha' : 'sim_swap_alpha_for_tao';
  const told = await reader.api(SWAP, 'SwapRuntimeApi', method, netuid, amount);
  if (told && way === 'stake') return { paid: amount - told.taoFee, out: told.alphaAmount };
  if (told) return { paid: amount - told.alphaFee, out: told.taoAmount };
  const pool = await readPool(reader, netuid);
  if (!pool) throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.noPool') });
  const [into, from] = way === 'stake' ? [pool.tao, pool.alpha] : [pool.alpha, pool.tao];
  return { paid: amount, out: (from * amount) / (into + amount) };
}

/** The last part of a swap has nearly the price at which it ends; of a smaller amount it would be rounding. */
const LAST_PART = 64n;
const LEAST_PART = 10_000n;

/**
 * The price at which a swap ends, which is the one that the chain holds to its limit: rao for one alpha, and never worse than it will be.
 * Undefined where it cannot be told.
 */
async function endPrice(reader: ChainReader, swap: Swap, whole: Swapped): Promise<bigint | undefined> {
  const part = swap.amount / LAST_PART;
  if (swap.netuid === 0) return RAO_PER_TAO;
  if (part < LEAST_PART) return undefined;
  const rest = await swapped(reader, { ...swap, amount: swap.amount - part });
  const [paid, got] = [whole.paid - rest.paid, whole.out - rest.out];
  if (paid <= 0n || got <= 0n) return undefined;
  return swap.way === 'stake' ? (paid * RAO_PER_TAO) / got : (got * RAO_PER_TAO) / paid;
}

/** What the chain holds to the limit of a move: with the root, the price of the one subnet; else what both pools come to (`get_max_amount_move`). */
async function endOfMove(reader: ChainReader, sold: Swap, bought: Swap): Promise<bigint | undefined> {
  if (sold.netuid === 0) {
    const end = await endPrice(reader, bought, await swapped(reader, bought));
    return end && (RAO_PER_TAO * RAO_PER_TAO) / end;
  }
  if (bought.netuid === 0) return endPrice(reader, sold, await swapped(reader, sold));
  const [from, to] = [await readPool(reader, sold.netuid), await readPool(reader, bought.netuid)];
  if (!from || !to) return undefined;
  return (to.alpha * from.tao * RAO_PER_TAO) / (sold.amount * (from.tao + to.tao) + from.alpha * to.tao);
}

async function readPool(reader: ChainReader, netuid: number): Promise<{ tao: bigint; alpha: bigint } | undefined> {
  const [tao, alpha] = await reader.many(bigNumber, [
    subtensor('subnetTAO', netuid),
    subtensor('subnetAlphaIn', netuid),
  ]);
  return tao && alpha ? { tao, alpha } : undefined;
}
