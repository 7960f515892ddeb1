import { spawnSync } from 'node:child_process';
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
});
