import { describe, expect, it } from 'vitest';
import { explain } from '../../../../src-main/validation/scoring/explain.ts';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import { PRESETS, type SharesPreset, sharesOf } from '../../../../src-main/validation/scoring/presets.ts';
import { weigh } from '../../../../src-main/validation/scoring/weights.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const preset = PRESETS.find(({ name }) => name === 'omega') as SharesPreset;
const VIDEOS = 'omega-videos';
const SOUNDS = 'omega-sounds';

interface How {
  mean: number;
  count?: number;
  lies?: number;
}

const sampleOf = ({ mean, count = 100, lies = 0 }: How) => ({
  ...{ count, mean, meanSquare: mean ** 2, zeros: 0, negatives: lies },
});

function miner(name: string, videos?: How, sounds?: How): Contender {
  const samples = [
    ...(videos ? [[VIDEOS, sampleOf(videos)] as const] : []),
    ...(sounds ? [[SOUNDS, sampleOf(sounds)] as const] : []),
  ];
  return { miner: name, since: 1, samples: new Map(samples) };
}

async function weights(contenders: Contender[], { burn = 0, sounds = 0.3, environments = [SOUNDS, VIDEOS] } = {}) {
  const scoring = await weigh(contenders, { environments, preset: { ...preset, shares: sharesOf(sounds) }, burn });
  return {
    of: Object.fromEntries(scoring.miners.map(({ miner: name, weight }) => [name, Number(weight.toFixed(6))])),
    why: (name: string) =>
      explain(scoring.miners.find((one) => one.miner === name)!, scoring).map((one) => sentence(one)),
  };
}

describe('each environment has its share, and in it each miner what its mean is of all', () => {
  it('over two environments', async () => {
    const { of, why } = await weights([
      miner('a', { mean: 0.3 }, { mean: 0.1 }),
      miner('b', { mean: 0.1 }, { mean: 0.3 }),
    ]);
    expect(of).toEqual({ a: 0.6, b: 0.4 });
    expect(why('b')).toEqual([
      'omega-sounds counts 30 % of all, and of its means this one has 75 %.',
      'omega-videos counts 70 % of all, and of its means this one has 25 %.',
    ]);
  });

  it('less what is burnt', async () => {
    expect((await weights([miner('a', { mean: 0.3 })], { burn: 0.25 })).of).toEqual({ a: 0.75 });
  });

  it('an environment in which nobody has anything leaves its share to the others', async () => {
    const { of } = await weights([miner('a', { mean: 0.3 }), miner('b', { mean: 0.1 }, { mean: -1 })]);
    expect(of).toEqual({ a: 0.75, b: 0.25 });
  });

  it('one that counts nothing gives nothing', async () => {
    const { of } = await weights([miner('a', { mean: 0.3 }), miner('b', undefined, { mean: 1 })], { sounds: 0 });
    expect(of).toEqual({ a: 1, b: 0 });
  });

  it('versions and levels are of one environment', async () => {
    const name = `${VIDEOS} (1.abc, usual)`;
    const one = { ...miner('a'), samples: new Map([[name, sampleOf({ mean: 0.2 })]]) };
    expect((await weights([one], { environments: [name] })).of).toEqual({ a: 1 });
  });
});

describe('nothing has', () => {
  it.each<[string, How, RegExp]>([
    ['a mean below nothing', { mean: -0.1, lies: 1 }, /not above 0/],
    ['too few results', { mean: 0.5, count: 29 }, /too few results/],
    ['who lies more than twice in a hundred', { mean: 0.3, lies: 3 }, /lie too often/],
    ['who lies twice in fifty', { mean: 0.3, count: 50, lies: 2 }, /lie too often/],
  ])('%s', async (_, how, reason) => {
    const { of, why } = await weights([miner('honest', { mean: 0.3 }), miner('other', how)]);
    expect(of).toEqual({ honest: 1, other: 0 });
    expect(why('other').join(' ')).toMatch(reason);
  });

  it('but whoever was wronged once still has', async () => {
    expect((await weights([miner('a', { mean: 0.3 }), miner('b', { mean: 0.3, count: 30, lies: 1 })])).of).toEqual({
      ...{ a: 0.5, b: 0.5 },
    });
  });
});
