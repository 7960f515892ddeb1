import { sha256 } from '../../../../base/sha256.ts';
import { taggedBytes } from '../../../../base/signing.ts';

/** What the server signs of a commitment: with it a miner can show when he committed to what, whatever becomes of the server’s books. */
export interface Receipt {
  server: string;
  hotkey: string;
  commitment: string;
  track: string;
  /** Place in the order of all commitments. */
  number: number;
  block: number;
  /** Unix milliseconds. */
  at: number;
}

/** The bytes of which the server’s hotkey signs a receipt. */
export function receiptBytes({ server, hotkey, commitment, track, number, block, at }: Receipt): Buffer {
  return taggedBytes('quarry-receipt-1', { server, hotkey, commitment, track, number, block, at });
}

/** The bytes of which the server’s hotkey signs a round’s record. */
export function recordBytes(record: object): Buffer {
  return taggedBytes('quarry-round-1', record);
}

/** By what the next record names this one, 64 hex. */
export function recordHash(record: object): string {
  return sha256(recordBytes(record)).toString('hex');
}
