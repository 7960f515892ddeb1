import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import type { PeersView } from '../../../src-preload/contract/mesh.ts';

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

/** Who is asked, as one word: `local`, `mesh` for anybody, `mesh:name` for those who serve a model. */
export type Who = 'local' | 'mesh' | `mesh:${string}`;

export function whoOf({ target, model }: AskOptions): Who {
  return target === 'mesh' && model ? `mesh:${model}` : target;
}

/** The options with somebody else who answers. */
export function askedOf(who: Who, options: AskOptions): AskOptions {
  if (who === 'local' || who === 'mesh') return { ...options, target: who, model: undefined };
  return { ...options, target: 'mesh', model: who.slice('mesh:'.length) };
}
