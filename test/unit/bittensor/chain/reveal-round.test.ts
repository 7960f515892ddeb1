import { describe, expect, it } from 'vitest';
import { firstRevealBlock, readRevealRound, revealRound } from '../../../../src-main/bittensor/chain/reveal-round.ts';
import { encoded, RUNTIME_381, readerOf, stored } from '../../../support/runtime-381.ts';

// Bittensor §3.3.
describe('locked weights open', () => {
  const times = { block: 1_000, netuid: 1, tempo: 360, period: 1, nextEpoch: undefined };

  it('in the epoch after theirs, by the block alone up to runtime 422', () => {
    // floor(1002 / 361) = 2 is this epoch; the third begins at 3 * 361 - 2.
    expect(firstRevealBlock(times)).toBe(1_081);
    expect(firstRevealBlock({ ...times, period: 3 })).toBe(1_803);
  });

  it('and by what the runtime tells from 423 on', () => {
    expect(firstRevealBlock({ ...times, nextEpoch: 1_200 })).toBe(1_200);
    expect(firstRevealBlock({ ...times, nextEpoch: 1_200, period: 3 })).toBe(1_920);
  });

  it('at the round that has come three blocks into it', () => {
    const nowS = 1_692_803_367 + 3_000;
    expect(revealRound(times, nowS)).toBe(1_000 + ((1_081 + 3 - 1_000) * 12) / 3);
    expect(revealRound(times, 0)).toBe(1);
  });

  it.skipIf(!RUNTIME_381)('after the last that the chain has, in the version that it wants', async () => {
    const slot = (pallet: string, item: string, ...args: unknown[]) => RUNTIME_381?.slot(pallet, item, ...args)?.key;
    const read = (last: number) =>
      readRevealRound(
        readerOf(
          stored([
            [slot('timestamp', 'now'), encoded('u64', (1_692_803_367 + 3_000) * 1_000)],
            [slot('subtensorModule', 'tempo', 1), encoded('u16', 360)],
            [slot('system', 'number'), encoded('u32', 1_000)],
            [slot('drand', 'lastStoredRound'), encoded('u64', last)],
          ]),
        ),
        1,
      );
    expect(await read(0)).toEqual({ round: 1_336, version: 4 });
    expect(await read(5_000)).toEqual({ round: 5_001, version: 4 });
  });
});
