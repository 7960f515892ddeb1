import { QuarryError } from './errors.ts';
import { say } from './saying.ts';

/** 1 TAO in rao, the chain's unit (Bittensor §4). Alpha of subnets has the same scale. */
export const RAO_PER_TAO = 1_000_000_000n;
const DECIMALS = 9;
/** Balances are u64 on the chain. */
const MOST = 2n ** 64n - 1n;
const AMOUNT = /^(\d{1,11})(?:\.(\d{1,9}))?$/;

/**
 * An amount as people write it, `1.25`, in rao. Never by floating point: the official SDK's `int(tao * 1e9)` loses a rao here and there.
 * @throws BAD_REQUEST with the field `amount` for what is no amount, has more than nine decimals, or is more than the chain can hold
 */
export function raoOf(tao: string): bigint {
  const [, whole, decimals = ''] = AMOUNT.exec(tao.trim()) ?? [];
  const rao = whole === undefined ? -1n : BigInt(whole) * RAO_PER_TAO + BigInt(decimals.padEnd(DECIMALS, '0'));
  if (rao < 0n || rao > MOST) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.noAmount'), field: 'amount' });
  }
  return rao;
}

/**
 * An amount that a setting has as a number of TAO, in rao: as its nine decimals say, and as exact as the number is.
 * @throws BAD_REQUEST as {@link raoOf}
 */
export const raoOfTao = (tao: number): bigint => raoOf(tao.toFixed(DECIMALS));

/** Rao as people read it: `1.25`, without zeros at the end, all of its digits. */
export function taoText(rao: bigint): string {
  const sign = rao < 0n ? '-' : '';
  const size = rao < 0n ? -rao : rao;
  const decimals = String(size % RAO_PER_TAO)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '');
  return `${sign}${size / RAO_PER_TAO}${decimals && `.${decimals}`}`;
}
