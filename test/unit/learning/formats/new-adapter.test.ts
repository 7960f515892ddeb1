import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { Slices } from '../../../../src-main/base/slices.ts';
import { newAdapter } from '../../../../src-main/learning/formats/new-adapter.ts';
import { smallBase } from '../../../support/made-adapter.ts';
import { turnsOf } from '../../../support/turns.ts';

it('changes nothing yet: A within ±1/√in, as the numbers come, B zero; only what is wanted', async () => {
  const wanted = { rank: 2, alpha: 4, modules: ['v_proj', 'q_proj'] as const, lastLayers: 1 };
  const { matrices, modules, rank, alpha } = await newAdapter(smallBase(), wanted, seededRandom(5).uniform);
  expect({ modules, rank, alpha }).toEqual({ modules: ['q_proj', 'v_proj'], rank: 2, alpha: 4 });
  expect([...matrices.keys()]).toEqual(['1.q_proj', '1.v_proj']);
  const { uniform } = seededRandom(5);
  for (const { a, b, in: columns, out } of matrices.values()) {
    expect(a).toEqual(Float32Array.from({ length: 2 * columns }, () => (2 * uniform() - 1) / Math.sqrt(columns)));
    expect(b).toEqual(new Float32Array(2 * out));
  }
});

it('refuses a model that has none of the modules', async () => {
  const none = newAdapter({ ...smallBase(), sizes: new Map() }, { rank: 2, alpha: 4 }, Math.random);
  await expect(none).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

it('others have turns while a large one is made', async () => {
  const size = { in: 8_192, out: 8 };
  const base = { ...smallBase(), sizes: new Map([['0.q_proj', size]]) };
  const make = () => newAdapter(base, { rank: 256, alpha: 1 }, seededRandom(1).uniform, new Slices());
  expect(await turnsOf(make)).toBeGreaterThan(2);
});
