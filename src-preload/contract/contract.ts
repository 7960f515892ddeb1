import { creditsContract } from './credits.ts';
import { inferenceContract } from './inference.ts';
import { meshContract } from './mesh.ts';
import { modelsContract } from './models.ts';
import { nodeContract } from './node.ts';

/** Everything that a screen or a command may ask of main. Names are `domain.verb`. */
export const contract = {
  node: nodeContract,
  inference: inferenceContract,
  mesh: meshContract,
  credits: creditsContract,
  models: modelsContract,
};
