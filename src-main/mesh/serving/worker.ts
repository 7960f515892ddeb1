import type { Logger } from 'pino';
import { MAX_MODEL_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say, sentence } from '../../../src-preload/contract/saying.ts';
import { openPlaces } from '../../base/open-places.ts';
import type { Booking, WorkerCredits } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import type { Tier } from '../../credits/tiers.ts';
import type { QueueLoad } from '../../hardware/health.ts';
import type { Answering, ModelInfo } from '../../inference/backend.ts';
import { declaredFile } from '../../inference/verified/declared-file.ts';
import type { InferenceMessage } from '../inference/messages.ts';
import { MAX_REASON_CHARS } from '../inference/messages.ts';
import type { Identity } from '../transport/identity.ts';
import type { ServedModel } from '../transport/messages.ts';
import { MAX_QUANTISATION_CHARS, MAX_SERVED_MODELS } from '../transport/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { DirectDoor, type DirectOptions } from './direct-door.ts';
import type { DirectEvent } from './direct-job.ts';
import { MeshDoor } from './mesh-door.ts';
import type { WorkerHealth } from './queue/admission.ts';
import { Dispatcher, type WorkerReport } from './queue/dispatcher.ts';
import type { WorkObserver } from './queue/job.ts';
import { NO_OTHER_ENGINES, type OtherEngines } from './queue/other-engines.ts';
import type { QueueOptions } from './queue/queue.ts';
import { Settlement } from './settlement.ts';
import { StatusBeacon, type WorkerState } from './status-beacon.ts';
import { TermsSender } from './terms-sender.ts';

export interface MeshWorkerOptions {
  /** The inference network, in mode `server` or `both`. */
  network: MeshNetwork<InferenceMessage>;
  identity: Identity;
  /** Its own engine. */
  backend: Answering;
  /** Models that it offers beside that one. Default: none. */
  others?: OtherEngines | undefined;
  credits: WorkerCredits;
  /** How healthy this node is while so many requests wait. */
  health: (queue: QueueLoad) => WorkerHealth;
  queue?: QueueOptions;
  /** Requests a minute of each client, by tier. Default: see admission.ts. */
  requestsPerMinute?: Partial<Record<Tier, number>>;
  /** Longest time that a request may ask for, in milliseconds. Default 600,000. */
  maxDeadlineMs?: number;
  observer?: WorkObserver;
  /** A receipt that both sides signed is on the books. */
  onBooked?: (receipt: Receipt, booking: Booking) => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/**
 * Serves the mesh: one queue ({@link Dispatcher}) to which two doors lead, that of the mesh's clients and that of the rest of this node;
 * hands receipts to the books, and tells peers how it is.
 */
export class MeshWorker {
  readonly #options: MeshWorkerOptions;
  readonly #dispatcher: Dispatcher;
  readonly #meshDoor: MeshDoor;
  readonly #directDoor: DirectDoor;
  readonly #settlement: Settlement;
  readonly #beacon: StatusBeacon;
  readonly #terms: TermsSender;
  #unfollow = () => {};
  #opened = false;
  #closing: Promise<void> | undefined;

  constructor(options: MeshWorkerOptions) {
    const { network, identity, now = Date.now, maxDeadlineMs = 600_000 } = options;
    this.#options = options;
    this.#terms = new TermsSender({ credits: options.credits, now });
    const given = (prefix: string) => options.credits.given(prefix) + this.#directDoor.given(prefix);
    this.#dispatcher = new Dispatcher({ ...options, given, onChange: () => this.#beacon.touch(), now });
    this.#meshDoor = new MeshDoor({
      ...options,
      dispatcher: this.#dispatcher,
      maxDeadlineMs,
      refusals: network.swarm.refusals,
      onTerms: (client) => this.#terms.touch(client),
      now,
    });
    this.#directDoor = new DirectDoor({ dispatcher: this.#dispatcher, maxDeadlineMs, now });
    const onSettled = (client: Peer<InferenceMessage>) => this.#terms.touch(client);
    this.#settlement = new Settlement({ ...options, worker: identity.id, onSettled });
    this.#beacon = new StatusBeacon({ network, identity, read: () => this.#state(), now });
  }

  /** Starts to serve. Idempotent. */
  open(): void {
    if (this.#opened || this.#closing) return;
    this.#opened = true;
    this.#unfollow = this.#options.network.follow(
      (peer) => this.#attach(peer),
      (peer) => this.#left(peer),
    );
    this.#beacon.open();
    this.#terms.open();
  }

  /** Takes nothing more and sends away what waits, with NOT_RUNNING; resolves when what runs has come to its end. */
  async drain(): Promise<void> {
    await this.#dispatcher.drain();
    await this.#meshDoor.booksRest();
  }

  /** Ends what runs and waits with NOT_RUNNING, and waits for engine and books. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Health, policy or backend changed: what waits may start, and peers should hear of it. */
  changed(): void {
    this.#dispatcher.serveNext();
  }

  /**
   * Answers a request that does not come from the mesh, from its own queue, by its own rules: see {@link DirectDoor.generate}. Nothing of it
   * is booked.
   */
  generate(request: GenerateRequest, options: DirectOptions): AsyncGenerator<DirectEvent, void, undefined> {
    return this.#directDoor.generate(request, options);
  }

  /** Ends what runs and waits; resolves when the engine is free. What comes meanwhile is up to `health`. */
  async endAll(): Promise<void> {
    await this.#dispatcher.endAll();
    await this.#meshDoor.booksRest();
  }

  report(): WorkerReport {
    return this.#dispatcher.report();
  }

  #attach(peer: Peer<InferenceMessage>): void {
    this.#terms.met(peer);
    peer.onMessage((message) => {
      if (this.#closing) return;
      if (message.type === 'prompt') this.#meshDoor.receive(peer, message);
      else if (message.type === 'cancel') this.#meshDoor.cancel(peer, message.requestId);
      else if (message.type === 'pledge') this.#meshDoor.pledged(peer, message);
      else if (message.type === 'receipt' && message.status === 'signed')
        this.#settlement.receive(peer, message.receipt);
    });
  }

  #left(peer: Peer<InferenceMessage>): void {
    this.#meshDoor.abandon(peer);
    this.#settlement.abandon(peer);
    this.#terms.left(peer);
  }

  #state(): WorkerState {
    const { backend, others, credits, identity } = this.#options;
    const { score, state, capacity, accepting, reason } = this.#dispatcher.health();
    const { running, waiting, parallel, queueCapacity, averageMs, tokensPerSecond } = this.#dispatcher.report();
    const { state: engine, model } = backend.status();
    const ready = accepting && engine === 'ready' && !model?.embedsOnly;
    const why = model?.embedsOnly ? say('engine.embedsOnly', { name: model.name }) : say('mesh.engineState');
    const { points, tier } = credits.standing(identity.id);
    return {
      ready,
      reason: ready ? undefined : (reason ?? sentence(why)).slice(0, MAX_REASON_CHARS),
      health: { score, state, capacity },
      queue: { waiting, running, parallel, capacity: openPlaces(queueCapacity, { capacity }) },
      avgMs: averageMs,
      tokensPerSecond,
      points,
      tier,
      models: servedModels(backend, others),
    };
  }

  async #close(): Promise<void> {
    this.#unfollow();
    this.#beacon.close();
    this.#terms.close();
    await this.#dispatcher.close();
    await this.#meshDoor.booksRest();
    await this.#settlement.close();
  }
}

/** What a worker serves, as hello and status tell it: its own model first, which answers whoever names none. Without it, nothing. */
export function servedModels(backend: Answering, others: OtherEngines = NO_OTHER_ENGINES): ServedModel[] {
  const { model } = backend.status();
  if (!model) return [];
  const more = others.offered().filter(({ name }) => name !== model.name);
  return [servedModel(model), ...more].slice(0, MAX_SERVED_MODELS);
}

/** A model in memory, as it is told. */
export function servedModel(model: ModelInfo): ServedModel {
  const { name, quantisation, contextSize } = model;
  return {
    name: name.slice(0, MAX_MODEL_NAME_CHARS),
    sha256: declaredFile(model),
    quantisation: quantisation?.slice(0, MAX_QUANTISATION_CHARS),
    contextSize,
  };
}
