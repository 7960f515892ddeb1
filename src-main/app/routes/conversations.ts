import type { ConversationsPart, PresetsPart } from '../parts/inference/conversations.ts';
import type { Domain } from './implementer.ts';

/** The contract's `conversations`. */
export function conversationsRoutes(
  { os, named }: Domain<'conversations'>,
  { conversations, presets }: { conversations: ConversationsPart; presets: PresetsPart },
) {
  return {
    list: os.list.handler(({ input }) => conversations.list(input)),
    create: os.create.handler(({ input }) => conversations.create(input)),
    get: os.get.handler(({ input }) => conversations.get(input.id)),
    update: os.update.handler(({ input: { id, ...changes } }) => conversations.update(id, changes)),
    answered: os.answered.handler(() => conversations.answered()),
    addFile: os.addFile.handler(({ input: { id, ...piece } }) => conversations.addFile(id, piece)),
    searcher: os.searcher.handler(() => conversations.searcher()),
    presets: os.presets.handler(() => presets.list()),
    savePreset: os.savePreset.handler(({ input }) => presets.save(input)),
    removePreset: os.removePreset.handler(({ input }) => presets.remove(input.name)),
    remove: os.remove.handler(({ input }) => conversations.remove(input.id)),
    removeAll: os.removeAll.handler(() => conversations.removeAll()),
    ask: os.ask.handler(({ input: { id, ...question }, signal }) => named(conversations.ask(id, question, signal))),
    edit: os.edit.handler(({ input: { id, ...question }, signal }) => named(conversations.edit(id, question, signal))),
    show: os.show.handler(({ input }) => conversations.show(input.id, input.turn)),
    regenerate: os.regenerate.handler(({ input, signal }) => named(conversations.regenerate(input.id, signal))),
  };
}
