import { expect, it } from 'vitest';
import { checkChain } from '../../../../src-main/hardware/doctor/chain.ts';

it.each([
  ['ok', { status: 'connected', specVersion: 425, block: 7_000_000 }, /finney answers: block 7000000, version 425/],
  ['warn', { status: 'behind', specVersion: 425, block: 1 }, /newest block 1 is old/],
  ['warn', { status: 'lost', reason: 'No route.' }, /cannot be reached: No route\./],
  ['warn', { status: 'connecting' }, /The chain finney cannot be reached\.$/],
] as const)('a chain is %s as it is %j', (status, facts, words) => {
  const result = checkChain({ network: 'finney', ...facts });
  expect(result).toMatchObject({ name: 'chain', status, found: expect.stringMatching(words) });
  expect(result.advice === undefined).toBe(status === 'ok');
});
