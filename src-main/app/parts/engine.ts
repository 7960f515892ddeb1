import { say } from '../../../src-preload/contract/saying.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import type { Config } from '../../settings/config.ts';
import { CalibrationStore } from '../../store/calibrations.ts';
import { EmbeddingEngine } from '../engine/embedding-engine.ts';
import { createBackend } from '../engine/inference-backend.ts';
import { LocalUse } from '../engine/local-use.ts';
import { OtherModels } from '../engine/other-models.ts';
import { useMeasured } from '../models/calibration.ts';
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
  /** Whether a name means the node's own model: the one that is loaded, or that would be. */
  isOwn(name: string): Promise<boolean>;
}

/** A miner loads its model at the start, unless the settings say otherwise. */
export function wantsModel({ role, mineOnStart }: Config): boolean {
  return role === 'miner' && mineOnStart;
}

/** A place for the engine, empty at first, and those of other models. */
export function openEngine(
  { config, settings, db, ports, log, onClose }: Core,
  { library, fits }: { library: ModelLibrary; fits: Pick<ModelFits, 'roomOf' | 'fitBeside'> },
): EnginePart {
  const model = settings.follow('model');
  const { contextSize, backend } = config;
  const idleMs = config.engine.keepAliveMinutes * MINUTE_MS;
  const create = (name: string | undefined) =>
    createBackend({ config, model: name, library, spawner: ports.spawner, log });
  const onOpen = (opened: InferenceBackend) => useMeasured(opened, new CalibrationStore(db));
  const others =
    backend === 'local'
      ? new OtherModels({ library, fits, create, onOpen, own: () => slot.current, idleMs })
      : undefined;
  const slot: EngineSlot = new EngineSlot(
    async () => {
      await others?.giveWay(model.now);
      return await create(model.now);
    },
    (error, { engine }) => withRoomAdvice(error, engine?.modelPath, { fits, contextSize }),
    onOpen,
  );
  onClose(() => slot.close());
  onClose(() => others?.close());
  const localUse = new LocalUse({ engine: slot, idleMs });
  onClose(() => localUse.close());
  const isOwn = async (name: string) =>
    [slot.status().model?.name, model.now].includes(name) ||
    (slot.empty && backend === 'local' && (await library.selected(model.now))?.name === name);
  return { slot, localUse, others, isOwn };
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
    ],
    health: () => ({ ok: state() === 'none' || state() === 'ready', engine: state() }),
  };
}
