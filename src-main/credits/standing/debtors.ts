/**
 * What others owe this node for what it has served them, by its own record: where it may ask, and whose vouchers are worth asking for. It
 * is their word that counts, so this is an expectation and no right.
 */
export class Debtors {
  /** Credits that they should still owe, of all whom this node has ever served. */
  #owing = new Map<string, number>();

  #total = 0;

  /** @param owing by peer; they are its own from now on */
  constructor(owing = new Map<string, number>()) {
    this.restore(owing);
  }

  /** Begins anew with other debts, which are its own from now on. */
  restore(owing: Map<string, number>): void {
    this.#owing = owing;
    this.#total = 0;
    for (const credits of owing.values()) this.#total += credits;
  }

  /** Credits that all of them should owe. */
  get total(): number {
    return this.#total;
  }

  /** Whether this node has ever served the peer. */
  knows(peer: string): boolean {
    return this.#owing.has(peer);
  }

  /** Credits that the peer should still owe. */
  of(peer: string): number {
    return this.#owing.get(peer) ?? 0;
  }

  /** Everybody who should owe this node something, the most first. */
  list(): { peer: string; owes: number }[] {
    const list: { peer: string; owes: number }[] = [];
    for (const [peer, owes] of this.#owing) if (owes > 0) list.push({ peer, owes });
    return list.sort((a, b) => b.owes - a.owes || (a.peer < b.peer ? -1 : 1));
  }

  /** This node has served the peer. */
  served(peer: string, credits: number): void {
    if (credits > 0) this.#set(peer, this.of(peer) + credits);
  }

  /** The peer has served this node, or has vouched for it, for so many credits of what it owed. */
  spent(peer: string, credits: number): void {
    if (this.#owing.has(peer)) this.#set(peer, Math.max(0, this.of(peer) - credits));
  }

  /** The peer says that it owes so much, which is less than was expected. */
  correct(peer: string, credits: number): void {
    if (this.of(peer) > credits) this.#set(peer, Math.max(0, credits));
  }

  #set(peer: string, credits: number): void {
    this.#total += credits - this.of(peer);
    this.#owing.set(peer, credits);
  }
}
