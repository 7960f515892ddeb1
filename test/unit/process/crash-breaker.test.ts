import { describe, expect, it } from 'vitest';
import { CrashBreaker } from '../../../src-main/process/crash-breaker.ts';

function breakerAt(start = 0) {
  const clock = { now: start };
  return { clock, breaker: new CrashBreaker(() => clock.now) };
}

describe('CrashBreaker', () => {
  it('waits longer with each failure', () => {
    const { breaker } = breakerAt();
    expect([breaker.fail(), breaker.fail()]).toEqual([250, 1_000]);
    expect(breaker.isOpen).toBe(false);
  });

  it('opens at the third failure within a minute, and then waits for a probe', () => {
    const { breaker } = breakerAt();
    breaker.fail();
    breaker.fail();
    expect(breaker.fail()).toBe(30_000);
    expect(breaker.isOpen).toBe(true);
  });

  it('forgets failures that are older than the window', () => {
    const { breaker, clock } = breakerAt();
    breaker.fail();
    breaker.fail();
    clock.now = 60_000;
    expect(breaker.fail()).toBe(250);
    expect(breaker.isOpen).toBe(false);
  });

  it('still counts failures between which it recovered: an engine that dies of every request loads well', () => {
    const { breaker } = breakerAt();
    for (let i = 0; i < 3; i++) {
      breaker.fail();
      if (!breaker.isOpen) breaker.recovered();
    }
    expect(breaker.isOpen).toBe(true);
  });

  it('stays open when the probe fails, and closes when it succeeds', () => {
    const { breaker, clock } = breakerAt();
    for (let i = 0; i < 3; i++) breaker.fail();
    clock.now = 100_000;
    expect(breaker.fail()).toBe(30_000);
    expect(breaker.isOpen).toBe(true);
    breaker.recovered();
    expect(breaker.isOpen).toBe(false);
    expect(breaker.fail()).toBe(250);
  });
});
