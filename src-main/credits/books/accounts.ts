/**
 * The accounts of the ledger. Credits come out of `issue:…` accounts, which alone may go below zero. Score is counted apart, between
 * `score:issued` and `score:earned`.
 */

/** What this node still owes a peer for what that has served it: the peer may spend it here, once. */
export const claim = (peer: string) => `claim:${peer}`;
/** Less by all that a peer has ever served this node. */
export const issueService = (peer: string) => `${ISSUE_SERVICE}${peer}`;
export const ISSUE_SERVICE = 'issue:service:';
/** What of a peer's claim this node has drawn by signing vouchers for it. */
export const vouched = (peer: string) => `vouched:${peer}`;
/** What others have moved to a peer by vouchers, in all: this node does not vouch for it. */
export const moved = (peer: string) => `moved:${peer}`;
export const ISSUE_MOVED = 'issue:moved';
/** What this node has risked on a peer: what others could have here on the peer's word, and the peer elsewhere on this node's. */
export const word = (peer: string) => `word:${peer}`;
export const ISSUE_WORD = 'issue:word';

/** What a client has had here, by claim or as a gift. */
export const had = (client: string) => `client:${client}:spent`;
/** What was given away here. */
export const ISSUE_GIFT = 'issue:gift';

/** What a peer should still owe this node, by this node's own record. */
export const owes = (peer: string) => `owes:${peer}`;
/** All that this node has served others, less what they were found to owe less and what was signed over to others. */
export const ISSUE_SERVED = 'issue:served';
/** What this node has paid in all. */
export const OWN_SPENT = 'own:spent';
/** What of that nobody had owed it: it was given. */
export const ISSUE_GIVEN = 'issue:given';

export const SCORE_EARNED = 'score:earned';
export const SCORE_ISSUED = 'score:issued';

/**
 * Whose credits an entry of before the claims moved: this node's, or a client's at this worker. What there is on such accounts buys
 * nothing any more; the ledger is append-only, so that they stay.
 */
export type Holder = 'own' | `client:${string}`;
export const OWN: Holder = 'own';
export const clientHolder = (id: string): Holder => `client:${id}`;
export const available = (holder: Holder) => `${holder}:available`;
export const reserved = (holder: Holder) => `${holder}:reserved`;
export const spent = (holder: Holder) => `${holder}:spent`;
export const ISSUE_ALLOWANCE = 'issue:allowance';
export const ISSUE_POINTS = 'issue:points';
export const ISSUE_BONUS = 'issue:bonus';
export const issueStanding = (client: string) => `issue:standing:${client}`;
