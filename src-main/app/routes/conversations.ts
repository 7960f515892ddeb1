import type { App } from '../app.ts';
import { type Implementer, named } from './implementer.ts';

/** The contract's `conversations`. */
export function conversationsRouter(os: Implementer['conversations'], app: App) {
  return {
    list: os.list.handler(({ input }) => app.conversations.list(input)),
    create: os.create.handler(({ input }) => app.conversations.create(input)),
    get: os.get.handler(({ input }) => app.conversations.get(input.id)),
    update: os.update.handler(({ input: { id, ...changes } }) => app.conversations.update(id, changes)),
    remove: os.remove.handler(({ input }) => app.conversations.remove(input.id)),
    removeAll: os.removeAll.handler(() => app.conversations.removeAll()),
    ask: os.ask.handler(({ input, signal }) => named(app.conversations.ask(input.id, input.text, signal), app)),
    regenerate: os.regenerate.handler(({ input, signal }) =>
      named(app.conversations.regenerate(input.id, signal), app),
    ),
  };
}
