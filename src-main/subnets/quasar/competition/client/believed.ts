import { z } from 'zod';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { SignatureCheck } from '../../../../bittensor/axon/signature.ts';
import type { EntryRow } from '../../../../store/competition-entries.ts';
import { receiptBytes } from '../rules/record.ts';
import { type SubmissionView, submissionSchema } from '../wire.ts';
import { untrue } from './competition-problems.ts';

/** What is kept of a server’s receipt: what it signed beyond what the entry has, and the signature. */
const keptReceiptSchema = z.object({ number: z.number(), block: z.number(), at: z.number(), signature: z.string() });
export type KeptReceipt = z.infer<typeof keptReceiptSchema>;

/** A text of bytes as signatures are checked of. */
const isSigned = (signatures: SignatureCheck, bytes: Buffer, signature: string, server: string): boolean =>
  signatures.isRight(bytes.toString('utf8'), Buffer.from(signature, 'hex'), server);

/**
 * Holds what a server says of an own submission to what is known of that: it is about that one, and its receipt is what the server has signed, now and before.
 * @returns the receipt that counts
 * @throws PROTOCOL where it is not so
 */
export function believed(row: EntryRow, view: SubmissionView, signatures: SignatureCheck): KeptReceipt {
  const { id, commitment, track, round, sha256, tokens } = view;
  const isSame = id === row.id && commitment === row.commitment && track === row.track && round === row.round;
  const isSameFile = (sha256 ?? row.sha256) === row.sha256 && (tokens ?? row.tokens) === row.tokens;
  if (!isSame || !isSameFile) throw untrue(say('competitor.otherSubmission', { host: URL.parse(row.url)?.host ?? '' }));
  const receipt = { number: view.number, block: view.committedBlock, at: view.committedAt, signature: view.receipt };
  const { server, hotkey } = row;
  const bytes = receiptBytes({ server, hotkey, commitment, track, ...receipt });
  if (!isSigned(signatures, bytes, receipt.signature, server)) throw untrue(say('competitor.otherReceipt'));
  const before = keptReceipt(row);
  // sr25519 signs anew each time: what is said counts, not how the signature looks.
  if (before && (before.number !== receipt.number || before.block !== receipt.block || before.at !== receipt.at)) {
    throw untrue(say('competitor.changedReceipt'), say('competitor.changedReceipt.hint'));
  }
  return before ?? receipt;
}

/** What the server has signed of an entry; null before that is here. */
export function keptReceipt({ receipt }: Pick<EntryRow, 'receipt'>): KeptReceipt | null {
  return receipt === null ? null : keptReceiptSchema.parse(JSON.parse(receipt));
}

const seenSchema = z.object({ at: z.number(), view: submissionSchema });
/** What the server said last, and when that was, Unix milliseconds. */
export type Seen = z.infer<typeof seenSchema>;

/** What the server said last of an entry; null before it has said anything. */
export function lastSeen({ seen }: Pick<EntryRow, 'seen'>): Seen | null {
  return seen === null ? null : seenSchema.parse(JSON.parse(seen));
}
