/** The worker's process of `quarry bench mesh`: a real engine, real books on disk, and a worker on the mesh. */
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { TIERS } from '../credits/tiers.ts';
import type { GenerateEvent, GenerateOptions, InferenceBackend } from '../inference/backend.ts';
import { LocalBackend } from '../inference/host/local-backend.ts';
import { MeshWorker } from '../mesh/serving/worker.ts';
import { BenchNode } from './mesh-node.ts';
import type { WorkerAnswer, WorkerOrder } from './mesh-worker-process.ts';

const log = pino({ level: process.env.QUARRY_BENCH_LOG ?? 'silent' }, pino.destination(2));
const reply = (answer: WorkerAnswer) => process.send?.(answer);

/** Notes, for each request's seed, what the engine alone took to the first token. */
function timed(backend: InferenceBackend, firstTokenMs: Map<number, number>): InferenceBackend {
  async function* generate(request: GenerateRequest, options?: GenerateOptions): AsyncGenerator<GenerateEvent> {
    const started = performance.now();
    for await (const event of backend.generate(request, options)) {
      const { seed = 0 } = request;
      if (!firstTokenMs.has(seed)) firstTokenMs.set(seed, performance.now() - started);
      yield event;
    }
  }
  return { generate, open: () => backend.open(), close: () => backend.close(), status: () => backend.status() };
}

async function generated(backend: InferenceBackend, request: GenerateRequest): Promise<number> {
  for await (const event of backend.generate(request)) if (event.type === 'done') return event.result.completionTokens;
  throw new Error('The engine ended without a result.');
}

async function serve({ model, folder, bootstrap, parallel }: Extract<WorkerOrder, { type: 'open' }>): Promise<void> {
  const firstTokenMs = new Map<number, number>();
  const engine = new LocalBackend({ modelPath: model, contextSize: 1024, parallel, log });
  const backend = timed(engine, firstTokenMs);
  const node = new BenchNode({ folder, bootstrap, mode: 'server', log });
  await backend.open();
  await node.open();
  const { network, identity, credits } = node;
  const requestsPerMinute = Object.fromEntries(TIERS.map((tier) => [tier, 1_000_000]));
  const health = () => ({ score: 90, state: 'idle' as const, capacity: 100, accepting: true });
  const worker = new MeshWorker({
    network,
    identity,
    backend,
    credits: credits.worker,
    health,
    requestsPerMinute,
    log,
  });
  worker.open();
  process.on('message', async (order: WorkerOrder) => {
    if (order.type === 'generate') {
      const started = performance.now();
      const counts = await Promise.all(order.requests.map((request) => generated(engine, request)));
      const tokens = counts.reduce((sum, count) => sum + count, 0);
      reply({ type: 'generated', tokens, ms: performance.now() - started });
    } else if (order.type === 'first-tokens') {
      reply({ type: 'first-tokens', ms: [...firstTokenMs] });
      firstTokenMs.clear();
    } else if (order.type === 'close') {
      await worker.close();
      await node.close();
      await engine.close();
      process.disconnect();
    }
  });
  reply({ type: 'ready', id: identity.id });
}

process.once('disconnect', () => process.exit());
process.once('message', (order: WorkerOrder) => {
  if (order.type === 'open') serve(order).catch((error: Error) => reply({ type: 'failed', message: error.message }));
});
