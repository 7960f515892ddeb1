import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Attendance, type AttendanceNeeds } from '../../../../src-renderer/pages/focus/recording/attendance.ts';

const MINUTE = 60_000;
let now: number;
const begun: Attendance[] = [];

beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  for (const one of begun.splice(0)) one.close();
  vi.useRealTimers();
});

/** Somebody records. `seen`: what happens each second. `told`: what the computer tells of its use. */
function begin(changes: Partial<AttendanceNeeds> = {}) {
  const state = { isIdle: false, covered: undefined as string | undefined, isPaused: false };
  const seen = { motion: 0, used: false };
  const told = { idleMs: null as number | null, pauseAfterMs: 3 * MINUTE, covered: null as string | null };
  const look = vi.fn(() => seen);
  const attendance = new Attendance({
    ask: async () => ({ ...told }),
    isHere: true,
    look,
    isPaused: () => state.isPaused,
    idle: (isIdle) => void Object.assign(state, { isIdle }),
    covered: (covered) => void Object.assign(state, { covered }),
    now: () => now,
    ...changes,
  });
  begun.push(attendance);
  /** @returns after how many seconds it paused, or went on; undefined where it did neither */
  const pass = async (seconds: number) => {
    const before = state.isIdle;
    let changed: number | undefined;
    for (let second = 1; second <= seconds; second++) {
      now += 1_000;
      if (!state.isIdle && !state.isPaused) attendance.saw(seen);
      await vi.advanceTimersByTimeAsync(1_000);
      if (state.isIdle !== before) changed ??= second;
    }
    return changed;
  };
  return { attendance, state, seen, told, look, pass };
}

it('a recording pauses when nobody did anything for the minutes of the setting, and goes on when anything moves', async () => {
  const { seen, look, pass } = begin();
  expect(await pass(170)).toBeUndefined();
  seen.motion = 7; // a word is typed
  await pass(1);
  seen.motion = 1; // a cursor blinks
  expect(look).not.toHaveBeenCalled();
  expect(await pass(600)).toBe(180);
  expect(look).toHaveBeenCalled();
  seen.motion = 7;
  expect(await pass(10)).toBe(1);
});

it('keys in this page count without any motion, and a setting of 0 never pauses', async () => {
  const { seen, told, pass } = begin();
  seen.used = true;
  expect(await pass(600)).toBeUndefined();
  seen.used = false;
  told.pauseAfterMs = 0;
  expect(await pass(3_600)).toBeUndefined();
});

it('where the computer tells of its use, a film is nobody at work; of another computer it is not asked', async () => {
  const here = begin();
  here.seen.motion = 1_000;
  here.told.idleMs = 10_000;
  await here.pass(10);
  const longAgo = setInterval(() => Object.assign(here.told, { idleMs: 600_000 }), 100);
  expect(await here.pass(300)).toBeLessThanOrEqual(180);
  clearInterval(longAgo);
  here.told.idleMs = 0;
  expect(await here.pass(5)).toBeLessThanOrEqual(2);

  const elsewhere = begin({ isHere: false });
  elsewhere.told.idleMs = 600_000;
  elsewhere.seen.motion = 1_000;
  expect(await elsewhere.pass(600)).toBeUndefined();
});

it('goes on at once for whoever says that they are there, and pauses after the same minutes again', async () => {
  const { attendance, state, pass } = begin();
  await pass(600);
  expect(state.isIdle).toBe(true);
  attendance.begin();
  expect(state.isIdle).toBe(false);
  expect(await pass(600)).toBe(180);
});

it('what was paused by hand stays paused, and the minutes begin anew after it', async () => {
  const { state, pass } = begin();
  state.isPaused = true;
  expect(await pass(600)).toBeUndefined();
  state.isPaused = false;
  expect(await pass(600)).toBe(180);
});

it('tells of a window that must not be recorded, and looks on while the node is away', async () => {
  const ask = vi.fn(async () => ({ idleMs: null, pauseAfterMs: MINUTE, covered: 'KeePass' as string | null }));
  const { state, pass } = begin({ ask });
  await pass(1);
  expect(state.covered).toBe('KeePass');
  ask.mockResolvedValueOnce({ idleMs: null, pauseAfterMs: MINUTE, covered: null });
  ask.mockRejectedValue(new Error('The node is away.'));
  await pass(1);
  expect(state.covered).toBeUndefined();
  expect(await pass(120)).toBe(58);
});
