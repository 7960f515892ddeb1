import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Wallets } from '../../src-main/bittensor/wallet/wallets.ts';
import { type ChainAction, chainActionSchema } from '../../src-preload/contract/chain.ts';
import { RAO_PER_TAO } from '../../src-preload/contract/rao.ts';
import { openDesk } from './call-desk.ts';
import { writeKey } from './local-wallets.ts';
import { temporaryFolder } from './quarry-process.ts';
import { encoded, RUNTIME_381 } from './runtime-381.ts';
import { u64 } from './scripted-chain.ts';
import { TakingChain } from './taking-chain.ts';

/** A wallet «main» with a hotkey «hot», neither with a password. Close it. */
export async function deskKeys() {
  const folder = await temporaryFolder();
  const wallets = new Wallets({ folder: join(folder.path, 'wallets') });
  const coldkey = await writeKey(wallets.folder, { wallet: 'main' });
  const hotkey = await writeKey(wallets.folder, { wallet: 'main', hotkey: 'hot' });
  const close = async () => {
    await wallets.close();
    await folder.remove();
  };
  return { wallets, coldkey, hotkey, close };
}

export const slotOf = (...item: [string, string, ...unknown[]]) => RUNTIME_381!.slot(...item)!.key;

/** Gives an account something to pay with. @param free rao. Default 100 TAO */
export function fund(node: TakingChain, account: string, free = 100n * RAO_PER_TAO): void {
  const held = encoded('FrameSystemAccountInfo', { providers: 1, data: { free } });
  node.storage.set(slotOf('system', 'account', account), held);
}

/** A desk on a chain of runtime 381, on which the hotkey is neuron 7 of subnet 3. @param free rao of the coldkey. Default 100 TAO */
export async function deskOn381(
  { wallets, coldkey, hotkey }: Awaited<ReturnType<typeof deskKeys>>,
  { now, free }: { now?: () => number; free?: bigint } = {},
) {
  const own = await temporaryFolder();
  const node = await new TakingChain().open();
  fund(node, coldkey, free);
  node.storage.set(slotOf('subtensorModule', 'uids', 3, hotkey), encoded('u16', 7));
  const opened = await openDesk(own.path, node.url, { now, wallets });
  onTestFinished(async () => {
    await opened.close();
    await node.close();
    await own.remove();
  });
  const draft = (action: ChainAction) => opened.desk.draft(chainActionSchema.parse(action));
  const send = (input: { id: string; typed?: string }) =>
    opened.desk.send({ password: null, ...input }, new AbortController().signal);
  return { ...opened, node, draft, send };
}

const SWAP = { taoAmount: 0n, alphaAmount: 0n, taoFee: 0n, alphaFee: 0n, taoSlippage: 0n, alphaSlippage: 0n };

const words = (values: readonly bigint[]) => `0x${values.map((value) => u64(Number(value)).slice(2)).join('')}`;

/** What a swap of 381 comes to, by the runtime's word, whatever the amount. */
export function tellSwap(node: TakingChain, { price, out }: { price: bigint; out: bigint }): void {
  node.told.set('SwapRuntimeApi_current_alpha_price', u64(Number(price)));
  node.told.set('SwapRuntimeApi_sim_swap_tao_for_alpha', words(Object.values({ ...SWAP, alphaAmount: out })));
  node.told.set('SwapRuntimeApi_sim_swap_alpha_for_tao', words(Object.values({ ...SWAP, taoAmount: out })));
}

/** Pools of a constant product that take no fee, by subnet: what the runtime tells of each swap. */
export function tellPools(node: TakingChain, pools: Record<number, { tao: bigint; alpha: bigint }>): void {
  const asked = (data: string) => {
    const bytes = Buffer.from(data.slice(2), 'hex');
    return { pool: pools[bytes.readUInt16LE(0)]!, amount: bytes.length > 2 ? bytes.readBigUInt64LE(2) : 0n };
  };
  node.told.set('SwapRuntimeApi_current_alpha_price', (data) => {
    const { pool } = asked(data);
    return u64(Number((pool.tao * RAO_PER_TAO) / pool.alpha));
  });
  node.told.set('SwapRuntimeApi_sim_swap_tao_for_alpha', (data) => {
    const { pool, amount } = asked(data);
    const out = (pool.alpha * amount) / (pool.tao + amount);
    return words(Object.values({ ...SWAP, taoAmount: amount, alphaAmount: out }));
  });
  node.told.set('SwapRuntimeApi_sim_swap_alpha_for_tao', (data) => {
    const { pool, amount } = asked(data);
    const out = (pool.tao * amount) / (pool.alpha + amount);
    return words(Object.values({ ...SWAP, taoAmount: out, alphaAmount: amount }));
  });
  for (const [netuid, { tao, alpha }] of Object.entries(pools)) {
    node.storage.set(slotOf('subtensorModule', 'subnetTAO', Number(netuid)), u64(Number(tao)));
    node.storage.set(slotOf('subtensorModule', 'subnetAlphaIn', Number(netuid)), u64(Number(alpha)));
  }
}

/** What the coldkey has staked. */
export function tellStakes(
  node: TakingChain,
  coldkey: string,
  stakes: readonly { hotkey: string; netuid: number; stake: bigint }[],
): void {
  const told = stakes.map((stake) => ({ ...stake, coldkey, isRegistered: true }));
  node.told.set(
    'StakeInfoRuntimeApi_get_stake_info_for_coldkey',
    encoded('Vec<PalletSubtensorRpcInfoStakeInfo>', told),
  );
}
