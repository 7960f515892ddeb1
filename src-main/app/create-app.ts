import { join } from 'node:path';
import { openCreditBook } from '../credits/credit-book.ts';
import { loadOrCreateIdentity, verify } from '../mesh/identity.ts';
import { openDatabase } from '../store/database.ts';
import { App } from './app.ts';
import type { Config } from './config.ts';
import { DataDirLock } from './data-dir-lock.ts';
import { createBackend } from './inference-backend.ts';
import { openNodeLog } from './log.ts';
import { MeshNode } from './mesh-node.ts';
import { openMining } from './mining.ts';
import { modelLibrary } from './model-library.ts';
import { createHttpServer } from './node-server.ts';

/** Which parts of a node are opened; identity, database, credits and library always are. */
export interface AppParts {
  /** Load a model. */
  engine?: boolean;
  /** Join the mesh. */
  mesh?: boolean;
  /** Serve the mesh with the engine; wants both. */
  worker?: boolean;
  /** Listen for the OpenAI API and the contract. */
  server?: boolean;
}

/**
 * Composes a node from its parts, opened in order and closed in reverse. When one cannot be opened, those before it are
 * closed again and the error says what to do.
 *
 * @throws DATA_DIR_IN_USE, DATABASE_CORRUPT, DISK_FULL, MODEL_NOT_FOUND, MODEL_INVALID, OUT_OF_MEMORY, PORT_IN_USE
 */
export async function createApp(config: Config, parts: AppParts): Promise<App> {
  const resources = new AsyncDisposableStack();
  try {
    const lock = new DataDirLock(config.dataDir);
    await lock.open();
    resources.defer(() => lock.close());
    const app = await openCore(config, resources);
    if (parts.engine) await openEngine(app, resources);
    if (parts.mesh) await openMesh(app, parts, resources);
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
  const credits = await openCreditBook({
    db,
    identity,
    verify,
    standing: (id) => app.standing(id),
    allowance: config.credits,
    log,
  });
  resources.defer(() => credits.close());
  const app: App = new App({ config, identity, db, credits, library: modelLibrary(config), log }, resources);
  return app;
}

async function openEngine(app: App, resources: AsyncDisposableStack): Promise<void> {
  const backend = await createBackend(app.config, app.library, app.log);
  resources.defer(() => backend.close());
  await backend.open();
  app.backend = backend;
}

async function openMesh(app: App, { worker }: AppParts, resources: AsyncDisposableStack): Promise<void> {
  const mesh = new MeshNode({ ...app, backend: worker ? app.backend : undefined });
  resources.defer(() => mesh.close());
  await mesh.open();
  app.mesh = mesh;
}

async function openServer(app: App, lock: DataDirLock, resources: AsyncDisposableStack): Promise<void> {
  const server = createHttpServer(app);
  resources.defer(() => server.close());
  await server.open();
  app.server = server;
  await lock.announce(server.url);
}
