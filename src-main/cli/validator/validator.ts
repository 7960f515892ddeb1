import type { Command } from 'commander';
import { registerSigner } from '../bittensor/signer.ts';
import { registerDataset } from './dataset.ts';
import { registerId } from './id.ts';
import { registerLocal } from './local.ts';
import { registerMiner } from './miner.ts';
import { registerResults } from './results.ts';
import { registerRun } from './run.ts';
import { registerSetWeights } from './set-weights.ts';
import { registerWeights } from './weights.ts';

/** `quarry validator`: challenges, and what answers to them are worth. */
export function registerValidator(program: Command): void {
  const validator = program
    .command('validator')
    .description('ask models what only who can think answers, keep what they say, and weigh it');
  registerLocal(validator);
  registerWeights(validator);
  registerResults(validator);
  registerId(validator);
  registerRun(validator);
  registerMiner(validator);
  registerSetWeights(validator);
  registerSigner(validator);
  registerDataset(validator);
}
