import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { version } from '../../../src-main/base/version.ts';
import { UpdateWatch } from '../../../src-main/updates/update-watch.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const url = 'https://releases.example.org/latest';
let dataDir: string;
let lines: { newer?: string; reason?: string }[];
let log: Logger;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-updates-'));
  lines = [];
  log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(dataDir, { recursive: true });
});

const telling = (tag: string) => vi.fn<typeof fetch>(async () => Response.json({ tag_name: tag }));

async function opened(fetch: typeof globalThis.fetch, now = 10 * DAY_MS): Promise<UpdateWatch> {
  const watch = new UpdateWatch({ dataDir, url, log, fetch, now: () => now });
  await watch.open();
  return watch;
}

it('asks at the first start, and tells of a newer version', async () => {
  const fetch = telling('v999.0.0');
  const watch = await opened(fetch);
  expect(watch.newer).toBeUndefined();
  await until(() => expect(watch.newer).toBe('999.0.0'));
  await watch.close();
  expect(lines).toMatchObject([{ newer: '999.0.0' }]);
});

it('says nothing where this is the newest', async () => {
  const watch = await opened(telling(version));
  await until(() => expect(watch.newer).toBeNull());
  await watch.close();
  expect(lines).toEqual([]);
});

it('asks once a day, however often the node is started', async () => {
  const first = await opened(telling('v999.0.0'));
  await until(() => expect(first.newer).toBe('999.0.0'));
  await first.close();
  const again = telling('v999.0.1');
  for (const hours of [1, 5, 23]) {
    const watch = await opened(again, 10 * DAY_MS + hours * 3_600_000);
    expect(watch.newer).toBe('999.0.0'); // known at once
    await watch.close();
  }
  expect(again).not.toHaveBeenCalled();
  const later = await opened(again, 11 * DAY_MS);
  await until(() => expect(later.newer).toBe('999.0.1'));
  await later.close();
});

it('a failure is told, counts as asked, and leaves what was known', async () => {
  await writeFile(join(dataDir, 'update-check.json'), JSON.stringify({ askedAt: 0, latest: '999.0.0' }));
  const fetch = vi.fn(async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no such host') })));
  const watch = await opened(fetch);
  await until(() => expect(watch.state.failure).toBe('no such host'));
  await watch.close();
  expect(watch.newer).toBe('999.0.0');
  expect(lines).toMatchObject([{ reason: 'no such host' }]);
  await (await opened(fetch)).close();
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('ends what it asks when it is closed, and what stands in its file may be anything', async () => {
  await writeFile(join(dataDir, 'update-check.json'), '{"askedAt":"yesterday"}');
  const fetch = vi.fn<typeof globalThis.fetch>(
    (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('ended')))),
  );
  const watch = await opened(fetch);
  await until(() => expect(fetch).toHaveBeenCalled());
  await watch.close();
  await watch.close();
  expect(lines).toEqual([]);
});
