import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Card, NodeStatus, Sample } from '../../../../src-preload/contract/node.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { watched } from '../../../base/watched.ts';
import { collectDiagnostics } from '../../../diagnostics/diagnostics.ts';
import { Cards } from '../../../hardware/cards.ts';
import type { DoctorReport } from '../../../hardware/doctor/doctor.ts';
import type { HardwareReport } from '../../../hardware/report.ts';
import { examineComputer, listCards, probeComputer } from '../../node/examination.ts';
import type { NodeReading } from '../../node/reading.ts';
import { nodeStatus } from '../../node/status.ts';
import type { Core } from '../core.ts';
import type { CreditsPart } from '../credits.ts';
import type { EnergyPart } from '../energy.ts';
import { allOf, type Report } from '../report.ts';
import type { SamplesPart } from './samples.ts';

/** The node as a whole: how it is, and what becomes of it. */
export interface NodePart {
  /** What it does at this moment, for those who look often. */
  read(): NodeReading;
  status(): Promise<NodeStatus>;
  /** The status, now and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<NodeStatus, void, undefined>;
  /** The live charts' samples: those that are kept, then each new one. Empty on a node without any. */
  watchSamples(signal?: AbortSignal): AsyncGenerator<Sample[], void, undefined>;
  /** What this computer is made of. */
  hardware(): Promise<HardwareReport>;
  /** Its graphics cards, with what each does now. */
  cards(): Promise<Card[]>;
  /** What stands in its way. */
  doctor(): Promise<DoctorReport>;
  /** What a helper needs to find a fault of this node, as one JSON text without secrets. Never throws. */
  diagnostics(): Promise<{ fileName: string; text: string }>;
  /**
   * Has the node closed and opened again, as soon as whoever called was answered.
   * @throws NOT_RUNNING on a node that was opened for a single command
   */
  restart(): void;
  /**
   * Has the node and the program around it end, as soon as whoever called was answered.
   * @throws NOT_RUNNING on a node that was opened for something else
   */
  stop(): void;
}

export interface NodeNeeds {
  credits: Pick<CreditsPart, 'holdings'>;
  energy: Pick<EnergyPart, 'cards'>;
  read: () => NodeReading;
  samples: SamplesPart | undefined;
  reports: readonly Report[];
  restart: (() => void) | undefined;
  stop: (() => void) | undefined;
}

export function openNode(core: Core, { credits, energy, read, samples, reports, restart, stop }: NodeNeeds): NodePart {
  const { config, settings, identity, lock, changes, gpus, until } = core;
  const name = settings.follow('nodeName');
  const sources = { config, name: () => name.now, identity, lock, credits, read, startedAt: Date.now() };
  const status = () => nodeStatus(sources);
  const hardware = () => probeComputer(config, gpus);
  const cards = new Cards({ gpus: () => listCards(gpus), loads: () => energy.cards() });
  const facts = {
    peerOffsets: async () => read().peerClockOffsetsMs,
    withheld: () => settings.withheld(),
    notTaken: () => settings.notTaken(),
    checks: allOf(reports, 'checks'),
  };
  const doctor = () => examineComputer(config, { ...facts, url: lock.url }, gpus);
  return {
    read,
    status,
    watch: (signal) => watched(status, changes, until(signal)),
    async *watchSamples(signal) {
      if (samples) yield* samples.watch(until(signal));
      else yield [];
    },
    hardware,
    cards: () => cards.now(),
    doctor,
    diagnostics: () =>
      collectDiagnostics({
        config: { dataDir: config.dataDir, nodeName: name.now },
        settings,
        sections: { status, doctor, hardware, ...allOf(reports, 'diagnostics') },
      }),
    restart() {
      if (!restart) throw notHere();
      setImmediate(restart);
    },
    stop() {
      if (!stop) throw notFromHere();
      setImmediate(stop);
    },
  };
}

function notFromHere(): QuarryError {
  const message = say('node.noStop');
  return new QuarryError({ code: 'NOT_RUNNING', message, hint: say('node.stopThere') });
}

function notHere(): QuarryError {
  const message = say('node.noRestart');
  return new QuarryError({ code: 'NOT_RUNNING', message, hint: say('node.endAndStart') });
}
