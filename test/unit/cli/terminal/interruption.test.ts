import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const STUCK = fileURLToPath(new URL('../../../fixtures/stuck-command.ts', import.meta.url));

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-interruption-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  'ends at once at the second %s, whatever is under way on the disk',
  async (name) => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = spawn(process.execPath, [STUCK, pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      expect(String(await once(child.stdout, 'data'))).toBe('started');
      child.kill(name);
      expect(String(await once(child.stdout, 'data'))).toBe('stopping');
      child.kill(name);
      expect(await once(child, 'exit')).toEqual([null, name]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
