import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepToOwner } from '../../../../src-main/app/host/own-folder.ts';
import { loadOrCreateToken } from '../../../../src-main/app/host/own-token.ts';
import { openCore } from '../../../../src-main/app/parts/core.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';

let dataDir: string;
const logged: string[] = [];
const log = pino({}, { write: (line) => logged.push(line) });
const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-owner-'));
  logged.length = 0;
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('that others can read is closed to them at a start, with the files that hold secrets', async () => {
    const files = ['identity.key', 'app-settings.json', 'app-settings.good.json', 'quarry.log'];
    const seed = JSON.stringify({ v: 1, seed: 'ab'.repeat(32) });
    for (const file of files) await writeFile(join(dataDir, file), file === 'identity.key' ? seed : '{}');
    for (const file of files) await chmod(join(dataDir, file), 0o644);
    await chmod(dataDir, 0o755);
    const config = loadConfig({ flags: { dataDir }, env: {} });
    await using closing = new AsyncDisposableStack();
    await openCore(config, {}, { closing, draining: [], ending: new AbortController().signal });
    expect(await modeOf(dataDir)).toBe('700');
    for (const file of files) expect([file, await modeOf(join(dataDir, file))]).toEqual([file, '600']);
  });

  it('has folders that others are kept out of, and that its owner can go into', async () => {
    await mkdir(join(dataDir, 'learning'));
    await chmod(join(dataDir, 'learning'), 0o755);
    await keepToOwner(dataDir, log);
    expect(await modeOf(join(dataDir, 'learning'))).toBe('700');
  });

  it('that belongs to all is left as it is, with a warning', async () => {
    await chmod(dataDir, 0o1777);
    await keepToOwner(dataDir, log);
    expect(await modeOf(dataDir)).toBe('1777');
    expect(logged.join()).toContain('cannot be closed to them');
  });

  it('leaves a pipe as it is, whatever links to it: nor would a log that is linked to /dev/null change that for all', async () => {
    await chmod(dataDir, 0o700);
    const pipe = join(dataDir, 'pipe');
    execFileSync('mkfifo', ['-m', '666', pipe]);
    await symlink(pipe, join(dataDir, 'quarry.log'));
    await keepToOwner(dataDir, log);
    expect([await modeOf(pipe), logged]).toEqual(['666', []]);
  });

  it('that is closed already is no news', async () => {
    await keepToOwner(dataDir, log);
    expect(logged).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a token that others could read', () => {
  it('is not closed to them and kept, but replaced', async () => {
    const token = await loadOrCreateToken(dataDir, 'localToken');
    await chmod(join(dataDir, 'local.token'), 0o644);
    await keepToOwner(dataDir, log);
    expect(await loadOrCreateToken(dataDir, 'localToken')).not.toBe(token);
    expect(await modeOf(join(dataDir, 'local.token'))).toBe('600');
  });
});
