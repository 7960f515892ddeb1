import { expect, it } from 'vitest';
import { contextAttempts } from '../../../../src-main/inference/child/load-model.ts';

it('gives up parallel requests before long conversations', () => {
  expect(contextAttempts(4, 8192)).toEqual([
    { sequences: 4, least: 4096 },
    { sequences: 2, least: 4096 },
    { sequences: 1, least: 4096 },
    { sequences: 1, least: 512 },
  ]);
});

it('asks for no more than the model was trained on', () => {
  expect(contextAttempts(1, 256)).toEqual([{ sequences: 1, least: 256 }]);
});
