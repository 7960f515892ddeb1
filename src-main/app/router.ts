import type { App } from './app.ts';
import { conversationsRouter } from './routes/conversations.ts';
import { creditsRouter } from './routes/credits.ts';
import { desktopRouter } from './routes/desktop.ts';
import { implementer, named } from './routes/implementer.ts';
import { meshRouter } from './routes/mesh.ts';
import { modelsRouter } from './routes/models.ts';
import { nodeRouter } from './routes/node.ts';
import { settingsRouter } from './routes/settings.ts';

/** Implements the contract on an app. The same router serves HTTP, WebSockets, windows and the command line. */
export function createRouter(app: App) {
  const os = implementer(app);
  return os.router({
    node: nodeRouter(os.node, app),
    inference: {
      ask: os.inference.ask.handler(({ input, signal }) => named(app.ask(input, signal), app)),
    },
    conversations: conversationsRouter(os.conversations, app),
    mesh: meshRouter(os.mesh, app),
    credits: creditsRouter(os.credits, app),
    models: modelsRouter(os.models, app),
    settings: settingsRouter(os.settings, app),
    desktop: desktopRouter(os.desktop, app),
  });
}
