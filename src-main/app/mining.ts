import { GpuNeighbours } from '../hardware/gpu-neighbours.ts';
import { type Health, HealthMonitor } from '../hardware/health.ts';
import { CAPACITY } from '../hardware/health-score.ts';
import { nodePolicySources } from '../hardware/policy-sources.ts';
import { PolicyWatcher } from '../hardware/policy-watcher.ts';
import { createSampler } from '../hardware/sample.ts';
import type { InferenceBackend } from '../inference/backend.ts';
import { LocalBackend } from '../inference/local-backend.ts';
import { MeshWorker } from '../mesh/worker.ts';
import { CalibrationStore } from '../store/calibrations.ts';
import type { App } from './app.ts';
import { IdleCalibration } from './calibration.ts';
import type { Config } from './config.ts';

/** Share of its speed that the engine works at while the load policy throttles it. */
const THROTTLED_SPEED = 0.5;

/** Opens what serves others: health, load policy and the worker. Wants the app's engine and mesh. */
export async function openMining(app: App, resources: AsyncDisposableStack): Promise<void> {
  const { backend, mesh, config, identity, credits, log } = app;
  if (!backend || !mesh) throw new Error('A worker needs an engine and a mesh.');

  const health = new HealthMonitor({ sampler: createSampler(() => engineLoad(backend)), queue: () => queue(app), log });
  resources.defer(() => health.close());
  await health.open();

  const policy = new PolicyWatcher({
    settings: config.policy,
    sources: nodePolicySources(gpuNeighbours(backend)),
    log,
  });
  policy.subscribe(({ mode }) => setSpeed(backend, mode === 'throttled' ? THROTTLED_SPEED : 1));
  resources.defer(() => policy.close());
  await policy.open();

  const { queueCapacity, queuedPerClient, requestsPerMinute } = config.limits;
  const worker = new MeshWorker({
    network: mesh.inference,
    identity,
    backend,
    credits: credits.worker,
    health: () => workerHealth(health.current(), policy, config),
    queue: { capacity: queueCapacity, perClient: queuedPerClient },
    requestsPerMinute,
    onBooked: (receipt, outcome) => app.emit('booked', receipt, outcome),
    log,
  });
  resources.defer(() => worker.close());
  policy.subscribe(() => worker.changed());
  health.subscribe(() => worker.changed());
  worker.open();
  if (backend instanceof LocalBackend) {
    const calibration = new IdleCalibration(backend, new CalibrationStore(app.db), log);
    resources.defer(() => calibration.close());
    calibration.open();
  }
  Object.assign(app, { health, policy, worker });
}

/** A paused node stays on the mesh and refuses, saying why. */
function workerHealth(health: Health, policy: PolicyWatcher, { limits }: Config): Health {
  const { mode, reasons } = policy.current();
  if (mode !== 'paused') return health.accepting || limits.refuseWhenOverloaded ? health : undaunted(health);
  return {
    ...health,
    accepting: false,
    refusal: undefined,
    reason: `Paused: ${reasons.map(({ text }) => text).join(' ')}`,
  };
}

/** As a busy node: one that takes requests however little of the computer is left. */
function undaunted(health: Health): Health {
  return { ...health, accepting: true, refusal: undefined, reason: undefined, capacity: CAPACITY.busy };
}

function queue({ worker, config }: App): { length: number; capacity: number } {
  return { length: worker?.report().waiting ?? 0, capacity: config.limits.queueCapacity };
}

function engineLoad(backend: InferenceBackend) {
  const { model, active } = backend.status();
  const pid = backend instanceof LocalBackend ? backend.pid : undefined;
  return { threads: model?.threads ?? 0, active: active > 0, pid };
}

function setSpeed(backend: InferenceBackend, share: number): void {
  if (backend instanceof LocalBackend) backend.setSpeed(share);
}

/** A remote backend's GPUs are somebody else's business. */
function gpuNeighbours(backend: InferenceBackend) {
  if (!(backend instanceof LocalBackend)) return async () => ({ reason: 'the engine runs on another machine' });
  const neighbours = new GpuNeighbours({
    engineGpus: () => backend.gpus(),
    ownPids: () => [process.pid, ...(backend.pid === undefined ? [] : [backend.pid])],
  });
  let restarts = backend.restarts;
  return () => {
    if (backend.restarts !== restarts) neighbours.rebase(); // while it was gone, its own memory was free
    restarts = backend.restarts;
    return neighbours.read();
  };
}
