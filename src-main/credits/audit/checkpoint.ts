import { z } from 'zod';
import { nodeIdSchema, sha256Schema, signatureSchema } from '../../../src-preload/contract/keys.ts';
import type { Pace } from '../../base/pace.ts';
import { taggedBytes, type Verify } from '../../base/signing.ts';
import type { CheckpointRow } from '../../store/credits/proofs.ts';
import type { Db } from '../../store/database.ts';
import { type Holder, SCORE_EARNED } from '../books/accounts.ts';
import { scoreStateSchema } from '../score/score.ts';
import { BalanceDigest, keptBalances, movedBetween } from './kept-balances.ts';

/** Characters of a checkpoint; an honest one has some thousands. */
const MOST_CHARS = 4_000_000;

const checkpointSchema = z.strictObject({
  v: z.literal(1),
  /** Whose ledger. */
  node: nodeIdSchema,
  /** Unix milliseconds: when everything was read the last time. */
  fullAt: z.int(),
  /** The last entry that was proven. */
  seq: z.int().min(1),
  hash: sha256Schema,
  /** See {@link BalanceDigest}: what was on every account then. */
  balances: sha256Schema,
  /** Receipts that were booked by then. */
  receipts: z.int().min(0),
  /** What was set aside then. */
  open: z.array(z.strictObject({ entry: z.int(), holder: z.string(), amount: z.int() })),
  score: scoreStateSchema,
});

/** Up to where a ledger was proven, and all that a later proof needs to go on from there. */
export type Checkpoint = z.infer<typeof checkpointSchema>;

const bytesOf = (body: object) => taggedBytes('quarry-checkpoint/v1', body);

/** Signs what was proven, as it will be kept: the body as JSON, the signature in hex. @param sign this node's, of bytes */
export function signCheckpoint(checkpoint: Checkpoint, sign: (bytes: Uint8Array) => string): CheckpointRow {
  return { body: JSON.stringify(checkpoint), sig: sign(bytesOf(checkpoint)) };
}

/** @returns undefined for one that is broken, of another node, or not signed by this one */
export function openCheckpoint(
  row: CheckpointRow,
  { id, verify }: { id: string; verify: Verify },
): Checkpoint | undefined {
  if (row.body.length > MOST_CHARS || !signatureSchema.safeParse(row.sig).success) return undefined;
  try {
    const checkpoint = checkpointSchema.parse(JSON.parse(row.body));
    return checkpoint.node === id && verify(id, bytesOf(checkpoint), row.sig) ? checkpoint : undefined;
  } catch {
    return undefined; // then everything is read
  }
}

/** What an audit goes on from. */
export interface AuditStart {
  /** The last entry that need not be read; 0 for none. */
  seq: number;
  hash: string;
  /** Balances after it: of every account at the beginning (none), later of those that move after it. */
  balances: Map<string, number>;
  open: Map<number, { holder: Holder; amount: number }>;
  receipts: number;
  score: Checkpoint['score'] | undefined;
}

export const beginning = (): AuditStart => ({
  seq: 0,
  hash: '0'.repeat(64),
  balances: new Map(),
  open: new Map(),
  receipts: 0,
  score: undefined,
});

/**
 * Holds a checkpoint against the ledger that it is to be of: the entry is there, and all balances of now, less what was booked since, are
 * what they were.
 *
 * @param upTo the last entry that will be audited
 * @returns undefined when it is not of this ledger, or a balance was changed: then everything has to be read
 */
export async function startFrom(
  db: Db,
  { seq, hash, balances, open, receipts, score }: Checkpoint,
  upTo: number,
  pace: Pace,
): Promise<AuditStart | undefined> {
  const entry = await db.selectFrom('ledger_entries').select('hash').where('seq', '=', seq).executeTakeFirst();
  if (entry?.hash !== hash || seq > upTo) return undefined;
  const moved = await movedBetween(db, seq, upTo, pace);
  const digest = new BalanceDigest();
  // The score is held against its account, whether or not it moved.
  const before = new Map([SCORE_EARNED, ...moved.keys()].map((account) => [account, 0]));
  for await (const { account, balance } of keptBalances(db, upTo, pace)) {
    const then = balance - (moved.get(account) ?? 0);
    digest.add(account, then);
    if (before.has(account)) before.set(account, then);
  }
  if (digest.hex() !== balances) return undefined;
  const reservations = open.map(({ entry, holder, amount }) => [entry, { holder: holder as Holder, amount }] as const);
  return { seq, hash, balances: before, open: new Map(reservations), receipts, score };
}
