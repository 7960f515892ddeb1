import { say } from '../../../src-preload/contract/saying.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import type { Config } from '../../settings/config.ts';
import { CalibrationStore } from '../../store/calibrations.ts';
import { DraftPairStore } from '../../store/draft-pairs.ts';
import { ModelLoadStore } from '../../store/model-loads.ts';
import { EmbeddingEngine } from '../engine/embedding-engine.ts';
import { createBackend } from '../engine/inference-backend.ts';
import { LoadTimes } from '../engine/load-times.ts';
import { LocalUse } from '../engine/local-use.ts';
import { MachineEngines } from '../engine/machine-engines.ts';
import { OtherModels } from '../engine/other-models.ts';
import { useMeasured } from '../models/calibration.ts';
import { DraftCalibration } from '../models/draft-calibration.ts';
import type { ModelFits } from '../models/model-fits.ts';
import { withRoomAdvice } from '../models/room-advice.ts';
import type { NodeReading } from '../node/reading.ts';
import type { Core } from './core.ts';
import { AS_MINER, type Lack } from './need.ts';
import type { Report } from './report.ts';

const MINUTE_MS = 60_000;

export const NO_ENGINE: Lack = { message: say('node.noEngine'), hint: AS_MINER };

/** What runs models for this node. */
export interface EnginePart {
  /** The engine's place; it may be empty. */
  readonly slot: EngineSlot;
  /** For people of this machine, whether or not the node mines. */
  readonly localUse: LocalUse;
  /** Models beside the one that has its place there; undefined where models run elsewhere. */
  readonly others: OtherModels | undefined;
  /** The engines of both together. */
  readonly machine: MachineEngines;
  /** How long models take to be loaded here. */
  readonly loadTimes: LoadTimes;
  /** Whether a name means the node's own model: the one that is loaded, or that would be. */
  isOwn(name: string): Promise<boolean>;
  /** The model of the library that would be loaded, while none is; undefined where there is none, or it runs elsewhere. */
  waiting(): Promise<Pick<ModelFile, 'name' | 'sha256'> | undefined>;
}

/** A miner loads its model at the start, unless the settings say otherwise. */
export function wantsModel({ role, mineOnStart }: Config): boolean {
  return role === 'miner' && mineOnStart;
}

/** A place for the engine, empty at first, and those of other models. */
export async function openEngine(
  { config, settings, db, ports, log, onClose }: Core,
  { library, fits }: { library: ModelLibrary; fits: Pick<ModelFits, 'roomOf' | 'fitBeside'> },
): Promise<EnginePart> {
  const model = settings.follow('model');
  const { contextSize, backend } = config;
  const idleMs = config.engine.keepAliveMinutes * MINUTE_MS;
  const create = (name: string | undefined, draftModel?: string) =>
    createBackend({ config, model: name, draftModel, library, spawner: ports.spawner, log });
  const loadTimes = new LoadTimes(new ModelLoadStore(db));
  await loadTimes.open();
  const drafting = new DraftCalibration({ store: new DraftPairStore(db), log });
  onClose(() => drafting.close());
  const onOpen = async (opened: InferenceBackend, loadedMs: number) => {
    await loadTimes.loaded(opened, loadedMs);
    await useMeasured(opened, new CalibrationStore(db));
    drafting.watch(opened);
  };
  const others =
    backend === 'local'
      ? new OtherModels({ library, fits, create: (name) => create(name), onOpen, own: () => slot.current, idleMs })
      : undefined;
  const slot: EngineSlot = new EngineSlot(
    async () => {
      await others?.giveWay(model.now);
      return await create(model.now, config.engine.draftModel);
    },
    (error, { engine }) => withRoomAdvice(error, engine?.modelPath, { fits, contextSize }),
    onOpen,
  );
  onClose(() => slot.close());
  onClose(() => others?.close());
  const localUse = new LocalUse({ engine: slot, idleMs });
  onClose(() => localUse.close());
  if (backend === 'remote') localUse.keep(); // it takes no memory here, and its name is known only while it is there
  // A tenth of a millisecond, a few with dozens of models: so it is looked for each time, and what happens in the folder counts at once.
  const waiting = async () =>
    slot.status().model === undefined && backend === 'local' ? await library.selected(model.now) : undefined;
  const isOwn = async (name: string) =>
    slot.status().model?.name === name ||
    (backend === 'local' && (model.now === name || (await waiting())?.name === name));
  return { slot, localUse, others, machine: new MachineEngines(slot, others), loadTimes, isOwn, waiting };
}

/** What makes vectors of texts, beside the engine that answers; nothing runs until it is asked. */
export function openEmbedding({ config, ports, log, onClose }: Core, library: ModelLibrary): EmbeddingEngine {
  const embedding = new EmbeddingEngine({ library, threads: config.threads, spawner: ports.spawner, log });
  onClose(() => embedding.close());
  return embedding;
}

/** @param read also where there is no engine: then that is told */
export function engineReport(engine: EnginePart | undefined, read: () => NodeReading): Report {
  const state = () => read().engine.state;
  return {
    figures: [
      {
        name: 'quarry_engine_state',
        help: '1 for the state that the engine is in.',
        label: 'state',
        read: () => ({ [state()]: 1 }),
      },
      {
        name: 'quarry_engine_restarts_total',
        help: 'Times the engine was started again.',
        kind: 'total',
        read: () => engine?.slot.current?.engine?.restarts ?? 0,
      },
      {
        name: 'quarry_engine_active',
        help: 'Requests that models of this machine are answering.',
        read: () => read().engine.active,
      },
      {
        name: 'quarry_engine_waiting',
        help: 'Requests that wait for a model of this machine.',
        read: () => read().engine.waiting,
      },
    ],
    health: () => ({ ok: state() === 'none' || state() === 'ready', engine: state() }),
  };
}
