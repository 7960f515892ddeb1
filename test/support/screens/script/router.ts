import { implementer, type ScriptedData } from './answers.ts';
import { conversationsScript } from './conversations.ts';
import { creditsScript } from './credits.ts';
import { desktopScript } from './desktop.ts';
import { meshScript } from './mesh.ts';
import { modelsScript } from './models.ts';
import { nodeScript } from './node.ts';
import { settingsScript } from './settings.ts';

/** The whole contract out of a script: a file for each of its domains. */
export function scriptedRouter(answers: ScriptedData) {
  const os = implementer(answers);
  return os.router({
    node: nodeScript(os.node, answers),
    inference: { ask: os.inference.ask.handler(async function* () {}) },
    conversations: conversationsScript(os.conversations),
    mesh: meshScript(os.mesh, answers),
    credits: creditsScript(os.credits, answers),
    models: modelsScript(os.models, answers),
    settings: settingsScript(os.settings, answers),
    desktop: desktopScript(os.desktop, answers),
  });
}
