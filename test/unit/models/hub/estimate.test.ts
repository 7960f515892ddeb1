import { expect, it } from 'vitest';
import { estimatedProfile } from '../../../../src-main/models/hub/estimate.ts';

it('takes what the hub says of a model, and the usual where it says nothing', () => {
  const file = { bytes: 4e9, name: 'Q4_K_M' };
  const told = estimatedProfile({ gguf: { total: 7e9, context_length: 32_768 } }, file);
  const untold = estimatedProfile({}, file);
  expect([told.contextLength, untold.contextLength]).toEqual([32_768, 8_192]);
  expect(told.bits).toBeCloseTo(32 / 7, 3);
  expect(untold.bits).toBeCloseTo(4.9, 3);
});
