import { EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';
import type { PeersView, PeerView } from '../../src-preload/contract/mesh.ts';
import type { NodeStatus } from '../../src-preload/contract/node.ts';
import type { CreditBook } from '../credits/credit-book.ts';
import type { Booking, Standing } from '../credits/credits.ts';
import type { Receipt } from '../credits/receipt.ts';
import type { HealthMonitor } from '../hardware/health.ts';
import type { PolicyWatcher } from '../hardware/policy-watcher.ts';
import type { GenerateRequest, InferenceBackend } from '../inference/backend.ts';
import type { BanList } from '../mesh/ban-list.ts';
import type { Identity } from '../mesh/identity.ts';
import type { MeshWorker } from '../mesh/worker.ts';
import type { ModelLibrary } from '../models/library.ts';
import type { HttpServer } from '../server/http-server.ts';
import type { Db } from '../store/database.ts';
import type { Config } from './config.ts';
import type { MeshNode } from './mesh-node.ts';
import type { Models } from './models.ts';
import type { ModelsNode } from './models-node.ts';
import { version } from './version.ts';

/** The parts that every node has. */
export interface AppCore {
  config: Config;
  identity: Identity;
  credits: CreditBook;
  library: ModelLibrary;
  bans: BanList;
  db: Db;
  log: Logger;
}

/** Without a new peer for this long, whoever is near has been met. */
const PEERS_QUIET_MS = 1_000;

/** What happens in a node, for whoever shows it. */
export interface AppEvents {
  /** A request was served and both sides signed for it. */
  booked: [receipt: Receipt, booking: Booking];
}

/** A composed node. `create-app.ts` makes it; the router and the command line see the node through it. */
export class App extends EventEmitter<AppEvents> implements AsyncDisposable {
  readonly config: Config;
  readonly identity: Identity;
  readonly credits: CreditBook;
  readonly library: ModelLibrary;
  readonly bans: BanList;
  readonly db: Db;
  readonly log: Logger;
  readonly startedAt = Date.now();
  backend: InferenceBackend | undefined;
  mesh: MeshNode | undefined;
  modelsNode: ModelsNode | undefined;
  worker: MeshWorker | undefined;
  health: HealthMonitor | undefined;
  policy: PolicyWatcher | undefined;
  server: HttpServer | undefined;
  served = { requests: 0, tokens: 0 };
  #models: Models | undefined;
  readonly #resources: AsyncDisposableStack;

  constructor(core: AppCore, resources: AsyncDisposableStack) {
    super();
    this.config = core.config;
    this.identity = core.identity;
    this.credits = core.credits;
    this.library = core.library;
    this.bans = core.bans;
    this.db = core.db;
    this.log = core.log;
    this.#resources = resources;
    this.on('booked', ({ body }) => {
      this.served.requests++;
      this.served.tokens += body.completionTokens;
    });
  }

  /** What may be done with models; every node can. */
  get models(): Models {
    if (!this.#models) throw new Error('The node is not open yet.');
    return this.#models;
  }

  set models(models: Models) {
    this.#models = models;
  }

  /** Closes everything in reverse order of opening. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  /** How this node sees another: a newcomer as long as it is on no mesh and has heard nothing. */
  standing(id: string): Standing {
    return this.mesh?.scores.standing(id) ?? { points: 0, tier: 'newcomer' };
  }

  /** Requests and connections turned away since the start. */
  get refused(): number {
    const counts = Object.values(this.mesh?.swarm.refusals.counts() ?? {});
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async status(): Promise<NodeStatus> {
    const { available, points, tier } = await this.credits.summary();
    const policy = this.policy?.current();
    const peers = [...(this.mesh?.inference.peers.values() ?? [])];
    return {
      id: this.identity.id,
      version,
      role: this.config.role,
      mesh: this.config.mesh.name ?? 'public',
      startedAt: this.startedAt,
      url: this.server?.url,
      engine: this.#engine(),
      health: this.health?.current(),
      policy: policy && { mode: policy.mode, reasons: policy.reasons, rules: policy.rules },
      queue: this.#queue(),
      peers: peers.length,
      peerClockOffsetsMs: peers.map(({ clockOffsetMs }) => clockOffsetMs),
      served: { ...this.served, refused: this.refused },
      credits: { available, points, tier },
    };
  }

  /**
   * Asks this node's engine or the mesh.
   * @throws MODEL_NOT_FOUND when the engine has another model than the one asked for
   */
  async *ask(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AskEvent, void, undefined> {
    const { target, messages, model, deadlineMs, ...sampling } = request;
    const generate: GenerateRequest = { input: { messages }, ...sampling };
    if (target === 'local') this.#wantLoaded(model);
    const events =
      target === 'mesh'
        ? this.#part('mesh').client.generate(generate, { model, deadlineMs, signal })
        : this.#part('backend').generate(generate, { deadlineMs, signal });
    for await (const event of events) {
      yield event.type === 'chunk' ? { type: 'chunk', text: event.text, tokens: event.tokens } : event;
    }
  }

  /** One model is loaded at a time: its name, or the setting that chose it, means it. */
  #wantLoaded(wanted: string | undefined): void {
    const loaded = this.backend?.status().model;
    if (wanted === undefined || !loaded || wanted === loaded.name) return;
    if (this.config.backend === 'local' && wanted === this.config.model) return;
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: `This node serves the model «${loaded.name}», not «${wanted}».`,
      hint: 'Leave the model out, or end the node and start it with the other: quarry start --model NAME.',
      field: 'model',
    });
  }

  /**
   * Connected peers. Waits up to `waitMs` for the first, then until a second has passed without another.
   * @throws CANCELLED when the signal aborts
   */
  async peers(waitMs: number, signal?: AbortSignal): Promise<PeersView> {
    const { inference, bans, scores } = this.#part('mesh');
    const end = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]);
    while (!end.aborted) {
      const quiet = inference.peers.size > 0 ? [AbortSignal.timeout(PEERS_QUIET_MS)] : [];
      const met = once(inference, 'peer', { signal: AbortSignal.any([end, ...quiet]) });
      if (!(await met.catch(() => undefined))) break;
    }
    if (signal?.aborted) throw new QuarryError({ code: 'CANCELLED', message: 'The wait for peers was cancelled.' });
    return {
      self: this.identity.id,
      peers: [...inference.peers.keys()].map((id) => this.#peer(id)),
      bans: bans.list().map(({ nodeId, reason, expiresAt }) => ({ id: nodeId, reason, expiresAt })),
      marks: scores.marks().map(({ worker, reason, detail, expiresAt }) => ({ id: worker, reason, detail, expiresAt })),
    };
  }

  #engine(): NodeStatus['engine'] {
    const status = this.backend?.status();
    if (!status) return { state: 'none', active: 0, waiting: 0 };
    const { state, model, active, waiting, error } = status;
    return { state, active, waiting, error: error?.message, model: model && { ...model, tiny: model.tiny ?? false } };
  }

  #queue(): NodeStatus['queue'] {
    const { waiting = 0, running: active = 0, waits = [] } = this.worker?.report() ?? {};
    return { waiting, active, waits };
  }

  #peer(id: string): PeerView {
    const mesh = this.#part('mesh');
    const peer = mesh.inference.peers.get(id);
    const status = mesh.client.workers().find((worker) => worker.peer.id === id)?.status;
    const { tier, points } = this.standing(id);
    return {
      id,
      roles: [...(peer?.roles ?? [])],
      models: (status?.models ?? peer?.hello.models ?? []).map(({ name }) => name),
      health: status?.health.score,
      tier,
      points,
      rttMs: peer?.rttMs,
      queue: status?.queue.waiting,
      ready: status?.ready ?? false,
    };
  }

  #part<K extends 'mesh' | 'backend'>(name: K): NonNullable<App[K]> {
    const part = this[name];
    if (part) return part as NonNullable<App[K]>;
    const what = name === 'mesh' ? 'is not on a mesh' : 'has no engine';
    throw new QuarryError({
      code: 'NOT_RUNNING',
      message: `The node that runs on this data folder ${what}.`,
      hint: 'End it and try again, or start it in another role: quarry start --role miner.',
    });
  }
}
