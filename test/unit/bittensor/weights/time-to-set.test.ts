import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blocksToWait, isTimeToSet } from '../../../../src-main/bittensor/weights/time-to-set.ts';

const USUAL = { block: 10_000, lastSetBlock: 9_700, tempo: 360, rateLimit: 100 };

it.each([
  ['once an epoch', {}, 61],
  ['when that is over', { lastSetBlock: 9_639 }, 0],
  ['not a block before', { lastSetBlock: 9_640 }, 1],
  ['at once, where none were ever set', { lastSetBlock: 0 }, 0],
  ['not within the pause of the subnet, and a block after it', { tempo: 10, lastSetBlock: 9_900 }, 1],
  ['after that', { tempo: 10, lastSetBlock: 9_899 }, 0],
  ['later, where an endpoint is behind the block in which they were set', { lastSetBlock: 10_050 }, 411],
])('weights are set %s', (_, changes, blocks) => {
  const times = { ...USUAL, ...changes };
  expect([blocksToWait(times), isTimeToSet(times)]).toEqual([blocks, blocks === 0]);
});

it('never before the subnet takes them, and once an epoch at the most, whatever the numbers', () => {
  const number = fc.nat(1_000_000);
  fc.assert(
    fc.property(
      number,
      fc.integer({ min: 1, max: 1_000_000 }),
      number,
      number,
      (block, lastSetBlock, tempo, rateLimit) => {
        const wait = blocksToWait({ block, lastSetBlock, tempo, rateLimit });
        const since = block + wait - lastSetBlock;
        expect(since).toBeGreaterThan(rateLimit);
        expect(since).toBeGreaterThan(tempo);
      },
    ),
  );
});
