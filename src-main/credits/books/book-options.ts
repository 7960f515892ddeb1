import type { Verify } from '../../base/signing.ts';
import type { Db } from '../../store/database.ts';
import type { Writer } from '../../store/writer.ts';
import type { Dues } from './dues.ts';

/** A node's name and its signature (128 hex) under what it says. */
export interface Signer {
  /** 64 hex. */
  id: string;
  sign(bytes: Uint8Array): string;
}

export interface BookOptions {
  db: Db;
  writer: Writer;
  identity: Signer;
  verify: Verify;
  dues: Dues;
  /** Unix milliseconds. */
  now: () => number;
}
