import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../../../src-preload/contract/defaults.ts';
import { Conversations } from '../../../conversations/conversations.ts';
import { LongFiles } from '../../../conversations/long-files.ts';
import { Presets } from '../../../conversations/presets.ts';
import type { AnswerKeeper } from '../../../learning/feedback/answer-keeper.ts';
import { ConversationStore } from '../../../store/conversations/conversations.ts';
import { LongFileStore } from '../../../store/conversations/long-files.ts';
import { PresetStore } from '../../../store/conversations/presets.ts';
import type { EmbeddingEngine } from '../../engine/embedding-engine.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';
import type { MeshPart } from '../mesh/mesh.ts';
import type { InferencePart } from './inference.ts';

/** What people talked about with models; every node keeps it. */
export type ConversationsPart = Conversations;

/** How answers are made, by names that people gave; every node keeps it. */
export type PresetsPart = Presets;

export interface ConversationsNeeds {
  inference: InferencePart;
  /** Who keeps what this node's own model answers in them. */
  keeper: Pick<AnswerKeeper, 'forget' | 'forgetAll' | 'makePrivate'>;
  engine: EnginePart | undefined;
  embedding: EmbeddingEngine;
  mesh: Pick<MeshPart, 'client'> | undefined;
}

export function openPresets({ db }: Pick<Core, 'db'>): PresetsPart {
  return new Presets(new PresetStore(db));
}

export async function openConversations(
  { config, db, log, onDrain, onClose }: Core,
  { inference, keeper, engine, embedding, mesh }: ConversationsNeeds,
): Promise<ConversationsPart> {
  const here = async ({ model }: AskOptions) =>
    (await inference.contextSize(model)) ?? config.contextSize ?? DEFAULTS.contextSize;
  const conversations = new Conversations({
    store: new ConversationStore(db),
    longFiles: new LongFiles({ store: new LongFileStore(db), embedding, log }),
    ask: (request, signal, keepAs) => inference.ask(request, signal, keepAs),
    kept: {
      forget: (ids) => keeper.forget(ids),
      makePrivate: (ids) => keeper.makePrivate(ids),
      forgetConversations: async () => void (await keeper.forgetAll(['playground', 'terminal'])),
    },
    contextSize: async (options) => (options.target === 'local' ? await here(options) : contextOnMesh(mesh, options)),
    localModel: (asked) => (asked !== null && engine?.machine.named(asked) ? asked : engine?.slot.status().model?.name),
    log,
  });
  await conversations.open();
  onDrain(() => conversations.rest());
  onClose(() => conversations.close());
  return conversations;
}

/** The smallest of those who may answer: which one will is not known yet. */
function contextOnMesh(mesh: ConversationsNeeds['mesh'], { model }: AskOptions): number {
  const served = mesh?.client.workers().flatMap(({ status }) => status?.models ?? []) ?? [];
  const sizes = served.filter(({ name }) => model === undefined || name === model).map((one) => one.contextSize);
  return Math.min(...sizes.filter((size) => size > 0), DEFAULTS.contextSize);
}
