import { expect, it } from 'vitest';
import { RecentSpeed } from '../../../src-main/mining/mesh-work.ts';

it('averages the last twenty requests', () => {
  const speed = new RecentSpeed();
  expect(speed.average()).toBeUndefined();
  speed.add({ tokensPerSecond: 1_000, firstTokenMs: 9_000 });
  for (let index = 0; index < 10; index++) speed.add({ tokensPerSecond: 10, firstTokenMs: 100 });
  for (let index = 0; index < 10; index++) speed.add({ tokensPerSecond: 30, firstTokenMs: 300 });
  expect(speed.average()).toEqual({ tokensPerSecond: 20, firstTokenMs: 200 });
});

it('does not count the speed of an answer that has none', () => {
  const speed = new RecentSpeed();
  speed.add({ tokensPerSecond: 0, firstTokenMs: 100 });
  speed.add({ tokensPerSecond: 40, firstTokenMs: 300 });
  expect(speed.average()).toEqual({ tokensPerSecond: 40, firstTokenMs: 200 });
});
