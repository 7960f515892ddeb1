import type { LearntModels } from '../../../learning/adapters/learnt-models.ts';
import type { ServedModel } from '../../../server/openai/generator.ts';
import type { FixedConfig } from '../../../settings/config.ts';
import type { EnginePart } from '../engine.ts';
import type { MeshPart } from '../mesh/mesh.ts';

export interface AskableNeeds {
  /** Where its own model runs. */
  kind: FixedConfig['backend'];
  engine: Pick<EnginePart, 'slot' | 'waiting' | 'others'> | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
  learnt: Pick<LearntModels, 'names'>;
}

/** What programs may ask by name: the mesh, this machine's own model and what it has learnt, others of its library, and what the mesh serves. */
export async function askableModels({ mesh, engine, learnt, kind }: AskableNeeds): Promise<ServedModel[]> {
  const models: ServedModel[] = mesh ? [{ name: 'mesh', kind: 'mesh' }] : [];
  const loaded = engine?.slot.status().model;
  const own = loaded ?? (await engine?.waiting());
  if (own) {
    const names = ['local', own.name, ...learnt.names(own.sha256)];
    // How much it reads is known of a model once it is loaded.
    models.push(...names.map((name) => ({ name, kind, ...(loaded && { contextSize: loaded.contextSize }) })));
  }
  const known = new Set(models.map(({ name }) => name));
  const installed = new Set(await engine?.others?.names());
  const more: ServedModel[] = [
    ...[...installed].map((name) => ({ name, kind: 'local' as const })),
    ...[...meshModels(mesh)].filter((name) => !installed.has(name)).map((name) => ({ name, kind: 'mesh' as const })),
  ];
  return [...models, ...more.filter(({ name }) => !known.has(name))];
}

/** Names of the models that connected workers serve. */
export function meshModels(mesh: AskableNeeds['mesh']): Set<string> {
  return new Set(mesh?.client.workers().flatMap(({ status }) => status?.models.map(({ name }) => name) ?? []));
}
