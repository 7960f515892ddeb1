import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_PAIRED, type NodeSummary, nodeSummarySchema } from '../../../src-preload/contract/fleet.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import { Turns } from '../../base/turns.ts';
import type { PairedNode as KeptNode, PairedNodeStore } from '../../store/mesh/paired-nodes.ts';

/** A node of the same owner, and what it has said of itself. Times are Unix milliseconds. */
export interface PairedNode extends Omit<KeptNode, 'summary'> {
  summary: NodeSummary | undefined;
}

/** Milliseconds between two times that what a node says of itself is written. */
const WRITE_EVERY_MS = 60_000;

/**
 * The nodes that this one is paired with: in memory, because every connection asks, and on the disk before anybody is told that they are
 * paired. A resource.
 */
export class PairedNodes {
  readonly #store: Pick<PairedNodeStore, 'list' | 'put' | 'remove'>;
  readonly #log: Logger;
  readonly #nodes = new Map<string, PairedNode>();
  readonly #listeners = new ListenerSet<[id: string, isPaired: boolean]>();
  /** Those that are being written and were not there before. */
  readonly #coming = new Set<string>();
  readonly #writing = new Turns();
  readonly #writtenAt = new Map<string, number>();

  constructor(store: Pick<PairedNodeStore, 'list' | 'put' | 'remove'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  async open(): Promise<void> {
    for (const { summary, ...node } of await this.#store.list()) {
      this.#nodes.set(node.nodeId, { ...node, summary: summaryOf(summary) });
    }
  }

  /** Writes what was heard last. */
  async close(): Promise<void> {
    for (const id of this.#nodes.keys()) this.#writeSoon(id);
    await this.#writing.ended();
  }

  list(): PairedNode[] {
    return [...this.#nodes.values()];
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  /** Whether it is being written that one is paired: until that is done it is neither, and hears nothing. */
  isComing(id: string): boolean {
    return this.#coming.has(id);
  }

  get(id: string): PairedNode | undefined {
    return this.#nodes.get(id);
  }

  /** Whether there is room for this one. */
  hasRoomFor(id: string): boolean {
    return this.has(id) || this.#nodes.size < MAX_PAIRED;
  }

  /** Calls back with each node that is paired or is not any more. @returns what ends that */
  subscribe(listener: (id: string, isPaired: boolean) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Keeps a pairing, on the disk when this resolves; one of the same node is renewed.
   * @param options.quietly nobody is told before {@link settle}: the other node has not kept it yet
   * @throws BAD_REQUEST when there are as many as may be; what the database throws
   */
  async add(
    { id, name, mayControl, now }: { id: string; name: string; mayControl: boolean; now: number },
    { quietly = false } = {},
  ): Promise<PairedNode> {
    if (!this.hasRoomFor(id)) throw tooMany();
    const before = this.#nodes.get(id);
    const node: PairedNode = { nodeId: id, name, since: now, mayControl, summary: before?.summary, seenAt: now };
    if (!before) this.#coming.add(id);
    try {
      await this.#writing.take(() => this.#store.put({ ...node, summary: JSON.stringify(node.summary) }));
      this.#nodes.set(id, node);
    } finally {
      if (this.#coming.delete(id) && !this.has(id)) this.#listeners.tell(id, false);
    }
    if (!quietly) this.settle(id);
    return node;
  }

  /** Both have kept a pairing, or will find out that one has not. */
  settle(id: string): void {
    if (this.has(id)) this.#listeners.tell(id, true);
  }

  /** Forgets one at once, and on the disk when this resolves. @returns whether it was there */
  async remove(id: string): Promise<boolean> {
    const was = this.#nodes.delete(id);
    if (!was) return false;
    this.#writtenAt.delete(id);
    this.#listeners.tell(id, false);
    await this.#writing.take(() => this.#store.remove(id));
    return true;
  }

  /** Whether one may start and stop mining here. Nothing for one that is not paired. */
  async allow(id: string, mayControl: boolean): Promise<void> {
    const node = this.#nodes.get(id);
    if (!node) return;
    node.mayControl = mayControl;
    await this.#write(id);
  }

  /** It has said how it is. Written from time to time. */
  heard(id: string, summary: NodeSummary, now: number): void {
    const node = this.#nodes.get(id);
    if (!node) return;
    Object.assign(node, { summary, name: summary.name, seenAt: now });
    if (now - (this.#writtenAt.get(id) ?? 0) < WRITE_EVERY_MS) return;
    this.#writtenAt.set(id, now);
    this.#writeSoon(id);
  }

  /** It is there. */
  seen(id: string, now: number): void {
    const node = this.#nodes.get(id);
    if (node) node.seenAt = now;
  }

  #writeSoon(id: string): void {
    this.#write(id).catch((err: unknown) => this.#log.warn({ err }, 'what a paired node said could not be kept'));
  }

  /** As it is when its turn comes: one that was removed meanwhile stays away. */
  #write(id: string): Promise<void> {
    return this.#writing.take(async () => {
      const node = this.#nodes.get(id);
      if (node) await this.#store.put({ ...node, summary: JSON.stringify(node.summary) });
    });
  }
}

/** What an older version has kept may be no summary of this one. */
function summaryOf(text: string | undefined): NodeSummary | undefined {
  return text === undefined ? undefined : nodeSummarySchema.safeParse(JSON.parse(text)).data;
}

function tooMany(): QuarryError {
  const message = say('fleet.full', { most: MAX_PAIRED });
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('fleet.removeOne') });
}
