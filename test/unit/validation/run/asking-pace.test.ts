import { expect, it } from 'vitest';
import { AskingPace } from '../../../../src-main/validation/run/asking-pace.ts';

const HOUR = 3_600_000;

/** Asks whenever that may be, for so long. @returns how often it was asked in each hour */
function askedIn(pace: AskingPace, hours: number, from = 0): number[] {
  const counts = Array.from({ length: hours }, () => 0);
  for (let now = from; now < from + hours * HOUR; now += 250) {
    if (!pace.mayAsk('m', now)) continue;
    pace.asked('m', now);
    counts[Math.floor((now - from) / HOUR)]! += 1;
  }
  return counts;
}

it('asks so often in an hour, and the questions of five minutes at once', () => {
  expect(askedIn(new AskingPace(120), 3)).toEqual([129, 120, 120]); // one more is of the hour that begins then
  expect(askedIn(new AskingPace(1), 3)).toEqual([1, 1, 1]);
  const pace = new AskingPace(120);
  for (let at = 0; at < 10; at++) pace.asked('m', 0);
  expect([pace.isAtBound('m', 0), pace.mayAsk('another', 0)]).toEqual([true, true]);
  expect([pace.mayAsk('m', 29_000), pace.mayAsk('m', 30_001)]).toEqual([false, true]);
});

it('goes on after a restart where it was, and after a change of the setting', () => {
  const begun = (count: number) => {
    const pace = new AskingPace(120);
    pace.takeOver([{ miner: 'm', count }], 0);
    return askedIn(pace, 1)[0];
  };
  expect([begun(0), begun(4), begun(10), begun(500)]).toEqual([129, 125, 119, 119]);
  expect([new AskingPace(120).memoryMs, new AskingPace(1).memoryMs]).toEqual([300_000, HOUR]);
  const pace = new AskingPace(120);
  for (let at = 0; at < 10; at++) pace.asked('m', 0);
  pace.set(12, 0);
  expect(askedIn(pace, 1)).toEqual([11]);
  pace.set(100_000, HOUR);
  expect(pace.mayAsk('m', HOUR)).toBe(true);
});

it('leaves alone who wants that, for the longest that it has said, and ten minutes at most', () => {
  const pace = new AskingPace(120);
  pace.rest('m', 60_000, 0);
  pace.rest('m', 1_000, 0);
  expect([pace.mayAsk('m', 59_999), pace.mayAsk('m', 60_000), pace.mayAsk('another', 0)]).toEqual([false, true, true]);
  expect(pace.isAtBound('m', 0)).toBe(false);
  pace.rest('m', 10 * HOUR, 60_000);
  expect(pace.restMs('m', 60_000)).toBe(600_000);
});

it('forgets what does not matter any more, and nothing else', () => {
  const pace = new AskingPace(12);
  pace.asked('m', 0);
  pace.rest('m', 400_000, 0);
  pace.forget(299_000);
  expect(pace.isAtBound('m', 299_000)).toBe(true);
  pace.forget(300_001);
  expect([pace.isAtBound('m', 300_001), pace.restMs('m', 300_001)]).toEqual([false, 99_999]);
});
