import { describe, expect, it } from 'vitest';
import { Slices } from '../../../src-main/base/slices.ts';

const workFor = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

describe('work in slices', () => {
  it('is over after some milliseconds, and begins anew after a turn for others', async () => {
    const slices = new Slices();
    expect(slices.isOver).toBe(false);
    workFor(6);
    expect(slices.isOver).toBe(true);
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    await slices.next();
    expect(hadTurn).toBe(true);
    expect(slices.isOver).toBe(false);
  });
});
