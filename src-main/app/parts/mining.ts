import { GpuNeighbours } from '../../hardware/gpu-neighbours.ts';
import { type Health, HealthMonitor } from '../../hardware/health.ts';
import { CAPACITY } from '../../hardware/health-score.ts';
import type { OtherGpuUse } from '../../hardware/policy.ts';
import { nodePolicySources, type PolicySources } from '../../hardware/policy-sources.ts';
import { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { Reading } from '../../hardware/reading.ts';
import { createSampler } from '../../hardware/sample.ts';
import type { MachineEngine } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import { MeshWorker } from '../../mesh/serving/worker.ts';
import { CalibrationStore } from '../../store/calibrations.ts';
import type { App } from '../app.ts';
import { Mining } from '../engine/mining-switch.ts';
import { NextModel } from '../engine/next-model.ts';
import type { PowerSource } from '../host/host-ports.ts';
import { IdleCalibration } from '../models/calibration.ts';

/** Share of its speed that the engine works at while the load policy throttles it. */
const THROTTLED_SPEED = 0.5;

/** Opens what serves others: health, load policy, the worker, and what turns mining on and off. Wants the app's mesh. */
export async function openMiner(app: App, resources: AsyncDisposableStack): Promise<void> {
  const { backend: engine, mesh } = app;
  if (!engine || !mesh) throw new Error('A miner needs a place for its engine, and a mesh.');
  const health = await openHealth(app, engine, resources);
  const policy = await openPolicy(app, engine, resources);
  const worker: MeshWorker = createWorker(
    app,
    { engine, mesh, health, policy, refusal: () => mining.refusal },
    resources,
  );
  const mining = createMining(app, { engine, policy, worker });
  resources.defer(() => mining.close());
  worker.open();
  mining.subscribe(() => {
    worker.changed();
    app.changes.tell();
  });
  policy.subscribe(() => {
    if (mining.state === 'running') setSpeed(engine, policy);
    worker.changed();
  });
  health.subscribe(() => worker.changed());
  Object.assign(app, { health, policy, worker, mining });
}

async function openHealth(app: App, engine: EngineSlot, resources: AsyncDisposableStack): Promise<HealthMonitor> {
  const sampler = createSampler(() => engineLoad(engine));
  const queue = () => ({ length: app.worker?.report().waiting ?? 0, capacity: app.config.limits.queueCapacity });
  const health = new HealthMonitor({ sampler, queue, log: app.log });
  resources.defer(() => health.close());
  await health.open();
  return health;
}

async function openPolicy(
  { config, log, ports: { power } }: App,
  engine: EngineSlot,
  resources: AsyncDisposableStack,
): Promise<PolicyWatcher> {
  const policy = new PolicyWatcher({ settings: config.policy, sources: policySources(engine, power), log });
  resources.defer(() => policy.close());
  await policy.open();
  if (power) resources.defer(power.subscribe(() => void policy.check()));
  return policy;
}

/** The desktop sees power and people better than plain Node does. */
function policySources(engine: EngineSlot, power: PowerSource | undefined): PolicySources {
  const sources = nodePolicySources(gpuNeighbours(engine));
  if (!power) return sources;
  return { ...sources, battery: () => power.battery(), userIdleSeconds: () => power.userIdleSeconds() };
}

interface WorkerParts {
  engine: EngineSlot;
  mesh: NonNullable<App['mesh']>;
  health: HealthMonitor;
  policy: PolicyWatcher;
  refusal: () => string | undefined;
}

function createWorker(app: App, parts: WorkerParts, resources: AsyncDisposableStack): MeshWorker {
  const { config, identity, credits, log } = app;
  const { queueCapacity, queuedPerClient, requestsPerMinute } = config.limits;
  const worker = new MeshWorker({
    network: parts.mesh.inference,
    identity,
    backend: parts.engine,
    credits: credits.worker,
    health: () => workerHealth(app, parts),
    queue: { capacity: queueCapacity, perClient: queuedPerClient },
    requestsPerMinute,
    observer: {
      firstToken: (ms) => app.samples?.firstToken(ms),
      tokens: (count) => app.samples?.tokens(count),
      served: (result) => app.speed.add(result),
    },
    onBooked: (receipt, outcome) => app.emit('booked', receipt, outcome),
    log,
  });
  resources.defer(() => worker.close());
  return worker;
}

function createMining(
  app: App,
  { engine, policy, worker }: { engine: EngineSlot; policy: PolicyWatcher; worker: MeshWorker },
): Mining {
  let calibration: IdleCalibration | undefined;
  const next = new NextModel(app);
  return new Mining({
    engine,
    worker,
    model: () => next.name,
    onLoaded: () => policy.check(), // what others take of the GPU is seen from now on
    onRunning: () => {
      setSpeed(engine, policy);
      calibration = new IdleCalibration(engine, new CalibrationStore(app.db), app.log);
      calibration.open();
    },
    onStopping: async () => {
      await calibration?.close();
      calibration = undefined;
    },
  });
}

/** A node that is paused or does not mine stays on the mesh and refuses, saying why. */
function workerHealth({ config }: App, { health, policy, refusal }: WorkerParts): Health {
  const now = health.current();
  const stopped = refusal();
  if (stopped) return refusing(now, stopped);
  const { mode, reasons } = policy.current();
  if (mode === 'paused') return refusing(now, `Paused: ${reasons.map(({ text }) => text).join(' ')}`);
  return now.accepting || config.limits.refuseWhenOverloaded ? now : undaunted(now);
}

function refusing(health: Health, reason: string): Health {
  return { ...health, accepting: false, refusal: undefined, reason };
}

/** As a busy node: one that takes requests however little of the computer is left. */
function undaunted(health: Health): Health {
  return { ...health, accepting: true, refusal: undefined, reason: undefined, capacity: CAPACITY.busy };
}

function engineLoad(engine: EngineSlot) {
  const { model, active } = engine.status();
  return { threads: model?.threads ?? 0, active: active > 0, pid: engine.engine?.pid };
}

function setSpeed({ engine }: EngineSlot, policy: PolicyWatcher): void {
  engine?.setSpeed(policy.current().mode === 'throttled' ? THROTTLED_SPEED : 1);
}

/** What others take of the GPU is seen through the engine: without one, or when it runs elsewhere, nobody can tell. */
function gpuNeighbours(slot: EngineSlot): () => Promise<Reading<OtherGpuUse>> {
  let seen: { engine: MachineEngine; restarts: number; neighbours: GpuNeighbours } | undefined;
  return async () => {
    const { engine } = slot;
    if (!engine || slot.status().state !== 'ready') {
      return { reason: slot.current && !engine ? 'the engine runs on another machine' : 'no model is loaded' };
    }
    if (seen?.engine !== engine) {
      seen = { engine, restarts: engine.restarts, neighbours: neighboursOf(engine) };
    }
    if (engine.restarts !== seen.restarts) seen.neighbours.rebase(); // while it was gone, its own memory was free
    seen.restarts = engine.restarts;
    return await seen.neighbours.read();
  };
}

function neighboursOf(engine: MachineEngine): GpuNeighbours {
  return new GpuNeighbours({
    engineGpus: () => engine.gpus(),
    ownPids: () => [process.pid, ...(engine.pid === undefined ? [] : [engine.pid])],
  });
}
