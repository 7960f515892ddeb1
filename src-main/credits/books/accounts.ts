/**
 * The accounts of the ledger. A holder is `own` (this node) or `client:<id>` (a client, as this worker sees it); credits that
 * it may spend, has set aside, and has spent. Credits come out of `issue:…` accounts, which alone may go below zero: what
 * they have issued is what everyone holds. Score is counted apart, between `score:issued` and `score:earned`.
 */
export type Holder = 'own' | `client:${string}`;

export const OWN: Holder = 'own';
export const SCORE_EARNED = 'score:earned';
export const SCORE_ISSUED = 'score:issued';

export const clientHolder = (id: string): Holder => `client:${id}`;

export const available = (holder: Holder) => `${holder}:available`;
export const reserved = (holder: Holder) => `${holder}:reserved`;
export const spent = (holder: Holder) => `${holder}:spent`;

/** Newcomers' grants and daily refills. */
export const ISSUE_ALLOWANCE = 'issue:allowance';
/** Points of this node's own receipts. */
export const ISSUE_POINTS = 'issue:points';
/** This node's achievements. */
export const ISSUE_BONUS = 'issue:bonus';
/** What a client may spend here because the mesh confirms that it has earned it elsewhere. */
export const issueStanding = (client: string) => `issue:standing:${client}`;
