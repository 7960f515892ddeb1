import { describe, expect, it } from 'vitest';
import { ScoreInbox } from '../../../../src-main/mesh/scores/score-inbox.ts';
import type { ScoreUpdate, ScoreVerify } from '../../../../src-main/mesh/scores/score-messages.ts';

const claim = (seq: number, over: Partial<ScoreUpdate> = {}): ScoreUpdate => ({
  v: 2,
  type: 'score-update',
  id: '0'.repeat(32),
  ts: 1,
  from: 'a'.repeat(64),
  sig: 'b'.repeat(128),
  workerId: 'a'.repeat(64),
  total: seq * 10,
  seq,
  receiptsRoot: 'c'.repeat(64),
  logKey: 'd'.repeat(64),
  ...over,
});
const statement = (witness: number, seq: number): ScoreVerify => ({
  v: 2,
  type: 'score-verify',
  id: '0'.repeat(32),
  ts: 1,
  from: String(witness).padStart(64, '0'),
  sig: 'b'.repeat(128),
  claim: claim(seq),
});

describe('the inbox', () => {
  it('gives out what can be judged, and keeps the rest', () => {
    const inbox = new ScoreInbox();
    inbox.addClaim(claim(3));
    inbox.addClaim(claim(7));
    inbox.addStatement(statement(1, 5));
    expect(inbox.next(0)).toBe(3);
    expect(inbox.take(5)).toEqual({ claims: [claim(3)], statements: [statement(1, 5)] });
    expect(inbox.next(5)).toBe(7);
    expect(inbox.empty).toBe(false);
    inbox.take(7);
    expect(inbox.empty).toBe(true);
    expect(inbox.next(0)).toBeUndefined();
  });

  it('keeps a claim once, whenever it was signed', () => {
    const inbox = new ScoreInbox();
    inbox.addClaim(claim(3));
    inbox.addClaim(claim(3, { ts: 2, id: '1'.repeat(32) }));
    expect(inbox.take(3).claims).toHaveLength(1);
  });

  it('keeps two claims that contradict each other', () => {
    const inbox = new ScoreInbox();
    inbox.addClaim(claim(3));
    inbox.addClaim(claim(3, { total: 99 }));
    expect(inbox.take(3).claims).toHaveLength(2);
  });

  it('keeps the newest statement of a witness', () => {
    const inbox = new ScoreInbox();
    for (const seq of [4, 6, 5]) inbox.addStatement(statement(1, seq));
    expect(inbox.take(10).statements).toEqual([statement(1, 6)]);
  });

  it('tells when the worker speaks of another log, itself or through a witness', () => {
    const inbox = new ScoreInbox();
    inbox.addClaim(claim(3));
    expect(inbox.contradiction(claim(3).logKey)).toBeUndefined();
    inbox.addStatement({ ...statement(1, 4), claim: claim(4, { logKey: 'e'.repeat(64) }) });
    expect(inbox.contradiction(claim(3).logKey)).toMatchObject({ seq: 4 });
  });

  it('stays small, whoever floods it', () => {
    const inbox = new ScoreInbox();
    for (let index = 1; index <= 1_000; index++) {
      inbox.addClaim(claim(index));
      inbox.addStatement(statement(index, 1));
    }
    const { claims, statements } = inbox.take(1_000);
    expect(claims.length).toBeLessThanOrEqual(8);
    expect(statements.length).toBeLessThanOrEqual(16);
  });
});
