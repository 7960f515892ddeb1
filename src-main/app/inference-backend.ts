import type { Logger } from 'pino';
import type { InferenceBackend } from '../inference/backend.ts';
import { LocalBackend } from '../inference/local-backend.ts';
import { RemoteBackend } from '../inference/remote-backend.ts';
import type { ModelLibrary } from '../models/library.ts';
import type { Config } from './config.ts';

/** The backend that the settings ask for: the engine child with a model of the library, or a remote server. Not yet open. */
export async function createBackend(config: Config, library: ModelLibrary, log: Logger): Promise<InferenceBackend> {
  return config.backend === 'remote' ? remoteBackend(config, log) : await localBackend(config, library, log);
}

function remoteBackend({ remote, parallel, contextSize }: Config, log: Logger): InferenceBackend {
  const { baseUrl = '', apiKey, model } = remote; // the configuration is refused without a baseUrl
  return new RemoteBackend({ baseUrl, apiKey, model, parallel, contextSize, log });
}

async function localBackend(config: Config, library: ModelLibrary, log: Logger): Promise<InferenceBackend> {
  const { path: modelPath, name, sha256, tiny } = await library.find(config.model);
  const { gpuLayers, threads, contextSize, parallel } = config;
  return new LocalBackend({ modelPath, name, sha256, tiny, gpuLayers, threads, contextSize, parallel, log });
}
