import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  FleetNode,
  FleetView,
  NodeSummary,
  PairingOffer as OfferView,
} from '../../../src-preload/contract/fleet.ts';
import {
  type CodeFault,
  codeFault,
  pairingCode,
  SECRET_CHARS,
  typedCode,
} from '../../../src-preload/contract/pairing-code.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { closeAll } from '../../base/close-all.ts';
import { Turns } from '../../base/turns.ts';
import type { PairedNodeStore } from '../../store/mesh/paired-nodes.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { type FleetCall, FleetCalls } from './calls.ts';
import { joinByCode } from './join.ts';
import { FleetLinks } from './links.ts';
import { PairingOffer } from './offer.ts';
import { type PairedNode, PairedNodes } from './paired-nodes.ts';

/** Milliseconds that a code is good for. */
export const OFFER_MS = 600_000;
/** Milliseconds in which the node that shows a code is found: on the public DHT that takes some seconds. */
const FIND_MS = 60_000;

export interface FleetOptions {
  swarm: MeshSwarm;
  store: Pick<PairedNodeStore, 'list' | 'put' | 'remove'>;
  /** How this node is now. */
  summary: () => Promise<NodeSummary>;
  /** See FleetLinksOptions. */
  order: (want: 'start' | 'stop') => boolean;
  /** Something that people see has changed. Default: nobody looks. */
  onChange?: () => void;
  log: Logger;
  /** Milliseconds between two summaries. Default 3,000. */
  tellEveryMs?: number;
  /** Milliseconds between two tries to reach those that are away. Default 30,000. */
  tryEveryMs?: number;
  /** Milliseconds in which a code's node is found. Default 60,000. */
  findMs?: number;
  /** See `OfferOptions`. */
  keepMs?: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** The nodes of one owner: paired by a code, then telling each other how they are. A resource. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #now: () => number;
  readonly #nodes: PairedNodes;
  readonly #links: FleetLinks;
  readonly #calls: FleetCalls;
  readonly #onChange: () => void;
  readonly #closing = new AbortController();
  /** One code at a time: two that are made at once would both be good. */
  readonly #offering = new Turns();
  #offer: { view: OfferView; offer: PairingOffer; timer: NodeJS.Timeout } | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#onChange = options.onChange ?? (() => {});
    this.#nodes = new PairedNodes(options.store, options.log);
    this.#links = new FleetLinks({ ...options, nodes: this.#nodes, onChange: this.#onChange });
    this.#calls = new FleetCalls({ ...options, nodes: this.#nodes });
  }

  async open(): Promise<void> {
    await this.#nodes.open();
    await this.#calls.open();
    await this.#links.open();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await closeAll(
      () => this.cancelOffer(),
      () => this.#links.close(),
      () => this.#calls.close(),
      () => this.#nodes.close(),
    );
  }

  /** This node and those that are paired with it. */
  async view(): Promise<FleetView> {
    const summary = await this.#options.summary();
    const { id } = this.#options.swarm.identity;
    const own = { id, self: true, name: summary.name, online: true, summary, mayControlThis: true, controllable: true };
    return { nodes: [own, ...this.others()], ...(this.#offer && { offer: this.#offer.view }) };
  }

  /** Those that are paired with this node, by name. */
  others(): FleetNode[] {
    const others = this.#nodes.list().map((node) => this.#view(node));
    return others.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  }

  /**
   * Shows a new code; one that was there before ends.
   * @param mayControl whether the node that uses it may start and stop mining here
   * @throws CANCELLED when this closes meanwhile
   */
  offer(mayControl: boolean): Promise<OfferView & { code: string }> {
    return this.#offering.take(async () => {
      await this.#endOffer();
      const { name } = await this.#options.summary();
      if (this.#closing.signal.aborted) throw closing();
      return await this.#openOffer(mayControl, name);
    });
  }

  /** The code is no use any more. Idempotent. */
  cancelOffer(): Promise<void> {
    return this.#offering.take(() => this.#endOffer());
  }

  /**
   * Pairs with the node that shows the code.
   * @throws BAD_REQUEST for a code with a fault, and this node's own; what {@link joinByCode} throws
   */
  async join(text: string, mayControl: boolean, signal?: AbortSignal): Promise<FleetNode> {
    const fault = codeFault(text);
    if (fault) throw new QuarryError({ code: 'BAD_REQUEST', message: FAULTS[fault], field: 'code' });
    const code = typedCode(text);
    if (this.#offer?.view.code !== undefined && typedCode(this.#offer.view.code) === code) throw ownCode();
    const { swarm, log, findMs: patienceMs = FIND_MS } = this.#options;
    const { name } = await this.#options.summary();
    const until = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const node = await joinByCode(
      { code, mayControl, name, nodes: this.#nodes, swarm, patienceMs, now: this.#now, log },
      until,
    );
    return this.#view(node);
  }

  /** Ends a pairing here, and at the other node as soon as it hears of it. Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#nodes.remove(id);
  }

  /** Whether a paired node may start and stop mining here. */
  async allow(id: string, mayControl: boolean): Promise<void> {
    await this.#nodes.allow(id, mayControl);
    this.#onChange();
    await this.#links.tell();
  }

  /** @throws NOT_RUNNING when it is away or cannot mine; UNAUTHORIZED when its owner has not allowed it */
  async order(id: string, want: 'start' | 'stop'): Promise<void> {
    const result = await this.#links.order(id, want);
    if (result === 'accepted') return;
    const name = this.#nodes.get(id)?.name ?? '';
    if (result === 'not-allowed') {
      const hint = say('fleet.allowThere', { id: this.#options.swarm.identity.id.slice(0, SHOWN_ID_CHARS) });
      throw new QuarryError({ code: 'UNAUTHORIZED', message: say('fleet.notAllowed', { name }), hint });
    }
    const message = result === undefined ? say('fleet.away', { name }) : say('fleet.noMiner', { name });
    throw new QuarryError({ code: 'NOT_RUNNING', message });
  }

  /**
   * Speaks with a domain of this program on a paired node.
   * @param about which domain; lower-case letters and hyphens, 40 at most
   * @throws NOT_RUNNING when the node is away, or (and then it is not retryable) not paired
   */
  call(id: string, about: string): FleetCall {
    return this.#calls.call(id, about);
  }

  /** Takes what paired nodes want to talk about. One listener for each. @returns what ends that; calls that were taken go on */
  onCall(about: string, listener: (call: FleetCall) => void): () => void {
    return this.#calls.onCall(about, listener);
  }

  #view(node: PairedNode): FleetNode {
    const { nodeId: id, name, since, seenAt, mayControl: mayControlThis, summary } = node;
    const online = this.#links.isOnline(id);
    const controllable = this.#links.mayControl(id);
    return {
      id,
      self: false,
      name,
      online,
      since,
      mayControlThis,
      controllable,
      ...(!online && seenAt !== undefined && { seenAt }),
      ...(summary && { summary }),
    };
  }

  async #openOffer(mayControl: boolean, name: string): Promise<OfferView & { code: string }> {
    const { swarm, log, keepMs } = this.#options;
    const code = pairingCode(randomBytes(SECRET_CHARS));
    const expiresAt = this.#now() + OFFER_MS;
    const onPaired = (id: string) => void this.#used(offer, id);
    const common = { swarm, log, nodes: this.#nodes, keepMs, now: this.#now };
    const offer = new PairingOffer({ ...common, code, expiresAt, mayControl, name, onPaired });
    const timer = setTimeout(() => void this.#over(offer), OFFER_MS);
    const view = { code, expiresAt };
    this.#offer = { view, offer, timer };
    try {
      await offer.open();
    } catch (error) {
      await this.#endOffer();
      throw error;
    }
    this.#onChange();
    return view;
  }

  async #endOffer(): Promise<void> {
    const ending = this.#offer;
    this.#offer = undefined;
    if (!ending) return;
    clearTimeout(ending.timer);
    await ending.offer.close();
    this.#onChange();
  }

  async #used(offer: PairingOffer, id: string): Promise<void> {
    if (this.#offer?.offer !== offer) return;
    this.#offer.view = { expiresAt: offer.expiresAt, pairedWith: id };
    this.#onChange();
    await offer.close();
  }

  async #over(offer: PairingOffer): Promise<void> {
    await this.#offering.take(async () => {
      if (this.#offer?.offer === offer) await this.#endOffer();
    });
  }
}

/** Of an id, enough to tell apart the few nodes of one owner. */
const SHOWN_ID_CHARS = 8;

const FAULTS = {
  short: say('fleet.code.short'),
  long: say('fleet.code.long'),
  character: say('fleet.code.character'),
  typo: say('fleet.code.typo'),
} as const satisfies Record<CodeFault, Saying>;

function closing(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('ask.closing') });
}

function ownCode(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('fleet.ownCode'),
    hint: say('fleet.enterThere'),
    field: 'code',
  });
}
