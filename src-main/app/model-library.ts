import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ModelLibrary } from '../models/library.ts';
import type { Config } from './config.ts';

/** The library of this configuration's data folder. */
export function modelLibrary(config: Pick<Config, 'dataDir'>): ModelLibrary {
  return new ModelLibrary({ folder: join(config.dataDir, 'models'), tinyPath: tinyModelPath(), now: Date.now });
}

/** The built-in model: in `resources/`, two folders up from the sources and from the bundle, three from its chunks. */
function tinyModelPath(): string {
  const candidates = ['../..', '../../..'].map((up) => resolve(import.meta.dirname, up, 'resources', 'tiny.gguf'));
  return candidates.find((path) => existsSync(path)) ?? candidates[0] ?? 'tiny.gguf';
}
