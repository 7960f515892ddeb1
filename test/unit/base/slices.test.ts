import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Slices } from '../../../src-main/base/slices.ts';

describe('work in slices', () => {
  it('is over after some milliseconds, and begins anew after a turn for others', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(100);
    onTestFinished(() => void clock.mockRestore());
    const slices = new Slices();
    expect(slices.isOver).toBe(false);
    clock.mockReturnValue(106);
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
