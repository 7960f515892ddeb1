import { RPCHandler } from '@orpc/server/fastify';
import type { FastifyInstance } from 'fastify';
import { LocalBackend } from '../inference/local-backend.ts';
import { HttpServer } from '../server/http-server.ts';
import type { Generator, NodeReading, ServedModel } from '../server/ports.ts';
import type { App } from './app.ts';
import { createRouter } from './router.ts';

/** The app's HTTP side: the OpenAI API over its engine and the mesh, metrics, health, and the contract under /rpc. */
export function createHttpServer(app: App): HttpServer {
  const { host, port, apiToken: token } = app.config;
  return new HttpServer({
    host,
    port,
    token,
    log: app.log,
    models: () => servedModels(app),
    route: (model) => route(app, model),
    health: () => healthz(app),
    collect: () => reading(app),
    extend: (server) => mountContract(server, app),
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

function healthz({ backend, mesh, health, policy }: App) {
  const engine = backend?.status().state;
  return {
    ok: engine === undefined || engine === 'ready',
    engine: engine ?? 'none',
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
      state: backend?.status().state ?? 'none',
      restarts: backend instanceof LocalBackend ? backend.restarts : 0,
    },
    served: { ...served, refused: app.refused },
  };
}

function mountContract(server: FastifyInstance, app: App): void {
  const handler = new RPCHandler(createRouter(app));
  server.all('/rpc/*', async (request, reply) => {
    const { matched } = await handler.handle(request, reply, { prefix: '/rpc', context: {} });
    if (!matched) reply.callNotFound();
  });
}
