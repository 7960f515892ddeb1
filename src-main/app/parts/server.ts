import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installedPath } from '../../base/installation.ts';
import { randomToken } from '../../base/random-token.ts';
import { HttpServer } from '../../server/http-server.ts';
import type { NodeReading } from '../../server/node-metrics.ts';
import type { Generator, ServedModel } from '../../server/openai/generator.ts';
import type { ServerOptions } from '../../server/server-options.ts';
import type { Config } from '../../settings/config.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';
import type { MeshPart } from './mesh.ts';
import type { MiningPart } from './mining.ts';

/** The node's HTTP side. */
export interface ServerPart {
  /** Where it is. */
  readonly url: string;
}

export interface ServerNeeds {
  engine: EnginePart | undefined;
  mesh: MeshPart | undefined;
  mining: MiningPart | undefined;
  /** Implementation of the contract. */
  contract: ServerOptions['contract'];
}

/** Serves the screens and their contract, the OpenAI API over engine and mesh, metrics and health. @throws PORT_IN_USE */
export async function openServer({ config, lock, log, onClose }: Core, needs: ServerNeeds): Promise<ServerPart> {
  const { host, port, apiToken: token, tlsCert, tlsKey, publicUrl } = config;
  const localToken = randomToken();
  const server = new HttpServer({
    host,
    port,
    token,
    localToken,
    tls: tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined,
    publicUrl,
    pages: pagesFolder(),
    log,
    models: () => servedModels(needs, config),
    route: (model) => route(needs, model),
    health: () => healthz(needs),
    collect: () => reading(needs),
    contract: needs.contract,
  });
  onClose(() => server.close());
  await server.open();
  await lock.announce(server.url, localToken);
  return server;
}

/** The folder of the built screens; undefined where they were not built. */
function pagesFolder(): string | undefined {
  const folder = installedPath('out', 'renderer');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

function servedModels({ mesh, engine }: ServerNeeds, { backend: kind }: Config): ServedModel[] {
  const local = engine?.slot.status().model;
  const models: ServedModel[] = mesh ? [{ name: 'mesh', kind: 'mesh' }] : [];
  if (local) {
    const { contextSize } = local;
    models.push({ name: 'local', kind, contextSize }, { name: local.name, kind, contextSize });
  }
  const known = new Set(models.map(({ name }) => name));
  for (const name of meshModels(mesh)) if (!known.has(name)) models.push({ name, kind: 'mesh' });
  return models;
}

/** A name that both this machine and the mesh serve means this machine. */
function route({ mesh, engine }: ServerNeeds, model: string): Generator | undefined {
  if (engine && (model === 'local' || model === engine.slot.status().model?.name)) return engine.slot;
  if (mesh && model === 'mesh') return mesh.client;
  if (mesh && meshModels(mesh).has(model)) {
    return { generate: (request, options) => mesh.client.generate(request, { ...options, model }) };
  }
  return undefined;
}

function meshModels(mesh: MeshPart | undefined): Set<string> {
  return new Set(mesh?.client.workers().flatMap(({ status }) => status?.models.map(({ name }) => name) ?? []));
}

/** A miner that was told to rest is well, too. */
function healthz({ engine, mesh, mining }: ServerNeeds) {
  const state = engineState(engine);
  return {
    ok: mining?.switch.view().error === undefined && (state === 'none' || state === 'ready'),
    engine: state,
    peers: mesh?.peers.count ?? 0,
    health: mining?.health.current().score,
    policy: mining?.policy.current().mode,
  };
}

function reading({ engine, mesh, mining }: ServerNeeds): NodeReading {
  const { waits, ...queue } = mining?.work.queue() ?? { waiting: 0, active: 0, waits: [] };
  const { requests, tokens } = mining?.work.served ?? { requests: 0, tokens: 0 };
  return {
    queue,
    waits,
    healthScore: mining?.health.current().score,
    peers: mesh?.peers.count ?? 0,
    engine: { state: engineState(engine), restarts: engine?.slot.engine?.restarts ?? 0 },
    served: { requests, tokens, refused: mesh?.refused ?? 0 },
  };
}

function engineState(engine: EnginePart | undefined): string {
  return !engine || engine.slot.empty ? 'none' : engine.slot.status().state;
}
