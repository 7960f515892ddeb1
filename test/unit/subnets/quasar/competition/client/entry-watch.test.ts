import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { EntryRow } from '../../../../../../src-main/store/competition-entries.ts';
import { EntryWatch } from '../../../../../../src-main/subnets/quasar/competition/client/entry-watch.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { until } from '../../../../../support/until.ts';

/** A watch over one submission of which its server says nothing, some time after each look, and for how long to stay away. */
function watched(retryAfterMs?: number) {
  const clock = { at: 0 };
  const [looks, rounds] = [[] as number[], { count: 0 }];
  const row = { id: 'one', step: 'there', seen: null } as unknown as EntryRow;
  const look = async () => {
    looks.push(clock.at);
    throw new QuarryError({ code: 'RATE_LIMIT', message: 'Not now.', ...(retryAfterMs && { retryAfterMs }) });
  };
  const open = async () => {
    rounds.count++;
    return [row];
  };
  const watch = new EntryWatch({
    ...{ store: { open, get: async () => row }, entries: { commit: look, look }, log: pino({ level: 'silent' }) },
    ...{ now: () => clock.at, everyMs: 1, between: { firstMs: 1_000, longestMs: 4_000 } },
  });
  onTestFinished(() => watch.close());
  watch.open();
  /** When it has looked, once it had the chance to at a time. */
  const at = async (ms: number) => {
    clock.at = ms;
    const seen = rounds.count;
    await until(() => expect(rounds.count).toBeGreaterThan(seen + 2));
    return [...looks];
  };
  return { at };
}

it('looks again after failures, later and later', async () => {
  const { at } = watched();
  expect(await at(999)).toHaveLength(1);
  expect(await at(2_000)).toHaveLength(2);
  expect(await at(3_999)).toHaveLength(2);
  expect(await at(4_000)).toEqual([expect.any(Number), 2_000, 4_000]);
});

it('looks no sooner than the server says', async () => {
  const { at } = watched(60_000);
  expect(await at(0)).toEqual([0]);
  expect(await at(59_999)).toEqual([0]);
  expect(await at(60_000)).toEqual([0, 60_000]);
});
