import { describe, expect, it } from 'vitest';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import { PRESETS } from '../../../../src-main/validation/scoring/presets.ts';
import { weigh } from '../../../../src-main/validation/scoring/weights.ts';

const preset = PRESETS.find(({ name }) => name === 'quasar')!;

/** Tokens a second, and since which block; of a hundred probes so many failed. */
const miner = (name: string, speed: number, since: number, zeros = 0): Contender => {
  const mean = (speed / 10_000) * (1 - zeros / 100);
  return {
    miner: name,
    since,
    samples: new Map([['quasar-inference', { count: 100, mean, meanSquare: mean ** 2, zeros }]]),
  };
};

async function winners(...contenders: Contender[]) {
  const { miners } = await weigh(contenders, { environments: ['quasar-inference'], preset, burn: 0 });
  return Object.fromEntries(miners.filter(({ weight }) => weight > 0).map(({ miner: name, weight }) => [name, weight]));
}

describe('the fastest has all, unless somebody was first who is hardly slower', () => {
  it.each<[string, Contender[], string]>([
    ['who came later and is 1.9 % faster takes nothing', [miner('first', 100, 1), miner('later', 101.9, 2)], 'first'],
    ['who came later and is 2.1 % faster takes all', [miner('first', 100, 1), miner('later', 102.1, 2)], 'later'],
    ['the same at a hundred times the speed', [miner('first', 5_000, 1), miner('later', 5_090, 2)], 'first'],
    ['and there, too, 2.1 % are enough', [miner('first', 5_000, 1), miner('later', 5_105, 2)], 'later'],
    ['and at a hundredth of it', [miner('first', 1, 1), miner('later', 1.03, 2)], 'later'],
    ['who is both first and fastest', [miner('first', 120, 1), miner('later', 100, 2)], 'first'],
    [
      'in a row of near ties, the first of those near the fastest',
      [miner('a', 100, 1), miner('b', 101.5, 2), miner('c', 103, 3)],
      'b',
    ],
    [
      'who fails at six of a hundred is beaten by whoever does not',
      [miner('fast', 900, 1, 6), miner('slow', 10, 2)],
      'slow',
    ],
    ['who fails at five is slower by as much', [miner('fast', 102, 1, 5), miner('slow', 100, 2)], 'slow'],
  ])('%s', async (_, contenders, winner) => {
    expect(await winners(...contenders)).toEqual({ [winner]: 1 });
    expect(await winners(...contenders.toReversed())).toEqual({ [winner]: 1 });
  });

  it('nobody has anything where all fail', async () => {
    expect(await winners(miner('one', 100, 1, 50), miner('other', 100, 2, 100))).toEqual({});
    expect(await winners(miner('alone', 100, 1, 50))).toEqual({});
  });

  it('copies of one speed: the first', async () => {
    const all = Array.from({ length: 40 }, (_, at) => miner(`m${at}`, 80 + (at % 3) * 0.5, 40 - at));
    expect(await winners(...all)).toEqual({ m39: 1 });
  });
});
