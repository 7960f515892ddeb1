import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Download } from '../../../src-preload/contract/models.ts';
import type { Words } from '../../../src-preload/contract/saying.ts';
import type { Booking } from '../../credits/credits.ts';
import { glanceAt, type NodeGlance, type ShownHost, type ShownNode } from './node-glance.ts';

/** Milliseconds between two looks; what is quicker (mining, bookings) is told as it happens. */
const LOOK_MS = 2_000;

export interface NodeWatchEvents {
  glance: [glance: NodeGlance, before: NodeGlance];
  booked: [booking: Booking];
  download: [download: Download];
}

/** Follows the node of a host, through restarts, for what shows it outside the window. A resource. */
export class NodeWatch extends EventEmitter<NodeWatchEvents> {
  readonly #host: ShownHost;
  #glance: NodeGlance = glanceAt(undefined);
  #failure: Words | undefined;
  #timer: NodeJS.Timeout | undefined;
  #node = new AbortController();

  constructor(host: ShownHost) {
    super();
    this.#host = host;
  }

  get glance(): NodeGlance {
    return this.#glance;
  }

  open(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#host.on('open', this.#onOpen).on('close', this.#onClose);
    if (this.#host.app) this.#onOpen(this.#host.app);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#host.off('open', this.#onOpen).off('close', this.#onClose);
    this.#node.abort();
    this.removeAllListeners();
  }

  /** There is no node, and this is why; until one opens. */
  fail(message: Words): void {
    this.#failure = message;
    this.look();
  }

  /** Looks now, and tells if anything changed. */
  look(): void {
    const before = this.#glance;
    this.#glance = glanceAt(this.#host.app, this.#failure);
    if (!isDeepStrictEqual(before, this.#glance)) this.emit('glance', this.#glance, before);
  }

  readonly #onOpen = (app: ShownNode): void => {
    this.#failure = undefined;
    this.#node.abort();
    this.#node = new AbortController();
    const { signal } = this.#node;
    const onBooked = (_receipt: unknown, booking: Booking) => this.emit('booked', booking);
    app.mining?.work.on('booked', onBooked);
    const endMining = app.mining?.switch.subscribe(() => this.look());
    signal.addEventListener('abort', () => {
      app.mining?.work.off('booked', onBooked);
      endMining?.();
    });
    void this.#followDownloads(app, signal);
    this.look();
  };

  readonly #onClose = (): void => {
    this.#node.abort();
    setImmediate(() => this.look()); // the host has let go of it by then
  };

  /** Tells of downloads that changed their state while this watched. */
  async #followDownloads(app: ShownNode, signal: AbortSignal): Promise<void> {
    let known: Map<string, Download['state']> | undefined;
    for await (const downloads of app.models.downloads.watch(signal)) {
      const before = known;
      known = new Map(downloads.map(({ name, state }) => [name, state]));
      if (before) for (const one of downloads) if (before.get(one.name) !== one.state) this.emit('download', one);
      this.look();
    }
  }
}
