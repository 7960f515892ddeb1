import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { weights } from '../../../../src-main/app/validator/weigh-view.ts';
import type { MinerMean } from '../../../../src-main/store/results/score-tally.ts';

const mean = (miner: string, environment: string, value: number, count: number, since = 0): MinerMean => ({
  ...{
    miner,
    environment,
    version: '1',
    level: 'usual',
    count,
    mean: value,
    meanSquare: value,
    zeros: 0,
    negatives: 0,
    since,
    block: null,
  },
});
const weighed = (means: MinerMean[]) =>
  weights({ means: async () => means }, { since: 0, burn: 0, preset: 'home' }, { signers: [] });

describe('weights, as they are looked at', () => {
  it('have the first beside the second, the others beside the first, and who was there before', async () => {
    const { miners } = await weighed([
      ...['sat', 'hvm'].map((name) => mean('best', name, 0.9, 400, 5)),
      ...['sat', 'hvm'].map((name) => mean('copy', name, 0.9, 400, 9)),
      ...['sat', 'hvm'].map((name) => mean('bad', name, 0.1, 400, 1)),
    ]);
    expect(miners.map(({ miner }) => miner)).toEqual(['best', 'copy', 'bad']);
    expect(
      miners.map(({ rival }) => [rival?.miner, rival?.wasFirst, rival?.compared.map(({ is }) => is).join()]),
    ).toEqual([
      ['copy', false, 'even,even'],
      ['best', true, 'even,even'],
      ['best', false, 'worse,worse'],
    ]);
    expect(miners[0]).toMatchObject({ sets: [2, 1], overall: { count: 800, mean: 0.9 }, weight: 1 });
  });

  it('have those that lack results last, the better one first', async () => {
    const { miners, growing } = await weighed([
      mean('poor', 'sat', 0.1, 400),
      mean('worse but ranked', 'sat', 0.05, 400, 1),
      mean('new', 'sat', 0.5, 3, 2),
      mean('newer', 'sat', 0.9, 3, 3),
    ]);
    expect(miners.map(({ miner, isEligible }) => [miner, isEligible])).toEqual([
      ['poor', true],
      ['worse but ranked', true],
      ['newer', false],
      ['new', false],
    ]);
    expect(miners[2]?.missing).toEqual({ sat: 31 });
    expect(growing).toEqual([{ environment: 'sat', miner: 'poor', share: 0.01, left: null }]);
  });

  it('leave turns for others in between, also where each miner is put beside the first', async () => {
    let [now, turns] = [0, 0];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000)); // whatever is done takes long
    onTestFinished(() => clock.mockRestore());
    let turning = setImmediate(function turn() {
      turns++;
      turning = setImmediate(turn);
    });
    onTestFinished(() => clearImmediate(turning));
    const seen: number[] = [];
    const means = Array.from({ length: 20 }, (_, at) => mean(`${at}`, 'sat', at / 20, 400, at));
    await weights(
      { means: async () => means },
      { since: 0, burn: 0, preset: '2025-11-01' },
      {
        signers: [],
        standingOf: () => {
          seen.push(turns);
          return undefined;
        },
      },
    );
    expect(new Set(seen).size).toBeGreaterThan(20); // one for the weights, one for each that is put beside another
  });

  it('have no rival where there is one miner alone, and nothing where there is none', async () => {
    expect((await weighed([mean('one', 'sat', 0.5, 40)])).miners[0]?.rival).toBeNull();
    expect(await weighed([])).toEqual({ preset: 'home', environments: [], growing: [], miners: [] });
  });
});
