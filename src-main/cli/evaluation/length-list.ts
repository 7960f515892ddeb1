import { InvalidArgumentError } from 'commander';
import { LEAST_LENGTH } from '../../../src-preload/contract/evaluation-numbers.ts';
import { tokensOf } from '../../../src-preload/contract/token-length.ts';

/** «1k,4k,1.5M» as tokens. @throws InvalidArgumentError for what is none, or out of bounds */
export function lengthsOf(text: string): number[] {
  return text.split(',').map((each) => {
    const tokens = tokensOf(each);
    if (tokens !== undefined) return tokens;
    throw new InvalidArgumentError(`«${each}» is no length from ${LEAST_LENGTH} to 2M tokens.`);
  });
}
