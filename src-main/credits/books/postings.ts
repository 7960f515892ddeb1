import type { Postings } from '../../store/credits/ledger.ts';
import type { VoucherBody } from '../voucher.ts';
import {
  claim,
  had,
  ISSUE_GIFT,
  ISSUE_GIVEN,
  ISSUE_MOVED,
  ISSUE_SERVED,
  ISSUE_WORD,
  issueService,
  moved,
  OWN_SPENT,
  owes,
  SCORE_EARNED,
  SCORE_ISSUED,
  vouched,
  word,
} from './accounts.ts';

/**
 * What a worker books for an answer that a client has signed for, or for a part of one.
 * @param credits what that draws, or gives
 * @param signed what the client signed for: more, where some of it was drawn before without its signature
 */
export function servedPostings(client: string, credits: number, byClaim: boolean, signed = credits): Postings {
  return {
    [byClaim ? claim(client) : ISSUE_GIFT]: -credits,
    [had(client)]: credits,
    [owes(client)]: signed,
    [ISSUE_SERVED]: -signed,
  };
}

/** What a worker books that a client has had without having signed for it: so that owes nothing for it either. */
export function unpledgedPostings(client: string, credits: number): Postings {
  return { [claim(client)]: -credits, [had(client)]: credits };
}

/**
 * What a client books for it.
 * @param owed credits of them that the worker had owed it
 */
export function paidPostings(worker: string, credits: number, owed: number): Postings {
  return {
    [claim(worker)]: credits,
    [issueService(worker)]: -credits,
    [owes(worker)]: -owed,
    [OWN_SPENT]: credits,
    [ISSUE_GIVEN]: owed - credits,
  };
}

/** What a node that vouches books, before it lets the voucher go: it owes the client less, and is owed less by the worker. */
export function vouchedPostings({ kind, client, worker, credits }: VoucherBody): Postings {
  if (kind === 'word') return { [word(client)]: credits, [ISSUE_WORD]: -credits };
  return {
    [claim(client)]: -credits,
    [vouched(client)]: credits,
    [owes(worker)]: -credits,
    [ISSUE_SERVED]: credits,
  };
}

/** What the worker books that takes a voucher. */
export function takenPostings({ kind, by, client, credits }: VoucherBody): Postings {
  if (kind === 'word') return { [word(by)]: credits, [ISSUE_WORD]: -credits };
  return {
    [claim(by)]: -credits,
    [claim(client)]: credits,
    [moved(client)]: credits,
    [ISSUE_MOVED]: -credits,
  };
}

/** What a client books that brings a voucher: one should owe it less, another more. */
export function broughtPostings(by: string, worker: string, credits: number): Postings {
  return { [owes(by)]: -credits, [owes(worker)]: credits };
}

/** What a node books when a peer says that it owes it less than was expected. */
export function correctedPostings(peer: string, credits: number): Postings {
  return { [owes(peer)]: -credits, [ISSUE_SERVED]: credits };
}

/** What earns this node points, or takes some: `points` below 0. */
export function scorePostings(points: number): Postings {
  return { [SCORE_ISSUED]: -points, [SCORE_EARNED]: points };
}
