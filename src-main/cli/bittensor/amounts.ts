import { taoText } from '../../../src-preload/contract/rao.ts';

/** Rao of the contract as people read it: `1.25`. */
export const tao = (rao: string): string => taoText(BigInt(rao));

/** Four digits behind the point are enough in a table. */
export function roughly(rao: string | null): string {
  if (rao === null) return '–';
  const [whole = '0', decimals = ''] = tao(rao).split('.');
  return `${whole}.${decimals.slice(0, 4).padEnd(4, '0')}`;
}

/** All of an address, in groups of four: so it can be compared. */
export const inGroups = (address: string): string => address.replace(/(.{4})(?=.)/g, '$1 ');

/** The ends of an address, for tables. */
export const ends = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
