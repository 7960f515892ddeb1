import { HttpServer } from '../../server/http-server.ts';
import type { NodeReading } from '../../server/node-metrics.ts';
import type { Generator, ServedModel } from '../../server/openai/generator.ts';
import type { App } from '../app.ts';
import { pagesFolder } from '../host/pages-folder.ts';
import { createRouter } from '../router.ts';

/**
 * The app's HTTP side: the screens and their contract, the OpenAI API over its engine and the mesh, metrics and health.
 * @param localToken what commands of the same user bring
 */
export function createHttpServer(app: App, localToken: string): HttpServer {
  const { host, port, apiToken: token, tlsCert, tlsKey, publicUrl } = app.config;
  return new HttpServer({
    host,
    port,
    token,
    localToken,
    tls: tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined,
    publicUrl,
    pages: pagesFolder(),
    log: app.log,
    models: () => servedModels(app),
    route: (model) => route(app, model),
    health: () => healthz(app),
    collect: () => reading(app),
    contract: createRouter(app),
  });
}

function servedModels({ mesh, backend, config }: App): ServedModel[] {
  const local = backend?.status().model;
  const kind = config.backend;
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
function route({ mesh, backend }: App, model: string): Generator | undefined {
  if (backend && (model === 'local' || model === backend.status().model?.name)) return backend;
  if (mesh && model === 'mesh') return mesh.client;
  if (mesh && meshModels(mesh).has(model)) {
    return { generate: (request, options) => mesh.client.generate(request, { ...options, model }) };
  }
  return undefined;
}

function meshModels(mesh: App['mesh']): Set<string> {
  return new Set(mesh?.client.workers().flatMap(({ status }) => status?.models.map(({ name }) => name) ?? []));
}

/** A miner that was told to rest is well, too. */
function healthz({ backend, mining, mesh, health, policy }: App) {
  const engine = !backend || backend.empty ? 'none' : backend.status().state;
  return {
    ok: mining?.view().error === undefined && (engine === 'none' || engine === 'ready'),
    engine,
    peers: mesh?.inference.peers.size ?? 0,
    health: health?.current().score,
    policy: policy?.current().mode,
  };
}

function reading(app: App): NodeReading {
  const { backend, mesh, worker, health, served } = app;
  const report = worker?.report();
  return {
    queue: { waiting: report?.waiting ?? 0, active: report?.running ?? 0 },
    waits: report?.waits ?? [],
    healthScore: health?.current().score,
    peers: mesh?.inference.peers.size ?? 0,
    engine: {
      state: !backend || backend.empty ? 'none' : backend.status().state,
      restarts: backend?.engine?.restarts ?? 0,
    },
    served: { ...served, refused: app.refused },
  };
}
