import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import type { Adapter } from '../../../../src-preload/contract/learning-versions.ts';
import type { PeersView } from '../../../../src-preload/contract/mesh.ts';
import type { CatalogueModel, LocalModel } from '../../../../src-preload/contract/models.ts';

/** A model that can be asked on the mesh. */
export interface MeshModel {
  name: string;
  /** Those who serve it and take requests now. */
  miners: number;
}

/** Models of the mesh, those of most miners first. @param peers undefined as long as nobody has told */
export function meshModels(peers: PeersView | undefined): MeshModel[] {
  const miners = new Map<string, number>();
  for (const { ready, models } of peers?.peers ?? []) {
    for (const name of ready ? models : []) miners.set(name, (miners.get(name) ?? 0) + 1);
  }
  const models = [...miners].map(([name, count]) => ({ name, miners: count }));
  return models.sort((one, other) => other.miners - one.miners || one.name.localeCompare(other.name));
}

/** Nodes of the mesh that take requests now. */
export function minersOf(peers: PeersView | undefined): number {
  return (peers?.peers ?? []).filter(({ ready, models }) => ready && models.length > 0).length;
}

/** Models of this computer that write answers: the practice model only where there is no other, or it is chosen. */
export function writersOf(models: readonly LocalModel[], catalogue: readonly CatalogueModel[]): LocalModel[] {
  const embedders = new Set(catalogue.filter(({ use }) => use === 'embedding').map(({ name }) => name));
  const writers = models.filter(({ name }) => !embedders.has(name));
  return writers.filter(({ tiny, selected }) => !tiny || selected || writers.length === 1);
}

/** By this name the model of this computer is asked as it is, whatever was learnt. */
export const AS_IT_IS = 'base';

/**
 * Names by which a model of this computer is asked with what it has learnt, and without; none where it has learnt nothing.
 * @param here the model, with the SHA-256 of its file where that is known
 * @param chosen the name that is chosen now: it stays among them
 */
export function learntNames(
  adapters: readonly Adapter[],
  here: { name: string; sha256?: string | undefined } | undefined,
  chosen?: string,
): string[] {
  const isOwn = ({ model, base }: Adapter) => here !== undefined && (base === here.sha256 || model === here.name);
  const names = adapters
    .filter((adapter) => isOwn(adapter) && adapter.latest !== null)
    .map(({ name }) => `${name}@latest`);
  const all = names.length > 0 ? [...names, AS_IT_IS] : [];
  return chosen === undefined || all.includes(chosen) ? all : [...all, chosen];
}

/**
 * Who is asked, as one word: a model of this computer, the same by what it has learnt or without (`learnt:personal@latest`, `learnt:base`), `mesh` for anybody
 * there, or those who serve a model there.
 */
export type Who = `here:${string}` | `learnt:${string}` | 'mesh' | `mesh:${string}`;

/** @param here the model that this computer answers with */
export function whoOf({ target, model }: AskOptions, here = ''): Who {
  if (target === 'local') return model === undefined || model === here ? `here:${here}` : `learnt:${model}`;
  return model ? `mesh:${model}` : 'mesh';
}

/** The options with somebody else who answers. This computer has one model at a time: which one is not up to a conversation. */
export function askedOf(who: Who, options: AskOptions): AskOptions {
  if (who.startsWith('here:')) return { ...options, target: 'local', model: undefined };
  if (who.startsWith('learnt:')) return { ...options, target: 'local', model: who.slice('learnt:'.length) };
  return { ...options, target: 'mesh', model: who === 'mesh' ? undefined : who.slice('mesh:'.length) };
}
