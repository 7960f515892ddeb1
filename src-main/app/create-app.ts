import { join } from 'node:path';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { randomToken } from '../base/random-token.ts';
import { ignoring } from '../base/swallowed.ts';
import { Conversations } from '../conversations/conversations.ts';
import { openCreditBook } from '../credits/credit-book.ts';
import { openNodeLog } from '../diagnostics/log.ts';
import { EngineSlot } from '../inference/host/engine-slot.ts';
import { BanList } from '../mesh/transport/ban-list.ts';
import { loadOrCreateIdentity, verify } from '../mesh/transport/identity.ts';
import type { Config, ConfigSources } from '../settings/config.ts';
import { PlainVault } from '../settings/secret-vault.ts';
import { Settings } from '../settings/settings.ts';
import { BanStore } from '../store/bans.ts';
import { CalibrationStore } from '../store/calibrations.ts';
import { ConversationStore } from '../store/conversations.ts';
import { openDatabase } from '../store/database.ts';
import { App } from './app.ts';
import { createBackend } from './engine/inference-backend.ts';
import { LocalUse } from './engine/local-use.ts';
import { DataDirLock } from './host/data-dir-lock.ts';
import type { HostPorts } from './host/host-ports.ts';
import { Models } from './models/model-desk.ts';
import { createDownloads } from './models/model-downloads.ts';
import { ModelFits } from './models/model-fits.ts';
import { modelLibrary, openCatalogue } from './models/model-library.ts';
import { Samples } from './node/samples.ts';
import { MeshNode } from './parts/mesh.ts';
import { openMiner } from './parts/mining.ts';
import { createHttpServer } from './parts/server.ts';
import { ModelsNode } from './parts/sharing.ts';
import { applySettings } from './settings-effects.ts';

/** Which parts of a node are opened; identity, database, credits and library always are. */
export interface AppParts {
  /** Load a model at the start. */
  engine?: boolean;
  /** Join the mesh. */
  mesh?: boolean;
  /** Join the models network: share model files, and fetch them from peers. */
  sharing?: boolean;
  /** Be able to serve the mesh; wants `mesh`. With `engine` it begins at once. */
  worker?: boolean;
  /** Listen for the screens, the OpenAI API and the contract. */
  server?: boolean;
}

/** What a node runs in, and where its configuration came from. */
export interface AppSurroundings {
  ports?: HostPorts;
  /** What the configuration was loaded from: what is set in the app is checked against it. Default: the data folder alone. */
  sources?: ConfigSources;
  /** Why none could be opened with what is set in the app: the configuration is the one to go back to. */
  rejected?: QuarryError | undefined;
}

/**
 * Composes a node from its parts, opened in order and closed in reverse. When one cannot be opened, those before it are
 * closed again and the error says what to do.
 *
 * A miner with a server does not wait for its model: `mining` tells how that goes, and a model that cannot be loaded leaves
 * the node open for whoever chooses another one. Without a server it is an error like any other.
 *
 * @throws DATA_DIR_IN_USE, DATABASE_CORRUPT, DISK_FULL, MODELS_IN_USE, MODEL_NOT_FOUND, MODEL_INVALID, OUT_OF_MEMORY, PORT_IN_USE
 */
export async function createApp(config: Config, parts: AppParts, surroundings: AppSurroundings = {}): Promise<App> {
  const resources = new AsyncDisposableStack();
  try {
    const lock = new DataDirLock(config.dataDir);
    await lock.open();
    resources.defer(() => lock.close());
    const app = await openCore(config, surroundings, resources);
    if (parts.engine || parts.worker || parts.server) openEngineSlot(app, resources);
    if (parts.engine && !parts.worker) await app.backend?.open();
    await openNetworks(app, parts, resources);
    await openModels(app, { resume: parts.server ?? false }, resources);
    if (parts.worker) await openMiner(app, resources);
    await openConversations(app, resources);
    if (parts.server) openSamples(app, resources); // nobody else could look at them
    applySettings(app);
    if (parts.engine && parts.worker && !parts.server) await app.mining?.start();
    if (parts.server) await openServer(app, lock, resources);
    if (parts.engine && parts.worker && parts.server) startMining(app);
    return app;
  } catch (error) {
    await resources.disposeAsync().catch(ignoring('what went wrong first says what to do'));
    throw error;
  }
}

async function openCore(
  config: Config,
  { ports = {}, sources = { flags: { dataDir: config.dataDir } }, rejected }: AppSurroundings,
  resources: AsyncDisposableStack,
): Promise<App> {
  const { log, close } = openNodeLog(config);
  resources.defer(close);
  const settings = new Settings({ config, sources, vault: ports.secrets ?? new PlainVault(), rejected, log });
  await settings.open();
  const identity = await loadOrCreateIdentity(config.dataDir);
  const db = await openDatabase(join(config.dataDir, 'quarry.db'));
  resources.defer(() => db.destroy());
  const bans = new BanList({ store: new BanStore(db), log });
  await bans.open();
  const credits = await openCreditBook({
    db,
    identity,
    verify,
    standing: (id) => app.standing(id),
    allowance: config.credits,
    log,
  });
  resources.defer(() => credits.close());
  const library = modelLibrary(config, () => app.backend?.engine?.modelPath, log);
  resources.defer(() => library.close());
  await library.open();
  const app: App = new App({ config, settings, ports, identity, db, bans, credits, library, log }, resources);
  return app;
}

/** A place for the engine, empty at first. */
function openEngineSlot(app: App, resources: AsyncDisposableStack): void {
  const { config, library, log, ports } = app;
  const engine = new EngineSlot(() => createBackend({ config, library, spawner: ports.spawner, log }));
  resources.defer(() => engine.close());
  const localUse = new LocalUse({ engine, isMining: () => (app.mining?.state ?? 'stopped') !== 'stopped' });
  resources.defer(() => localUse.close());
  Object.assign(app, { backend: engine, localUse });
}

/** Both at once: each waits a moment for the DHT. */
async function openNetworks(app: App, parts: AppParts, resources: AsyncDisposableStack): Promise<void> {
  const opening = [
    ...(parts.mesh ? [openMesh(app, parts, resources)] : []),
    ...(parts.sharing ? [openModelsNode(app, resources)] : []),
  ];
  const failed = (await Promise.allSettled(opening)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function openMesh(app: App, { worker }: AppParts, resources: AsyncDisposableStack): Promise<void> {
  const mesh = new MeshNode({ ...app, backend: worker ? app.backend : undefined });
  resources.defer(() => mesh.close());
  await mesh.open();
  app.mesh = mesh;
}

async function openModelsNode(app: App, resources: AsyncDisposableStack): Promise<void> {
  const node = new ModelsNode(app);
  resources.defer(() => node.close());
  await node.open();
  app.modelsNode = node;
}

async function openModels(app: App, { resume }: { resume: boolean }, resources: AsyncDisposableStack): Promise<void> {
  const { config, db, library, log } = app;
  const catalogue = await openCatalogue(config, library);
  const downloads = createDownloads(app, resources);
  resources.defer(() => downloads.close());
  await downloads.open({ resume });
  const fits = new ModelFits(config, new CalibrationStore(db), () => app.backend, app.gpus);
  app.models = new Models({ config, library, catalogue, downloads, fits, network: () => app.modelsNode, log });
  // Not waited for: what was never hashed may take long. The end of the library ends it.
  void app.models.seedAll().catch((err: unknown) => log.debug({ err }, 'not all models were looked at for sharing'));
}

async function openConversations(app: App, resources: AsyncDisposableStack): Promise<void> {
  const conversations = new Conversations({
    store: new ConversationStore(app.db),
    ask: (request, signal) => app.ask(request, signal),
    localModel: () => app.backend?.status().model?.name,
    log: app.log,
  });
  await conversations.open();
  resources.defer(() => conversations.close());
  app.conversations = conversations;
}

function openSamples(app: App, resources: AsyncDisposableStack): void {
  const samples = new Samples({
    read: () => {
      const { running: active = 0, waiting = 0 } = app.worker?.report() ?? {};
      const health = app.health?.current().score ?? null;
      return { active, waiting, health, peers: app.mesh?.inference.peers.size ?? 0 };
    },
  });
  resources.defer(() => samples.close());
  samples.open();
  app.samples = samples;
}

async function openServer(app: App, lock: DataDirLock, resources: AsyncDisposableStack): Promise<void> {
  const token = randomToken();
  const server = createHttpServer(app, token);
  resources.defer(() => server.close());
  await server.open();
  app.server = server;
  await lock.announce(server.url, token);
}

/** Whoever looks at the node sees how that goes. */
function startMining({ mining, log }: App): void {
  mining?.start().catch((err: unknown) => log.warn({ err }, 'mining could not be started'));
}
