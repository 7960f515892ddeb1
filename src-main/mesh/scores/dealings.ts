import type { ScoreStore } from '../../store/mesh/scores.ts';

/** Nodes looked up in one go: between two of those the node does other things. */
const AT_ONCE = 64;
/** Own receipts read in one go. */
const PAGE = 1_000;

interface Known {
  /** Two others that the node has dealt with, as far as there are two: then it has dealt with somebody else, whoever is left out. */
  readonly partners: Set<string>;
  /** Workers of whom it bears witness. */
  held: number;
  looked: Promise<void>;
}

/**
 * With whom the witnesses have dealt, in memory: looked up once, when a node first bears witness; from then on told of every receipt that
 * is read in a log, and of this node's own. Bounded by the witnesses that are held.
 */
export class Dealings {
  readonly #store: ScoreStore;
  readonly #known = new Map<string, Known>();
  /** Place of the last own receipt that was read. */
  #ownUpTo = 0;

  constructor(store: ScoreStore) {
    this.#store = store;
  }

  /** From here on this node's own receipts are looked at by {@link readOwn}. */
  async open(): Promise<void> {
    this.#ownUpTo = await this.#store.lastOwnReceipt();
  }

  get size(): number {
    return this.#known.size;
  }

  /** Keeps in mind with whom these have dealt, once for every time that they are named, until they are let go as often. */
  async hold(nodes: readonly string[]): Promise<void> {
    const fresh = new Set(nodes.filter((node) => !this.#known.has(node)));
    const looked = this.#lookUp([...fresh]);
    for (const node of fresh) this.#known.set(node, { partners: new Set(), held: 0, looked });
    const known = nodes.flatMap((node) => this.#known.get(node) ?? []);
    for (const one of known) one.held++;
    try {
      await Promise.all(known.map((one) => one.looked));
    } catch (error) {
      for (const node of nodes) this.letGo(node);
      throw error;
    }
  }

  /** Once for every time that it was named to {@link hold}. */
  letGo(node: string): void {
    const known = this.#known.get(node);
    if (known && --known.held === 0) this.#known.delete(node);
  }

  /** Two nodes have dealt with each other. */
  note(a: string, b: string): void {
    this.#add(a, b);
    this.#add(b, a);
  }

  /** Whether a node that is held has served or asked anybody but `except`. */
  hasDealt(node: string, except: string): boolean {
    const partners = this.#known.get(node)?.partners;
    return partners !== undefined && partners.size > (partners.has(except) ? 1 : 0);
  }

  /** Reads what this node itself has served and asked since the last time: of that, no log need tell. */
  async readOwn(): Promise<void> {
    const receipts = await this.#store.ownReceipts(this.#ownUpTo, PAGE);
    for (const { place, worker, client } of receipts) {
      this.note(worker, client);
      this.#ownUpTo = place;
    }
  }

  #add(node: string, partner: string): void {
    const partners = this.#known.get(node)?.partners;
    if (partners && partners.size < 2) partners.add(partner);
  }

  async #lookUp(nodes: readonly string[]): Promise<void> {
    for (let start = 0; start < nodes.length; start += AT_ONCE) {
      if (start > 0) await new Promise(setImmediate);
      const dealt = await this.#store.partners(nodes.slice(start, start + AT_ONCE));
      for (const { node, partner } of dealt) this.#add(node, partner);
    }
  }
}
