import { z } from 'zod';
import { boundedArray } from '../../src-preload/contract/bounded.ts';
import { peerSchema } from '../../src-preload/contract/mesh.ts';
import { localModelSchema } from '../../src-preload/contract/models.ts';
import { modelSchema } from '../../src-preload/contract/node.ts';
import { checkedAnswer } from './checked-answer.ts';
import type { NodeClient } from './node-link.ts';

/** A model that can be asked now. */
export interface AskableModel {
  /** What {@link AskOptions.model} takes. */
  name: string;
  target: 'local' | 'mesh';
  /** `local`: it is the node's own model and in memory; any other is loaded when it is asked. `mesh`: always. */
  loaded: boolean;
  /** `mesh`: connected workers that serve it and take requests. `local`: 1. */
  workers: number;
  /** It is built in, babbles, and is only for trying things out. Known of `local` alone. */
  tiny: boolean;
}

/** More than anybody installs, or is connected to. A list is read no further than its first fault. */
const MOST = 10_000;
const installedSchema = boundedArray(localModelSchema.pick({ name: true, selected: true, tiny: true }), MOST);
const loadedSchema = z.object({ engine: z.object({ model: modelSchema.pick({ name: true, tiny: true }).optional() }) });
const peersSchema = z.object({ peers: boundedArray(peerSchema.pick({ models: true, ready: true }), MOST) });

type Installed = z.infer<typeof installedSchema>;
type Loaded = z.infer<typeof loadedSchema>['engine']['model'];
type Peers = z.infer<typeof peersSchema>['peers'];

/** What can be asked of a node now. @param url where it is, for who is told that it is none */
export async function askableModels(
  node: NodeClient,
  url: string,
  options: { signal?: AbortSignal | undefined },
): Promise<AskableModel[]> {
  const [status, installed, connected] = await Promise.all([
    node.node.status(undefined, options),
    node.models.list(undefined, options),
    node.mesh.peers({ waitMs: 0 }, options),
  ]);
  const { engine } = checkedAnswer(loadedSchema, status, url);
  const own = ownModels(engine.model, checkedAnswer(installedSchema, installed, url));
  return [...own, ...meshModels(checkedAnswer(peersSchema, connected, url).peers)];
}

/** The one that is loaded, or would be, stands first. A server elsewhere that stands in for the engine has its model alone. */
function ownModels(loaded: Loaded, installed: Installed): AskableModel[] {
  const isElsewhere = loaded !== undefined && !installed.some(({ name }) => name === loaded.name);
  const all = isElsewhere ? [{ ...loaded, selected: true }] : installed;
  return all
    .filter(({ name, selected, tiny }) => !tiny || selected || name === loaded?.name)
    .map(({ name, selected, tiny }) => ({ name, selected, tiny, loaded: name === loaded?.name }))
    .sort((one, other) => Number(other.loaded) - Number(one.loaded) || Number(other.selected) - Number(one.selected))
    .map(({ name, loaded, tiny }) => ({ name, target: 'local', loaded, workers: 1, tiny }));
}

function meshModels(peers: Peers): AskableModel[] {
  const workers = new Map<string, number>();
  for (const name of peers.filter(({ ready }) => ready).flatMap(({ models }) => models)) {
    workers.set(name, (workers.get(name) ?? 0) + 1);
  }
  return [...workers].map(([name, count]) => ({ name, target: 'mesh', loaded: true, workers: count, tiny: false }));
}
