import { join } from 'node:path';
import { openCreditBook } from '../credits/credit-book.ts';
import { LocalBackend } from '../inference/local-backend.ts';
import { BanList } from '../mesh/ban-list.ts';
import { loadOrCreateIdentity, verify } from '../mesh/identity.ts';
import { BanStore } from '../store/bans.ts';
import { CalibrationStore } from '../store/calibrations.ts';
import { openDatabase } from '../store/database.ts';
import { App } from './app.ts';
import type { Config } from './config.ts';
import { DataDirLock } from './data-dir-lock.ts';
import { createBackend } from './inference-backend.ts';
import { openNodeLog } from './log.ts';
import { MeshNode } from './mesh-node.ts';
import { openMining } from './mining.ts';
import { createDownloads } from './model-downloads.ts';
import { ModelFits } from './model-fits.ts';
import { modelLibrary, openCatalogue } from './model-library.ts';
import { Models } from './models.ts';
import { ModelsNode } from './models-node.ts';
import { createHttpServer } from './node-server.ts';

/** Which parts of a node are opened; identity, database, credits and library always are. */
export interface AppParts {
  /** Load a model. */
  engine?: boolean;
  /** Join the mesh. */
  mesh?: boolean;
  /** Join the models network: share model files, and fetch them from peers. */
  sharing?: boolean;
  /** Serve the mesh with the engine; wants both. */
  worker?: boolean;
  /** Listen for the OpenAI API and the contract. */
  server?: boolean;
}

/**
 * Composes a node from its parts, opened in order and closed in reverse. When one cannot be opened, those before it are
 * closed again and the error says what to do.
 *
 * @throws DATA_DIR_IN_USE, DATABASE_CORRUPT, DISK_FULL, MODELS_IN_USE, MODEL_NOT_FOUND, MODEL_INVALID, OUT_OF_MEMORY, PORT_IN_USE
 */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const resources = new AsyncDisposableStack();
  try {
    const lock = new DataDirLock(config.dataDir);
    await lock.open();
    resources.defer(() => lock.close());
    const app = await openCore(config, resources);
    if (parts.engine) await openEngine(app, resources);
    await openNetworks(app, parts, resources);
    await openModels(app, { resume: parts.server ?? false }, resources);
    if (parts.worker) await openMining(app, resources);
    if (parts.server) await openServer(app, lock, resources);
    return app;
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function openCore(config: Config, resources: AsyncDisposableStack): Promise<App> {
  const { log, close } = openNodeLog(config);
  resources.defer(close);
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
  const library = modelLibrary(config, () => loadedPath(app));
  resources.defer(() => library.close());
  await library.open();
  const app: App = new App({ config, identity, db, bans, credits, library, log }, resources);
  return app;
}

/** Path of the model that the engine has. */
function loadedPath({ backend }: App): string | undefined {
  return backend instanceof LocalBackend ? backend.modelPath : undefined;
}

async function openEngine(app: App, resources: AsyncDisposableStack): Promise<void> {
  const backend = await createBackend(app.config, app.library, app.log);
  resources.defer(() => backend.close());
  await backend.open();
  app.backend = backend;
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
  const fits = new ModelFits(config, new CalibrationStore(db), () => app.backend);
  app.models = new Models({ config, library, catalogue, downloads, fits, network: () => app.modelsNode, log });
  // Not waited for: what was never hashed may take long. The end of the library ends it.
  void app.models.seedAll().catch((err: unknown) => log.debug({ err }, 'not all models were looked at for sharing'));
}

async function openServer(app: App, lock: DataDirLock, resources: AsyncDisposableStack): Promise<void> {
  const server = createHttpServer(app);
  resources.defer(() => server.close());
  await server.open();
  app.server = server;
  await lock.announce(server.url);
}
