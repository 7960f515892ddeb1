import { expect, it } from 'vitest';
import { marketReport } from '../../../../../src-main/app/parts/focus/market.ts';
import type { MarketState } from '../../../../../src-preload/contract/market.ts';

const STATE = {
  ...{ running: true, market: null, port: null, scores: true, offers: {}, purchases: {}, bytes: 3, answered: 0 },
  ...{ day: { sold: 0, spent: '0', budget: '0', left: '0' }, refused: [] },
} satisfies MarketState;

it('all figures of one look at the metrics are read from the store once, and those of the next anew', async () => {
  let reads = 0;
  const state = async () => {
    reads++;
    return STATE;
  };
  const { figures } = marketReport({ state }, { isSet: () => true });
  const look = () => Promise.all((figures ?? []).map(({ read }) => read()));
  expect((await look())[3]).toBe(3);
  expect(reads).toBe(1);
  await look();
  expect(reads).toBe(2);
});
