import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { NodeStatus, Sample } from '../../../src-preload/contract/node.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { collectDiagnostics } from '../../diagnostics/diagnostics.ts';
import type { DoctorReport } from '../../hardware/doctor/doctor.ts';
import type { HardwareReport } from '../../hardware/report.ts';
import { examineComputer, probeComputer } from '../node/examination.ts';
import { nodeStatus } from '../node/status.ts';
import { watched } from '../node/watched.ts';
import type { Core } from './core.ts';
import type { CreditsPart } from './credits.ts';
import type { EnginePart } from './engine.ts';
import type { MeshPart } from './mesh.ts';
import type { MiningPart } from './mining.ts';
import type { ModelsPart } from './models.ts';
import { need } from './need.ts';
import type { SamplesPart } from './samples.ts';

/** The node as a whole: how it is, and what becomes of it. */
export interface NodePart {
  status(): Promise<NodeStatus>;
  /** The status, now and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<NodeStatus, void, undefined>;
  /** The live charts' samples: those that are kept, then each new one. Empty on a node without any. */
  watchSamples(signal?: AbortSignal): AsyncGenerator<Sample[], void, undefined>;
  /** What this computer is made of. */
  hardware(): Promise<HardwareReport>;
  /** What stands in its way. */
  doctor(): Promise<DoctorReport>;
  /** What a helper needs to find a fault of this node, as one JSON text without secrets. Never throws. */
  diagnostics(): Promise<{ fileName: string; text: string }>;
  /**
   * Has the node closed and opened again, as soon as whoever called was answered.
   * @throws NOT_RUNNING on a node that was opened for a single command
   */
  restart(): void;
}

export interface NodeNeeds {
  credits: CreditsPart;
  engine: EnginePart | undefined;
  mesh: MeshPart | undefined;
  mining: MiningPart | undefined;
  models: ModelsPart;
  samples: SamplesPart | undefined;
  restart: (() => void) | undefined;
}

export function openNode(core: Core, { credits, engine, mesh, mining, models, samples, restart }: NodeNeeds): NodePart {
  const { config, settings, identity, lock, changes, gpus, until } = core;
  const sources = { config, identity, lock, credits, engine, mesh, mining, startedAt: Date.now() };
  const status = () => nodeStatus(sources);
  const hardware = () => probeComputer(config, gpus);
  const peerOffsets = async () => mesh?.peers.clockOffsets() ?? [];
  const doctor = () =>
    examineComputer(config, { url: lock.url, peerOffsets, withheld: () => settings.withheld() }, gpus);
  return {
    status,
    watch: (signal) => watched(status, changes, until(signal)),
    async *watchSamples(signal) {
      if (samples) yield* samples.watch(until(signal));
      else yield [];
    },
    hardware,
    doctor,
    diagnostics: () =>
      collectDiagnostics({
        config,
        settings,
        sections: {
          status,
          doctor,
          hardware,
          reachability: async () => need(mesh, 'mesh').reachability(),
          refusals: async () => mesh?.swarm.refusals.counts(),
          models: () => models.desk.list(),
          downloads: async () => models.downloads.list(),
          sharing: async () => models.shares.view(),
          lastMinutes: async () => samples?.list(),
        },
      }),
    restart() {
      if (!restart) throw notHere();
      setImmediate(restart);
    },
  };
}

function notHere(): QuarryError {
  const message = say('node.noRestart');
  return new QuarryError({ code: 'NOT_RUNNING', message, hint: say('node.endAndStart') });
}
