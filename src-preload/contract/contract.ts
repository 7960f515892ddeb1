import { conversationsContract } from './conversations.ts';
import { creditsContract } from './credits.ts';
import { desktopContract } from './desktop.ts';
import { inferenceContract } from './inference.ts';
import { meshContract } from './mesh.ts';
import { modelsContract } from './models.ts';
import { nodeContract } from './node.ts';
import { settingsContract } from './settings.ts';

/** Everything that a screen or a command may ask of main. Names are `domain.verb`. */
export const contract = {
  node: nodeContract,
  inference: inferenceContract,
  conversations: conversationsContract,
  mesh: meshContract,
  credits: creditsContract,
  models: modelsContract,
  settings: settingsContract,
  desktop: desktopContract,
};
