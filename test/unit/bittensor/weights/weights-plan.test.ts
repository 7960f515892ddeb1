import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantised } from '../../../../src-main/bittensor/chain/weights.ts';
import { planWeights } from '../../../../src-main/bittensor/weights/weights-plan.ts';

const NEURONS = ['owner', 'a', 'b', 'c'].map((hotkey, uid) => ({ hotkey, uid }));
const plan = (shares: Record<string, number>, burnt?: number) =>
  planWeights({ shares: new Map(Object.entries(shares)), burnt }, NEURONS);

describe('weights by hotkey', () => {
  it('become weights by uid, of which the largest is 65535', () => {
    expect(plan({ a: 0.75, b: 0.25 })).toEqual({ uids: [1, 2], weights: [65_535, 21_845], leftOut: [] });
  });

  it('leave out who is not on the subnet, and say so; the others share what that would have', () => {
    expect(plan({ a: 0.25, gone: 0.5, b: 0.25 })).toEqual({
      uids: [1, 2],
      weights: [65_535, 65_535],
      leftOut: ['gone'],
    });
  });

  it('leave out who has nothing, or next to nothing', () => {
    expect(plan({ a: 1, b: 0, c: 1e-9, gone: 0 })).toEqual({ uids: [1], weights: [65_535], leftOut: [] });
  });

  it('give what is burnt to neuron 0, and no more when somebody is left out', () => {
    expect(plan({ a: 0.3, gone: 0.3 }, 0.4)).toEqual({ uids: [1, 0], weights: [65_535, 43_690], leftOut: ['gone'] });
    expect(plan({ owner: 0.5, a: 0.5 }, 0.5)).toEqual({ uids: [0, 1], weights: [65_535, 21_845], leftOut: [] });
  });

  it('burn everything where that is wanted, and where nobody is there', () => {
    const all = { uids: [0], weights: [65_535] };
    expect(plan({ a: 1 }, 1)).toMatchObject(all);
    expect(plan({ gone: 1 }, 0.1)).toEqual({ ...all, leftOut: ['gone'] });
    expect(plan({}, 1)).toMatchObject(all);
  });

  it.each([
    ['of nobody who is there', { gone: 1 }, 0, 'CHAIN_REFUSED', /None of the miners/],
    ['of nobody', {}, 0, 'CHAIN_REFUSED', /All of these weights are 0/],
    ['that are all 0', { a: 0 }, 0, 'CHAIN_REFUSED', /All of these weights are 0/],
    ['that are no numbers', { a: Number.NaN }, 0, 'BAD_REQUEST', /./],
    ['without an end', { a: Number.POSITIVE_INFINITY }, 0, 'BAD_REQUEST', /./],
    ['below 0', { a: 1, b: -0.1 }, 0, 'BAD_REQUEST', /./],
    ['of which more than all is burnt', { a: 1 }, 1.1, 'BAD_REQUEST', /./],
    ['of which nobody knows what is burnt', { a: 1 }, Number.NaN, 'BAD_REQUEST', /./],
  ])('%s are refused', (_, shares, burnt, code, message) => {
    expect(() => plan(shares, burnt)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('are whole, have a largest of 65535, keep their order, and are the same when they are quantised again', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.record({ owner: share, a: share, b: share, c: share }), share, (shares, burnt) => {
        fc.pre(Object.values(shares).some((one) => one > 1e-30));
        const { uids, weights } = plan(shares, burnt);
        expect(Math.max(...weights)).toBe(65_535);
        for (const weight of weights) expect(Number.isInteger(weight) && weight > 0).toBe(true);
        const [a, b] = [1, 2].map((uid) => weights[uids.indexOf(uid)] ?? 0);
        if (shares.a >= shares.b) expect(a).toBeGreaterThanOrEqual(b!);
        const again = quantised(new Map(uids.map((uid, at) => [uid, weights[at]!])));
        expect(again).toEqual({ uids, values: weights });
      }),
    );
  });
});
