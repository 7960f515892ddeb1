import { listGpus } from '../../../inference/host/gpus.ts';
import { servedModels } from '../../../mesh/serving/worker.ts';
import type { Downloads } from '../../../models/downloads/downloads.ts';
import type { HttpClient } from '../../../models/downloads/http-client.ts';
import { Hub } from '../../../models/hub/hub.ts';
import type { ModelLibrary } from '../../../models/library/library.ts';
import { CalibrationStore } from '../../../store/calibrations.ts';
import type { EmbeddingEngine } from '../../engine/embedding-engine.ts';
import { LoadedModels } from '../../engine/loaded-models.ts';
import { draftRoom } from '../../models/draft-room.ts';
import { HubDesk } from '../../models/hub-desk.ts';
import { ModelChoice } from '../../models/model-choice.ts';
import { ModelDesk } from '../../models/model-desk.ts';
import { ModelDetailsDesk } from '../../models/model-details.ts';
import { type ModelDownloadsOptions, modelDownloads, modelsHttpClient } from '../../models/model-downloads.ts';
import { ModelFits } from '../../models/model-fits.ts';
import { modelLibrary, openCatalogue } from '../../models/model-library.ts';
import { ModelShares } from '../../models/model-shares.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';
import type { MiningPart } from '../mesh/mining.ts';
import type { OfferedPart } from '../mesh/offered.ts';
import { NO_SHARING, type SharingPart } from '../mesh/sharing.ts';
import { need } from '../need.ts';
import type { Report } from '../report.ts';

/** What may be done with models; every node can. */
export interface ModelsPart {
  readonly desk: ModelDesk;
  readonly details: ModelDetailsDesk;
  readonly shares: ModelShares;
  readonly downloads: Downloads;
  readonly hub: HubDesk;
  readonly choice: Pick<ModelChoice, 'choose'>;
  /** Those that are in memory. */
  readonly memory: LoadedModels;
  /** How models would run here. */
  readonly fits: Pick<ModelFits, 'fitFile' | 'roomOf'>;
}

export interface ModelsNeeds {
  library: ModelLibrary;
  engine: EnginePart | undefined;
  fits: ModelFits;
  mining: MiningPart | undefined;
  /** What is offered to the mesh beside the own model. */
  offered: OfferedPart | undefined;
  sharing: SharingPart | undefined;
  /** Takes in what was downloaded and is no model. */
  adapters: ModelDownloadsOptions['adapters'];
  /** Whether unfinished downloads go on. */
  resume: boolean;
}

/** The models on this machine's disk. @throws MODELS_IN_USE */
export async function openLibrary({ config, log, onClose }: Core): Promise<ModelLibrary> {
  const library = modelLibrary(config, log);
  onClose(() => library.close());
  await library.open();
  return library;
}

/** How models would run here. @param of the engine that runs, where there is one, and what takes memory beside it */
export function openFits(
  { config, db, ports }: Pick<Core, 'config' | 'db' | 'ports'>,
  of: { engine: () => EnginePart | undefined; embedding: Pick<EmbeddingEngine, 'awaits'>; library: ModelLibrary },
): ModelFits {
  const gpus = () => listGpus({ spawner: ports.spawner, gpus: config.engine.gpus });
  const awaits = () => of.embedding.awaits();
  const draft = () => draftRoom(config, of.library);
  return new ModelFits(config, new CalibrationStore(db), () => of.engine()?.slot.current, gpus, awaits, draft);
}

/** @throws CONFIG_INVALID for a catalogue that cannot be read */
export async function openModels(core: Core, needs: ModelsNeeds): Promise<ModelsPart> {
  const { config, settings, log } = core;
  const { library, sharing: network, engine, fits } = needs;
  const catalogue = await openCatalogue(config, library);
  const shares = new ModelShares({
    ...{ config, library, catalogue, network, log },
    needNetwork: () => need(network, NO_SHARING),
  });
  const client = modelsHttpClient(config);
  core.onClose(() => client.close());
  const downloads = await openDownloads(core, needs, shares, client);
  const { endpoint, token } = config.models;
  const hub = new HubDesk({
    ...{ client, library, catalogue, fits },
    hub: new Hub({ endpoint, client, hasToken: token !== undefined }),
  });
  const loaded = () => pathsLoaded(engine);
  const free = async (name: string) => await engine?.others?.free(name);
  const offered = () => offeredNow(needs);
  const chosen = settings.follow('model');
  const model = () => chosen.now;
  const desk = new ModelDesk({
    config,
    model,
    library,
    catalogue,
    downloads,
    shares,
    hub,
    fits,
    loaded,
    free,
    offered,
  });
  const details = new ModelDetailsDesk({ library, catalogue, fits, model });
  const memory = new LoadedModels({ engine, fits, isMining: () => isMining(needs) });
  const choice = new ModelChoice({ config, settings, model, desk, reload: () => reload(needs) });
  chosen.whenSet(() => {
    choice.reload().catch((err: unknown) => log.warn({ err }, 'the model could not be loaded'));
  });
  // Not waited for: what was never hashed may take long. The end of the library ends it.
  void shares.seedAll().catch((err: unknown) => log.debug({ err }, 'not all models were looked at for sharing'));
  return { desk, details, shares, downloads, hub, choice, memory, fits };
}

function offeredNow({ engine, mining, offered }: ModelsNeeds) {
  return engine && mining?.switch.state === 'running' ? servedModels(engine.slot, offered?.models) : [];
}

function pathsLoaded(engine: EnginePart | undefined): string[] {
  return (engine?.machine.all ?? []).flatMap((backend) => backend.engine?.modelPath ?? []);
}

async function openDownloads(
  { config, settings, log, onClose }: Core,
  { library, sharing: network, adapters, resume }: ModelsNeeds,
  shares: ModelShares,
  client: HttpClient,
): Promise<Downloads> {
  const limit = settings.follow('models.downloadLimit');
  const downloads = modelDownloads({ config, limit: limit.now, library, shares, network, adapters, client, log });
  onClose(() => downloads.close());
  await downloads.open({ resume });
  limit.whenSet((bytesPerSecond) => downloads.limit(bytesPerSecond ?? null));
  return downloads;
}

export function modelsReport({ desk, downloads, shares }: ModelsPart): Report {
  return {
    diagnostics: {
      models: () => desk.list(),
      downloads: async () => downloads.list(),
      sharing: async () => shares.view(),
    },
  };
}

function isMining({ mining }: ModelsNeeds): boolean {
  return mining !== undefined && mining.switch.state !== 'stopped';
}

/** Loads the model that is meant now in place of the one that is loaded, if the node mines. */
async function reload({ engine, mining }: ModelsNeeds): Promise<void> {
  await (mining ? mining.switch.reload() : engine?.slot.close());
}
