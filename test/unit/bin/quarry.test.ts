import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../../../bin/quarry.js', import.meta.url));

/** `quarry --version` on a Node that calls itself `version`. */
function runOn(version: string) {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`;
  return spawnSync(process.execPath, ['--import', pretend, command, '--version'], { encoding: 'utf8' });
}

describe('bin/quarry.js', () => {
  it.each(['20.19.0', '22.23.3'])('says in one sentence that Node %s is too old', (version) => {
    const { status, stdout, stderr } = runOn(version);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Quarry needs Node 24 or newer, and this is Node \d+\.\d+\.\d+;[^\n]+\n$/);
    expect(stderr).toContain(version);
  });

  it('runs on Node 24', () => {
    expect(runOn('24.0.0')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('keeps what it has compiled in its user’s home, not where others could put theirs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-home-'));
    const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
    await mkdir(temporary);
    const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...others } = process.env;
    const env = { ...others, HOME: home, USERPROFILE: home, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    expect(spawnSync(process.execPath, [command, '--version'], { env }).status).toBe(0);
    expect(await readdir(join(home, '.cache', 'quarry', 'compiled'))).toHaveLength(1);
    expect(await readdir(temporary)).toEqual([]);
    // Where there is no home, not in the folder that this runs in either.
    expect(
      spawnSync(process.execPath, [command, '--version'], { env: { ...env, HOME: '' }, cwd: temporary }).status,
    ).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
