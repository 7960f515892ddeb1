import { TIERS, type Tier } from '../tiers.ts';

/** Fewest credits that this node must owe a peer for a tier: how soon its requests are served here. */
export const TIER_CLAIM: Record<Tier, number> = {
  newcomer: 0,
  bronze: 1,
  silver: 8,
  gold: 32,
  platinum: 128,
  diamond: 512,
  master: 2_048,
};

/** The tier that a claim of so many credits stands for. */
export function tierOfClaim(credits: number): Tier {
  return TIERS.findLast((tier) => credits >= TIER_CLAIM[tier]) ?? 'newcomer';
}

/** What one peer and this node have had of each other, in credits. */
export interface Account {
  /** What the peer has really served this node: entered when this node pays for an answer. It only grows. */
  served: number;
  /**
   * What of that is used up: by its own requests here, by vouchers that it has signed and by those that this node has signed for it. One
   * counter for all of them. What another has moved to it counts as less, so that this may be below zero.
   */
  drawn: number;
  /**
   * What others have moved to the peer by vouchers. It may spend that here, but this node vouches for none of it: else it would go on and
   * round between honest nodes, and use up what they owe each other. It only grows.
   */
  moved: number;
  /**
   * What this node has risked on the peer: what others could have here on the peer's word, and what the peer could have elsewhere on this
   * node's. It only grows, but for what came to nothing.
   */
  trusted: number;
}

/** A peer's word is good from so many credits served on. */
const LEAST_SERVED = 2;
/** … and for so many times as many. */
const TRUST = 5;
/** Who has served so much itself is none of the many that come and go. */
const LEAST_EARNED = 10;

const isTrusted = ({ served, trusted }: Account, credits: number) =>
  served >= LEAST_SERVED && trusted + credits <= TRUST * served;

const ownOf = (free: number, { moved }: Account) => Math.max(0, free - moved);

/**
 * What this node owes its peers for what they have really served it. A peer may spend its claim here, once: on its own requests,
 * or on those of somebody it vouches for. Nothing else makes a claim, neither points nor witnesses nor receipts between others: so all
 * that hostile peers can ever draw from honest ones is what they have served them.
 */
export class Claims {
  #accounts = new Map<string, Account>();
  /** What it owes all of them. */
  #total = 0;
  /** What is set aside of claims, for requests that have not ended. */
  readonly #held = new Map<string, number>();

  /** @param accounts by peer; they are its own from now on */
  constructor(accounts = new Map<string, Account>()) {
    this.restore(accounts);
  }

  /** Begins anew with other accounts, which are its own from now on; what is set aside stays so. */
  restore(accounts: Map<string, Account>): void {
    this.#accounts = accounts;
    this.#total = 0;
    for (const { served, drawn } of accounts.values()) this.#total += served - drawn;
  }

  /** Credits that the peer may still spend. */
  free(peer: string): number {
    const account = this.#accounts.get(peer);
    return account ? account.served - account.drawn - (this.#held.get(peer) ?? 0) : 0;
  }

  /** Credits that this node owes the peer, what is set aside of them included. */
  owed(peer: string): number {
    const account = this.#accounts.get(peer);
    return account ? account.served - account.drawn : 0;
  }

  /** Credits that this node may vouch for: of what the peer has served it itself, which counts as spent before what was moved to it. */
  own(peer: string): number {
    const account = this.#accounts.get(peer);
    return account ? ownOf(this.free(peer), account) : 0;
  }

  /** Whether the peer has served this node for 10 credits and more itself: nothing that others signed over counts. */
  hasEarned(peer: string): boolean {
    return (this.#accounts.get(peer)?.served ?? 0) >= LEAST_EARNED;
  }

  /** Whether the peer has ever served this node: then its own account decides, and nobody's word about it. */
  knows(peer: string): boolean {
    return (this.#accounts.get(peer)?.served ?? 0) > 0;
  }

  /** Those whose vouchers this node takes: whom it owes something, or whose word it trusts. */
  *voices(): Generator<string> {
    for (const { peer } of this.weighed()) yield peer;
  }

  /** The same with what this node could vouch for itself, and one more where the peer has served it. In one pass: there may be many. */
  *weighed(): Generator<{ peer: string; weight: number }> {
    for (const [peer, account] of this.#accounts) {
      const free = account.served - account.drawn - (this.#held.get(peer) ?? 0);
      if (free <= 0 && !isTrusted(account, 1)) continue;
      yield { peer, weight: ownOf(free, account) + (account.served > 0 ? 1 : 0) };
    }
  }

  /** This node has paid the peer for an answer. */
  earn(peer: string, credits: number): void {
    this.#account(peer).served += credits;
    this.#total += credits;
  }

  /** What this node owed one peer it owes another. @returns false, and does nothing, when it does not owe so much */
  move(from: string, to: string, credits: number): boolean {
    if (!this.draw(from, credits)) return false;
    const account = this.#account(to);
    account.drawn -= credits;
    account.moved += credits;
    this.#total += credits;
    return true;
  }

  /** Sets credits of a claim aside. @returns false, and does nothing, when there are not so many */
  hold(peer: string, credits: number): boolean {
    if (this.free(peer) < credits) return false;
    this.#held.set(peer, (this.#held.get(peer) ?? 0) + credits);
    return true;
  }

  /** Ends a {@link hold}: `drawn` of what was set aside is used up, the rest comes back. */
  settle(peer: string, held: number, drawn: number): void {
    const left = (this.#held.get(peer) ?? 0) - held;
    if (left > 0) this.#held.set(peer, left);
    else this.#held.delete(peer);
    if (drawn === 0) return;
    this.#account(peer).drawn += drawn;
    this.#total -= drawn;
  }

  /** Uses credits of a claim up at once. @returns false, and does nothing, when there are not so many */
  draw(peer: string, credits: number): boolean {
    if (!this.hold(peer, credits)) return false;
    this.settle(peer, credits, credits);
    return true;
  }

  /** Whether the peer has served enough that so many credits more may be had on its word. */
  trusts(peer: string, credits: number): boolean {
    const account = this.#accounts.get(peer);
    return account !== undefined && isTrusted(account, credits);
  }

  /** Counts what somebody may have on the peer's word; takes it back where it is less than 0. */
  trust(peer: string, credits: number): void {
    this.#account(peer).trusted += credits;
  }

  /** Credits that this node owes all of them, what is set aside included. */
  get total(): number {
    return this.#total;
  }

  /** Everybody who has served this node, or whom it owes something: what it owes (what is set aside included), the most first. */
  list(): { peer: string; owed: number; served: number }[] {
    const list: { peer: string; owed: number; served: number }[] = [];
    for (const [peer, { served, drawn }] of this.#accounts) {
      if (served > 0 || served - drawn > 0) list.push({ peer, owed: served - drawn, served });
    }
    return list.sort((a, b) => b.owed - a.owed || b.served - a.served || (a.peer < b.peer ? -1 : 1));
  }

  #account(peer: string): Account {
    const known = this.#accounts.get(peer);
    if (known) return known;
    const account = { served: 0, drawn: 0, moved: 0, trusted: 0 };
    this.#accounts.set(peer, account);
    return account;
  }
}
