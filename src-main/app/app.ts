import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';
import type { LocalModel } from '../../src-preload/contract/models.ts';
import type { MiningView, NodeStatus, Sample } from '../../src-preload/contract/node.ts';
import { Changes } from '../base/changes.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { CreditBook } from '../credits/credit-book.ts';
import type { Booking, Standing } from '../credits/credits.ts';
import type { Receipt } from '../credits/receipt.ts';
import type { HealthMonitor } from '../hardware/health.ts';
import type { PolicyWatcher } from '../hardware/policy-watcher.ts';
import type { GpuDevice } from '../inference/backend.ts';
import type { EngineSlot } from '../inference/host/engine-slot.ts';
import { listGpus } from '../inference/host/gpus.ts';
import type { MeshWorker } from '../mesh/serving/worker.ts';
import type { BanList } from '../mesh/transport/ban-list.ts';
import type { Identity } from '../mesh/transport/identity.ts';
import type { ModelLibrary } from '../models/library/library.ts';
import type { HttpServer } from '../server/http-server.ts';
import type { Config } from '../settings/config.ts';
import type { Settings } from '../settings/settings.ts';
import type { Db } from '../store/database.ts';
import type { LocalUse } from './engine/local-use.ts';
import type { Mining } from './engine/mining-switch.ts';
import type { HostPorts } from './host/host-ports.ts';
import type { Models } from './models/model-desk.ts';
import { RecentSpeed } from './node/recent-speed.ts';
import type { Samples } from './node/samples.ts';
import { nodeStatus } from './node/status.ts';
import { watched } from './node/watched.ts';
import { ask } from './parts/inference.ts';
import type { MeshNode } from './parts/mesh.ts';
import type { ModelsNode } from './parts/sharing.ts';

/** The parts that every node has. */
export interface AppCore {
  /** What is set in the app and takes effect at once is changed in it, in place. */
  config: Config;
  settings: Settings;
  /** Abilities of what this node runs in. */
  ports: HostPorts;
  identity: Identity;
  credits: CreditBook;
  library: ModelLibrary;
  bans: BanList;
  db: Db;
  log: Logger;
}

/** What happens in a node, for whoever shows it. */
export interface AppEvents {
  /** A request was served and both sides signed for it. */
  booked: [receipt: Receipt, booking: Booking];
  /** Somebody wants the node closed and opened again; see {@link NodeHost}. */
  restart: [];
}

/** Parts that not every node has, and how to say that one is missing. */
const PARTS = {
  mesh: 'is not on a mesh',
  backend: 'has no engine',
  localUse: 'has no engine',
  mining: 'is not a miner',
} as const;

/** A composed node. `create-app.ts` makes it; the router and the command line see the node through it. */
export class App extends EventEmitter<AppEvents> implements AsyncDisposable {
  readonly config: Config;
  readonly settings: Settings;
  readonly ports: HostPorts;
  readonly identity: Identity;
  readonly credits: CreditBook;
  readonly library: ModelLibrary;
  readonly bans: BanList;
  readonly db: Db;
  readonly log: Logger;
  readonly startedAt = Date.now();
  readonly speed = new RecentSpeed();
  /** Told of what people wait for on a screen. */
  readonly changes = new Changes();
  /** The engine's place; it may be empty. */
  backend: EngineSlot | undefined;
  localUse: LocalUse | undefined;
  mesh: MeshNode | undefined;
  modelsNode: ModelsNode | undefined;
  worker: MeshWorker | undefined;
  mining: Mining | undefined;
  health: HealthMonitor | undefined;
  policy: PolicyWatcher | undefined;
  samples: Samples | undefined;
  server: HttpServer | undefined;
  served = { requests: 0, tokens: 0 };
  #conversations: Conversations | undefined;
  #models: Models | undefined;
  readonly #resources: AsyncDisposableStack;
  readonly #ending = new AbortController();
  /** The model that a setting has named last is loaded, or could not be. */
  #reloading: Promise<void> = Promise.resolve();

  constructor(core: AppCore, resources: AsyncDisposableStack) {
    super();
    this.config = core.config;
    this.settings = core.settings;
    this.ports = core.ports;
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

  /** What people talked about with models; every node keeps it. */
  get conversations(): Conversations {
    if (!this.#conversations) throw new Error('The node is not open yet.');
    return this.#conversations;
  }

  set conversations(conversations: Conversations) {
    this.#conversations = conversations;
  }

  /** Ends every watch, then closes everything in reverse order of opening. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#resources.disposeAsync();
  }

  /** Aborted when the node closes, or with the signal. */
  until(signal?: AbortSignal): AbortSignal {
    return signal ? AbortSignal.any([this.#ending.signal, signal]) : this.#ending.signal;
  }

  /** A part that the node may lack. @throws NOT_RUNNING saying so */
  part<K extends keyof typeof PARTS>(name: K): NonNullable<App[K]> {
    const part = this[name];
    if (part) return part as NonNullable<App[K]>;
    throw new QuarryError({
      code: 'NOT_RUNNING',
      message: `The node that runs on this data folder ${PARTS[name]}.`,
      hint: 'End it and try again, or start it in another role: quarry start --role miner.',
    });
  }

  /** The GPUs that the engine could use: asked in a child, which may die of a broken driver. */
  readonly gpus = (): Promise<GpuDevice[]> => listGpus({ spawner: this.ports.spawner });

  /** How this node sees another: a newcomer as long as it is on no mesh and has heard nothing. */
  standing(id: string): Standing {
    return this.mesh?.scores.standing(id) ?? { points: 0, tier: 'newcomer' };
  }

  /** Requests and connections turned away since the start. */
  get refused(): number {
    const counts = Object.values(this.mesh?.swarm.refusals.counts() ?? {});
    return counts.reduce((sum, count) => sum + count, 0);
  }

  status(): Promise<NodeStatus> {
    return nodeStatus(this);
  }

  /** The status, now and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<NodeStatus, void, undefined> {
    return watched(() => this.status(), this.changes, this.until(signal));
  }

  /** The live charts' samples: those that are kept, then each new one. Empty on a node without any. */
  async *watchSamples(signal?: AbortSignal): AsyncGenerator<Sample[], void, undefined> {
    if (this.samples) yield* this.samples.watch(this.until(signal));
    else yield [];
  }

  /** Asks this node's engine or the mesh: see {@link ask}. */
  ask(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AskEvent, void, undefined> {
    return ask(this, request, signal);
  }

  /** @throws NOT_RUNNING on a node that is no miner; what loading the model throws */
  async startMining(): Promise<MiningView> {
    const mining = this.part('mining');
    await mining.start();
    return mining.view();
  }

  /** @throws NOT_RUNNING on a node that is no miner */
  async stopMining(): Promise<MiningView> {
    const mining = this.part('mining');
    await mining.stop();
    return mining.view();
  }

  /**
   * Makes a model of the library the one that the engine loads; while mining, it is loaded at once. Null goes back to what
   * the file says, or the newest.
   * @throws MODEL_NOT_FOUND; CONFIG_INVALID when the environment or the command line names the model; what loading it throws
   */
  async chooseModel(name: string | null): Promise<LocalModel[]> {
    if (name !== null) await this.models.checkInstalled(name);
    const before = this.config.model;
    await this.settings.set({ changes: { model: name } });
    await (this.config.model === before ? this.reloadModel() : this.#reloading);
    return await this.models.list();
  }

  /** Loads the model that is meant now in place of the one that is loaded, if the node mines. @throws what loading throws */
  reloadModel(): Promise<void> {
    if (this.config.backend === 'local') {
      this.#reloading = this.mining ? this.mining.reload() : (this.backend?.close() ?? Promise.resolve());
    }
    return this.#reloading;
  }

  /**
   * Has the node closed and opened again, as soon as whoever called was answered.
   * @throws NOT_RUNNING on a node that was opened for a single command
   */
  restart(): void {
    if (this.listenerCount('restart') === 0) {
      const message = 'This node cannot be started again from within.';
      throw new QuarryError({ code: 'NOT_RUNNING', message, hint: 'End it, then start it: quarry start.' });
    }
    setImmediate(() => this.emit('restart'));
  }
}
