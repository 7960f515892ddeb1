/** @module-tag long */
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { writeTools } from '../support/torch-tools.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tools: string;
let data: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  [tools, data] = [join(folder.path, 'tools'), join(folder.path, 'data')];
  await writeTools(tools, ['uv']);
});
afterEach(() => folder.remove());

const run = (...args: string[]) => quarry(['learn', 'torch', ...args, '--data', data], { PATH: tools });

describe.skipIf(process.platform === 'win32')('quarry learn torch', () => {
  it('says how much it would download, and downloads nothing unless somebody says yes', async () => {
    expect((await run()).stdout).toMatch(
      /^PyTorch is not installed\.\nFor cpu, the processor: downloads [\d.]+ [MG]B, takes up to /,
    );
    const asked = await run('install');
    expect([asked.child.exitCode, asked.stderr]).toEqual([1, expect.stringContaining('Nothing was downloaded')]);
    expect([existsSync(join(tools, 'calls')), existsSync(join(data, 'torch'))]).toEqual([false, false]);
  });

  it('installs it into the data folder, and removes it again', async () => {
    const installed = await run('install', '--yes', '--json');
    expect(JSON.parse(installed.stdout)).toMatchObject({ state: 'ready', installed: { variant: 'cpu', tool: 'uv' } });
    expect((await run('status')).stdout).toMatch(/^PyTorch 2\.15\.0 for cpu is installed, with Python 3\.12\.4: \d+/);
    const calls = await readFile(join(tools, 'calls'), 'utf8');
    await run('install', '--yes');
    expect((await readFile(join(tools, 'calls'), 'utf8')).match(/pip install/g)).toEqual(calls.match(/pip install/g));
    await run('remove', '--yes');
    expect(existsSync(join(data, 'torch'))).toBe(false);
  });

  it('is stopped by ^C: nothing of it goes on, and what has arrived is kept', async () => {
    await writeFile(join(tools, 'wait'), '');
    const installing = new QuarryProcess(['learn', 'torch', 'install', '--yes', '--data', data], { PATH: tools });
    await until(() => expect(existsSync(join(tools, 'begun'))).toBe(true));
    await installing.stop('SIGINT');
    await rm(join(tools, 'wait'));
    expect((await run('status', '--json')).stdout).toContain('"absent"');
    expect(existsSync(join(tools, 'ended'))).toBe(false);
    expect(existsSync(join(data, 'torch', 'cache', 'package'))).toBe(true);
  });
});
