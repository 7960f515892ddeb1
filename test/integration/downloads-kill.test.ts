import type { ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readState } from '../../src-main/models/downloads/download-record.ts';
import { RangeSet } from '../../src-main/models/downloads/ranges.ts';
import { sha256Of } from '../support/download-node.ts';
import { startChild } from '../support/killed-child.ts';
import { UnrulyServer } from '../support/unruly-server.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('../support/download-child.ts', import.meta.url));
const CONTENT = randomFillSync(Buffer.allocUnsafe(56 << 20));
const SHA256 = sha256Of(CONTENT);
/** What has come is written down every second: it is killed three times. */
const BYTES_PER_SECOND = 16 << 20;

let folder: string;
let server: UnrulyServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-kill-'));
  server = await new UnrulyServer(CONTENT).open();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the record says is on the disk. */
async function recorded(): Promise<RangeSet> {
  return new RangeSet((await readState(join(folder, 'model.download.json')))?.done);
}

/** Kills the child as soon as its record says more than before; or it is done before that. */
async function runUntilMore(than: number): Promise<ChildProcess> {
  const child = startChild(CHILD, [folder, `${server.origin}/model.gguf`, SHA256, String(BYTES_PER_SECOND)]);
  const exit = once(child, 'exit');
  await until(async () => {
    if (child.exitCode === null) expect((await recorded()).bytes).toBeGreaterThan(than);
  });
  child.kill('SIGKILL');
  await exit;
  return child;
}

describe('a process that downloads', () => {
  it('killed again and again loses nothing that is on the disk, and fetches only what is missing', async () => {
    let kills = 0;
    let asked = 0;
    while (!(await readdir(folder)).includes('model.gguf')) {
      const before = await recorded();
      const requests = server.reads.length;
      const child = await runUntilMore(before.bytes);
      expect(child.exitCode ?? 0).toBe(0);
      if (child.signalCode === 'SIGKILL') kills++;
      for (const { range } of server.reads.slice(requests)) {
        const [start = 0, end = 0] = [range?.start, (range?.last ?? 0) + 1];
        asked += end - start;
        const again = before.ranges.filter((done) => done.start < end && done.end > start);
        expect(again).toEqual([]);
      }
    }
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(asked).toBeGreaterThanOrEqual(CONTENT.length);
    expect((await readFile(join(folder, 'model.gguf'))).equals(CONTENT)).toBe(true);
    expect(await readdir(folder)).toEqual(['model.gguf']);
  });
});
