import { describe, expect, it } from 'vitest';
import { EvidenceInbox } from '../../../../src-main/mesh/asking/claimed-answer.ts';
import { evidenceHash, MAX_EVIDENCE, signClaim, type ToldToken } from '../../../../src-main/mesh/inference/claim.ts';
import type { EvidenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';

const requestId = '1'.repeat(32);
const told = (count: number, from = 0) => Array.from({ length: count }, (_, at): ToldToken => [from + at, -1, []]);
const piece = (start: number, count: number): EvidenceMessage => ({
  ...{ v: 2, type: 'evidence', requestId, start, tokens: told(count, start) },
});

describe('evidence that comes piece by piece', () => {
  it('is taken in its order, without a gap and none twice', () => {
    const inbox = new EvidenceInbox(10);
    expect(inbox.take(piece(1, 2))).toBe(false);
    expect(inbox.take(piece(0, 3))).toBe(true);
    expect(inbox.take(piece(0, 3))).toBe(false);
    expect(inbox.take(piece(4, 1))).toBe(false);
    expect(inbox.take(piece(3, 4))).toBe(true);
  });

  it('has one token more than the answer at the most: the one that ended it', () => {
    const inbox = new EvidenceInbox(4);
    expect(inbox.take(piece(0, 4))).toBe(true);
    expect(inbox.take(piece(4, 2))).toBe(false);
    expect(inbox.take(piece(4, 1))).toBe(true);
    expect(inbox.take(piece(5, 1))).toBe(false);
  });

  it('has never more than is audited, and none where none was asked for', () => {
    const long = new EvidenceInbox(1_000_000);
    expect(long.take(piece(0, MAX_EVIDENCE))).toBe(true);
    expect(long.take(piece(MAX_EVIDENCE, 1))).toBe(false);
    expect(new EvidenceInbox(0).take(piece(0, 1))).toBe(false);
  });

  it('is what the claim is about, or nothing: a claim without evidence says nothing, also where it is signed', () => {
    const worker = identityFromSeed(Buffer.alloc(32, 1));
    const hashes = { promptHash: 'a'.repeat(64), resultHash: 'b'.repeat(64) };
    const about = { requestId, worker: worker.id, client: 'c'.repeat(64), ...hashes };
    const claimOf = (tokens: ToldToken[]) =>
      signClaim({ ...about, model: 'd'.repeat(64), evidenceHash: evidenceHash(tokens) }, worker);
    const inbox = new EvidenceInbox(10);
    expect(inbox.claimed(claimOf([]), about)).toBeUndefined();
    inbox.take(piece(0, 2));
    inbox.take(piece(2, 1));
    expect(inbox.claimed(claimOf(told(3)), about)).toEqual(told(3));
    expect(inbox.claimed(claimOf(told(2)), about)).toBeUndefined();
    expect(inbox.claimed(claimOf(told(3)), { ...about, client: 'e'.repeat(64) })).toBeUndefined();
  });
});
