import { ignoring } from '../base/swallowed.ts';
import type { Config } from '../settings/config.ts';
import type { App } from './app.ts';
import { createRouter, openParts, type Parts, type WantedParts } from './domains.ts';
import { type Core, openCore, type Surroundings } from './parts/core.ts';
import { openServer } from './parts/node/server.ts';

/**
 * Composes a node from its parts, opened in order and closed in reverse. When one cannot be opened, those before it are
 * closed again and the error says what to do.
 *
 * A miner with a server does not wait for its model: `mining` tells how that goes, and a model that cannot be loaded leaves
 * the node open for whoever chooses another one. Without a server it is an error like any other.
 *
 * @throws DATA_DIR_IN_USE, DATABASE_CORRUPT, DISK_FULL, MODELS_IN_USE, MODEL_NOT_FOUND, MODEL_INVALID, OUT_OF_MEMORY, PORT_IN_USE
 */
export async function createApp(config: Config, wanted: WantedParts, surroundings: Surroundings = {}): Promise<App> {
  if (wanted.worker && !wanted.mesh) throw new Error('A miner needs a mesh.');
  const closing = new AsyncDisposableStack();
  const draining: (() => Promise<void>)[] = [];
  const ending = new AbortController();
  try {
    const core = await openCore(config, surroundings, { closing, draining, ending: ending.signal });
    surroundings.onCore?.();
    const parts = await openParts(core, wanted, surroundings);
    const contract = createRouter(core, parts);
    if (wanted.engine && wanted.worker && !wanted.server) await parts.mining?.switch.start();
    const server = wanted.server ? await openServer(core, { ...parts, contract }) : undefined;
    if (wanted.engine && wanted.worker && wanted.server) startMining(core, parts);
    closing.defer(() => ending.abort()); // first of all, every watch ends
    const drain = async () => void (await Promise.all(draining.map((one) => one())));
    return { ...core, ...parts, contract, server, drain, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync().catch(ignoring('what went wrong first says what to do'));
    throw error;
  }
}

/** Whoever looks at the node sees how that goes. */
function startMining({ log }: Core, { mining }: Parts): void {
  mining?.switch.start().catch((err: unknown) => log.warn({ err }, 'mining could not be started'));
}
