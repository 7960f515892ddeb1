import type { Command } from 'commander';
import { MAX_ANSWER_TOKENS, MAX_ASKED_TEMPERATURE, MAX_SEED } from '../../../src-preload/contract/limits.ts';
import { integer, number } from './arguments.ts';

export interface SamplingFlags {
  maxTokens?: number;
  temperature?: number;
  seed?: number;
}

/** Adds what every command takes that asks a model. */
export function addSamplingOptions(command: Command): Command {
  return command
    .option('--max-tokens <n>', 'longest answer, in tokens', integer(1, MAX_ANSWER_TOKENS))
    .option('--temperature <n>', '0 always takes the likeliest word', number(0, MAX_ASKED_TEMPERATURE))
    .option('--seed <n>', 'the same seed gives the same answer from the same model', integer(0, MAX_SEED));
}
