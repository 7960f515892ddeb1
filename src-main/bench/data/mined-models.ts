import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import type { ClipTools } from '../../clips/models/clip-tools.ts';
import { MODEL_KINDS, type ModelKind, readClipModel } from '../../clips/models/files/model-manifest.ts';
import { LocalCaptioner } from '../../clips/models/local-captioner.ts';
import { openClipModels } from '../../clips/models/open-clip-models.ts';
import { type Clock, timed } from './timed.ts';

/** What clips are made with, and how long it took so far. */
export interface MinedModels {
  tools: Pick<ClipTools, 'models' | 'listeners' | 'captioner' | 'plain'>;
  clock: Clock;
  close(): Promise<void>;
}

/** Of a folder with a folder for each model, of whatever kind. @param place where nothing is, for none */
export async function openMinedModels(folder: string | undefined, place: string): Promise<MinedModels> {
  const none = Object.fromEntries(MODEL_KINDS.map((kind) => [kind, 'none'])) as Record<ModelKind, string>;
  const there = folder === undefined ? {} : await modelsIn(folder);
  const log = pino({ level: 'silent' });
  const opened = await openClipModels({ settings: { ...none, ...there, threads: 1 }, folder: place, log });
  const clock: Clock = { ms: 0 };
  const { voice, words, speakers } = opened.listeners;
  const vectors = opened.vectors && timed(opened.vectors, clock);
  const listeners = {
    voice: voice && timed(voice, clock),
    words: words && timed(words, clock),
    speakers: speakers && timed(speakers, clock),
  };
  const plain = new LocalCaptioner({ models: vectors });
  const tools = { models: () => vectors ?? undefined, listeners: () => listeners, captioner: () => undefined, plain };
  return { tools, clock, close: () => opened.close() };
}

/** Each by what it says that it is. */
async function modelsIn(folder: string): Promise<Partial<Record<ModelKind, string>>> {
  const found: Partial<Record<ModelKind, string>> = {};
  for (const name of (await readdir(folder).catch(ifMissing)) ?? []) {
    const path = join(folder, name);
    for (const kind of MODEL_KINDS)
      if (await readClipModel(path, kind).catch(ignoring('it is of another kind'))) found[kind] = path;
  }
  return found;
}
