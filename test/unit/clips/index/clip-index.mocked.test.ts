import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { ClipIndex } from '../../../../src-main/clips/index/clip-index.ts';

/** Threads that were started, so that they can be killed. */
const threads = vi.hoisted(() => [] as { terminate(): Promise<number> }[]);
const all = vi.hoisted(() => ({ die: false }));
vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  class Watched extends real.Worker {
    constructor(...args: ConstructorParameters<typeof real.Worker>) {
      super(...args);
      threads.push(this);
      if (all.die) void this.terminate();
    }
  }
  return { ...real, Worker: Watched };
});

const folder = mkdtempSync(join(tmpdir(), 'quarry-clip-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAME = { space: 'siglip2@1', kind: 'video' };
const QUERY = Float32Array.of(1, 2, 3);
const KEPT = [{ id: '0'.repeat(32), vector: QUERY }];
const RIGHT = [[{ id: KEPT[0]?.id, closeness: expect.closeTo(1, 5) }]];

it('a thread that is killed is replaced, and the next one reads everything again', async () => {
  const pages = vi.fn(async (_space: string, _kind: string, after: string | null) => (after === null ? KEPT : []));
  const index = new ClipIndex({ pages, folder });
  const ask = () => index.nearest([QUERY], { ...NAME, count: 1 });
  expect(await ask()).toEqual(RIGHT);
  await threads.at(-1)?.terminate();
  await index.add(NAME, KEPT); // it is among what is read
  const asked = ask();
  await threads.at(-1)?.terminate();
  expect(await asked).toEqual(RIGHT); // asked again, where there was no answer yet
  expect(await ask()).toEqual(RIGHT);
  expect(threads.length).toBeGreaterThan(1);
  expect(pages.mock.calls.length).toBeGreaterThanOrEqual(2 * threads.length - 1);
  await index.close();
});

it('a question that every thread dies of is answered with that', async () => {
  const index = new ClipIndex({ pages: async () => [], folder });
  all.die = true;
  const begun = threads.length;
  await expect(index.nearest([QUERY], { ...NAME, count: 1 })).rejects.toThrow('ended');
  expect(threads.length).toBe(begun + 2);
  await index.close();
});
