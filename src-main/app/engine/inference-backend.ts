import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { dataPath } from '../../base/data-folder.ts';
import type { DraftModel, InferenceBackend, MissingDraft } from '../../inference/backend.ts';
import { forgetPrompts } from '../../inference/host/kept-prompts.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { type KeepPrompts, ropeOf, vramReserveOf } from '../../inference/host/local-options.ts';
import { RemoteBackend } from '../../inference/remote/remote-backend.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { FixedConfig } from '../../settings/config.ts';

export interface BackendParts {
  config: FixedConfig;
  /** Name or path of the model to load. Default: what the library takes. */
  model?: string | undefined;
  /** Name or path of the model that guesses what it says next. Default: none. */
  draftModel?: string | undefined;
  library: ModelLibrary;
  /** Starts the engine child. Default: Node's own way. */
  spawner?: ProcessSpawner | undefined;
  log: Logger;
}

/**
 * The backend that the settings ask for: the engine child with a model of the library, or a remote server. Not yet open.
 * @throws MODEL_NOT_FOUND
 */
export async function createBackend(parts: BackendParts): Promise<InferenceBackend> {
  return parts.config.backend === 'remote' ? remoteBackend(parts) : await localBackend(parts);
}

function remoteBackend({ config: { remote, parallel, contextSize }, log }: BackendParts): InferenceBackend {
  const { baseUrl = '', apiKey, model } = remote; // the configuration is refused without a baseUrl
  return new RemoteBackend({ baseUrl, apiKey, model, parallel, contextSize, log });
}

async function localBackend({
  config,
  model,
  draftModel,
  library,
  spawner,
  log,
}: BackendParts): Promise<InferenceBackend> {
  const { path: modelPath, name, sha256, tiny } = await library.find(model);
  const { gpuLayers, threads, contextSize, parallel, kvCache, engine } = config;
  const placed = { gpuLayers, gpus: engine.gpus, vramReserve: vramReserveOf(engine) };
  const room = { contextSize, parallel, kvCache, rope: ropeOf(config.rope) };
  const keepPrompts = keptPrompts(config);
  if (keepPrompts.most === 0) await forgetPrompts(keepPrompts.folder);
  const draft = draftModel === undefined ? undefined : await findDraft(library, draftModel);
  const beside = { keepPrompts, draft };
  return new LocalBackend({ modelPath, name, sha256, tiny, ...placed, ...room, ...beside, threads, spawner, log });
}

const MB = 1_000_000;

function keptPrompts({ dataDir, engine }: Pick<FixedConfig, 'dataDir' | 'engine'>): KeepPrompts {
  const { promptCacheMb, promptCacheForOthers: forOthers } = engine;
  return { folder: dataPath(dataDir, 'keptPrompts'), most: promptCacheMb * MB, forOthers };
}

/** Without it the model answers as well: that it is not there is told with the model. */
async function findDraft(library: ModelLibrary, wanted: string): Promise<DraftModel | MissingDraft> {
  try {
    const { name, path, sha256 } = await library.find(wanted);
    return { name, path, sha256 };
  } catch (error) {
    return { name: wanted, error: QuarryError.from(error) };
  }
}
