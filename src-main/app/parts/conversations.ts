import { Conversations } from '../../conversations/conversations.ts';
import { Presets } from '../../conversations/presets.ts';
import { ConversationStore } from '../../store/conversations.ts';
import { PresetStore } from '../../store/presets.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';
import type { InferencePart } from './inference.ts';

/** What people talked about with models; every node keeps it. */
export type ConversationsPart = Conversations;

/** How answers are made, by names that people gave; every node keeps it. */
export type PresetsPart = Presets;

export function openPresets({ db }: Pick<Core, 'db'>): PresetsPart {
  return new Presets(new PresetStore(db));
}

export async function openConversations(
  { db, log, onClose }: Core,
  { inference, engine }: { inference: InferencePart; engine: EnginePart | undefined },
): Promise<ConversationsPart> {
  const conversations = new Conversations({
    store: new ConversationStore(db),
    ask: (request, signal) => inference.ask(request, signal),
    localModel: () => engine?.slot.status().model?.name,
    log,
  });
  await conversations.open();
  onClose(() => conversations.close());
  return conversations;
}
