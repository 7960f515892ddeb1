import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { type Health, HealthMonitor, type QueueLoad } from '../../../hardware/health.ts';
import { createSampler, type EngineLoad } from '../../../hardware/sample.ts';
import type { InferenceBackend } from '../../../inference/backend.ts';
import { MeshWorker } from '../../../mesh/serving/worker.ts';
import { MeshWork } from '../../../mining/mesh-work.ts';
import { MiningState } from '../../../mining/mining-state.ts';
import { MiningSwitch } from '../../../mining/mining-switch.ts';
import { NextModel } from '../../../mining/next-model.ts';
import { statusHealth, workerHealth } from '../../../mining/worker-health.ts';
import type { ModelLibrary } from '../../../models/library/library.ts';
import type { Figure } from '../../../server/figures.ts';
import type { Config } from '../../../settings/config.ts';
import { CalibrationStore } from '../../../store/calibrations.ts';
import { IdleCalibration } from '../../models/calibration.ts';
import type { NodeReading } from '../../node/reading.ts';
import type { Core } from '../core.ts';
import type { CreditsPart } from '../credits.ts';
import type { EnginePart } from '../engine.ts';
import { AS_MINER, type Lack } from '../need.ts';
import type { PolicyPart } from '../policy.ts';
import type { Report } from '../report.ts';
import type { MeshPart } from './mesh.ts';
import type { OfferedPart } from './offered.ts';

/** Share of its speed that the engine works at while the load policy throttles it. */
export const THROTTLED_SPEED = 0.5;

/** Share of the processor below which what others use of it does not spoil a measurement. */
const QUIET_SHARE = 0.15;

export const NO_MINING: Lack = { message: say('node.notMiner'), hint: AS_MINER };

/** What serves the mesh with this node's model. */
export interface MiningPart {
  /** Turns it on and off. */
  readonly switch: Pick<MiningSwitch, 'state' | 'view' | 'start' | 'stop' | 'reload' | 'subscribe'>;
  readonly health: { current(): Health };
  readonly policy: PolicyPart;
  /** What waits and runs for the mesh. */
  queue(): NodeReading['queue'];
  /** What was done for it. */
  readonly work: MeshWork;
  /** The mesh is refused, for this reason, until the result is disposed of. */
  hold(reason: Saying): Disposable;
  /** Answers who does not come from the mesh, out of the same queue. */
  readonly generate: MeshWorker['generate'];
}

export interface MiningNeeds {
  library: ModelLibrary;
  credits: CreditsPart;
  engine: EnginePart;
  /** What is offered beside its model; undefined where nothing is. */
  offered: OfferedPart | undefined;
  mesh: MeshPart;
  policy: PolicyPart;
}

/** Who can mine. */
export function wantsMining({ role }: Config): boolean {
  return role === 'miner';
}

/** Opens health, the worker, and what turns mining on and off. The worker is there from now on, and says «stopped». */
export async function openMining(core: Core, needs: MiningNeeds): Promise<MiningPart> {
  const { changes, config, onClose } = core;
  const { refuseWhenOverloaded } = config.limits;
  const { scores } = needs.mesh;
  const { policy } = needs;
  const { engine, offered } = needs;
  const { localUse } = engine;
  const work = new MeshWork();
  const state = new MiningState();
  const monitor = await openHealth(core, engine);
  const worker = createWorker(core, needs, { monitor, policy, state, work });
  const mining = createSwitch(core, needs, { monitor, policy, state, worker });
  core.onDrain(() => worker.drain());
  onClose(() => worker.close());
  onClose(() => mining.close());
  worker.open();
  let kept: Disposable | undefined;
  mining.subscribe(() => {
    if (mining.state !== 'stopped') kept ??= localUse.keep();
    else {
      kept = void kept?.[Symbol.dispose]();
      engine.others?.setSpeed(1);
    }
    if (mining.state === 'running') offered?.look();
    worker.changed();
    changes.tell();
  });
  policy.subscribe(() => {
    if (mining.state === 'running') setSpeed(engine, policy);
    worker.changed();
  });
  monitor.subscribe(() => worker.changed());
  offered?.follow(() => worker.changed());
  return {
    switch: mining,
    health: { current: () => statusHealth({ refuseWhenOverloaded, health: monitor.current(loadOf(worker)), scores }) },
    policy,
    queue() {
      const { waiting, running: active, waits } = worker.report();
      return { waiting, active, waits };
    },
    work,
    hold: (reason) => state.hold(reason),
    generate: (request, options) => worker.generate(request, options),
  };
}

function loadOf(worker: MeshWorker): QueueLoad {
  const { waiting: length, queueCapacity: capacity } = worker.report();
  return { length, capacity };
}

async function openHealth({ log, onClose }: Core, engine: EnginePart): Promise<HealthMonitor> {
  const sampler = createSampler(() => engineLoad(engine));
  const health = new HealthMonitor({ sampler, log });
  onClose(() => health.close());
  await health.open();
  return health;
}

function createSwitch(
  { config, settings, db, log }: Core,
  { engine, library }: MiningNeeds,
  {
    monitor,
    policy,
    state,
    worker,
  }: { monitor: HealthMonitor; policy: PolicyPart; state: MiningState; worker: MeshWorker },
): MiningSwitch {
  const othersUse = () => monitor.current(loadOf(worker)).usage?.others ?? 1; // nobody knows before two samples
  const { slot } = engine;
  const isQuiet = () =>
    policy.current().mode === 'full' && othersUse() < QUIET_SHARE && !engine.others?.loaded.some(isActive);
  let calibration: IdleCalibration | undefined;
  const chosen = settings.follow('model');
  const next = new NextModel({ config, model: () => chosen.now, library });
  return new MiningSwitch({
    engine: slot,
    state,
    worker,
    model: () => next.name,
    onLoaded: () => policy.check(), // what others take of the GPU is seen from now on
    onRunning: () => {
      setSpeed(engine, policy);
      const store = new CalibrationStore(db);
      calibration = slot.current && new IdleCalibration({ backend: slot.current, store, log, isQuiet });
      calibration?.open();
    },
    onStopping: async () => {
      await calibration?.close();
      calibration = undefined;
    },
  });
}

function createWorker(
  { config, identity, log }: Core,
  { credits, engine, offered, mesh }: MiningNeeds,
  { monitor, policy, state, work }: { monitor: HealthMonitor; policy: PolicyPart; state: MiningState; work: MeshWork },
): MeshWorker {
  const { queueCapacity, queuedPerClient, requestsPerMinute, refuseWhenOverloaded } = config.limits;
  return new MeshWorker({
    network: mesh.inference,
    identity,
    backend: engine.slot,
    others: offered?.models,
    credits: credits.worker,
    health: (queue) =>
      workerHealth({
        refuseWhenOverloaded,
        health: monitor.current(queue),
        policy,
        mining: state,
        scores: mesh.scores,
      }),
    queue: { capacity: queueCapacity, perClient: queuedPerClient },
    requestsPerMinute,
    observer: work.observer,
    onBooked: work.book,
    log,
  });
}

/** Of all engines together: those that answer have so many threads, and the own one has its own at any time. */
function engineLoad({ slot, others }: EnginePart): EngineLoad {
  const { model, active } = slot.status();
  const more = others?.loaded ?? [];
  const threads = more.filter(isActive).reduce((sum, each) => sum + (each.status().model?.threads ?? 0), 0);
  return {
    threads: (model?.threads ?? 0) + threads,
    active: active > 0 || threads > 0,
    pids: [slot.current, ...more].flatMap((each) => each?.engine?.pid ?? []),
  };
}

function isActive(backend: InferenceBackend): boolean {
  return backend.status().active > 0;
}

function setSpeed({ slot, others }: EnginePart, policy: PolicyPart): void {
  const share = policy.current().mode === 'throttled' ? THROTTLED_SPEED : 1;
  slot.current?.engine?.setSpeed(share);
  others?.setSpeed(share);
}

/** What is served to the mesh; nothing on a node that does not mine. A miner that was told to rest is well, too. */
export function miningReport(read: () => NodeReading): Report {
  const gauge = (name: string, help: string, of: (reading: NodeReading) => number) => {
    return { name, help, read: () => of(read()) };
  };
  const total = (name: string, help: string, of: (reading: NodeReading) => number) => {
    return { ...gauge(name, help, of), kind: 'total' as const };
  };
  return {
    figures: [
      gauge('quarry_queue_waiting', 'Requests of the mesh that wait.', ({ queue }) => queue.waiting),
      gauge('quarry_queue_active', 'Requests of the mesh that are being answered.', ({ queue }) => queue.active),
      gauge(
        'quarry_health_score',
        'Health of this machine, 0 to 100; NaN where it is not measured.',
        ({ health }) => health?.score ?? Number.NaN,
      ),
      total('quarry_mesh_requests_total', 'Requests answered for the mesh.', ({ served }) => served.requests),
      total('quarry_mesh_tokens_total', 'Tokens generated for the mesh.', ({ served }) => served.tokens),
      ...waitFigures(() => read().queue.waits),
    ],
    health() {
      const { mining, health, policy } = read();
      return { ok: mining?.error === undefined, health: health?.score, policy: policy?.mode };
    },
  };
}

type Waits = NodeReading['queue']['waits'][number];

/** Waits of each tier of which a request was served, in seconds. */
function waitFigures(read: () => Waits[]): Figure[] {
  const byTier = (name: string, help: string, of: (waits: Waits) => number | undefined): Figure => ({
    name,
    help,
    label: 'tier',
    read() {
      const known = read().map((waits) => [waits.tier, of(waits)] as const);
      return Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== undefined));
    },
  });
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
  return [
    byTier('quarry_queue_wait_mean_seconds', 'Mean wait of the mesh’s requests by tier since the start.', (waits) =>
      seconds(waits.meanMs),
    ),
    byTier('quarry_queue_wait_max_seconds', 'Longest wait of the mesh’s requests by tier since the start.', (waits) =>
      seconds(waits.maxMs),
    ),
    byTier('quarry_queue_wait_target_seconds', 'Wait that a tier is meant to have at most.', (waits) =>
      seconds(waits.targetMs),
    ),
    byTier(
      'quarry_queue_wait_within_target_ratio',
      'Share of a tier’s requests within its target, 0 to 1.',
      (waits) => waits.withinTarget,
    ),
  ];
}
