/** @module-tag long */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { PublishingHub } from '../support/clips/publishing-hub.ts';
import { startChild } from '../support/killed-child.ts';

const CHILD = fileURLToPath(new URL('../support/clips/data-set-child.ts', import.meta.url));
const LAST = 'the end';

it.skipIf(process.platform === 'win32')('an upload that is killed at any request goes on where it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-upload-kill-'));
  const hub = await new PublishingHub().open();
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  expect(await once(startChild(CHILD, ['never', '0', folder, '1100']), 'exit')).toEqual([0, null]);
  let child: ChildProcess | undefined;
  let killed = 0;
  for (let at = 1; ; at++) {
    let asked = 0;
    let last = LAST;
    // Half of the time before the hub has done it, half of the time after.
    hub.instead = (request) => {
      if (++asked < at || last !== LAST) return false;
      last = `${request.method} ${request.url}`;
      child?.kill('SIGKILL');
      return at % 2 === 0;
    };
    child = startChild(CHILD, ['never', '0', folder, '1100', hub.url]);
    const [code, signal] = await once(child, 'exit');
    if (signal !== 'SIGKILL') {
      expect(code).toBe(0);
      break;
    }
    killed++;
  }
  expect(killed).toBeGreaterThan(2);
  expect(hub.faults).toEqual([]);
  const files = Object.keys(hub.files('me/clips'));
  expect(files.filter((name) => name.endsWith('.parquet'))).toHaveLength(3);
  expect(files).toContain('README.md');
  // What has come is not sent again.
  const stored = hub.asked.filter((one) => one.startsWith('PUT'));
  expect(stored.length).toBeLessThan(3 * (killed + 1));
});
