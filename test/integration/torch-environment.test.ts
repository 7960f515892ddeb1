import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TorchEnvironment } from '../../src-main/learning/training/torch/torch-environment.ts';
import type { TorchProgress } from '../../src-preload/contract/learning-torch.ts';
import { startChild } from '../support/killed-child.ts';
import { writeTools } from '../support/torch-tools.ts';
import { until } from '../support/until.ts';

const CHILD = resolve(import.meta.dirname, '../support/torch-install-child.ts');
/** Tools that do as if, and a folder to install into. @param which `uv`, `python3`, or both */
async function world(...which: string[]) {
  const root = await mkdtemp(join(tmpdir(), 'quarry-torch-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [path, folder] = [join(root, 'tools'), join(root, 'torch')];
  await writeTools(path, which);
  const environment = new TorchEnvironment({ folder, path });
  const calls = async () => (await readFile(join(path, 'calls'), 'utf8')).split('\n').filter(Boolean);
  return { environment, folder, path, calls };
}

describe.skipIf(process.platform === 'win32')('the environment of PyTorch', () => {
  it('is installed by uv, each file held to its hash, and goes as a whole', async () => {
    const { environment, folder, calls } = await world('uv', 'python3');
    expect(await environment.state()).toBe('absent');
    const { download, disk } = await environment.size('cpu');
    expect(disk).toBeGreaterThan(download);
    const told: TorchProgress[] = [];
    const installing = environment.install({ variant: 'cpu' }, undefined, (progress) => told.push(progress));
    await until(async () => expect(await environment.state()).toBe('installing'));
    const installed = await installing;
    expect(installed).toMatchObject({ tool: 'uv', variant: 'cpu', python: '3.12.4', torch: '2.15.0' });
    expect(await environment.state()).toBe('ready');
    expect(await environment.installed()).toEqual(installed);
    expect(told.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['python', 'packages', 'check']));
    expect(told.at(-1)).toMatchObject({ bytes: 8 });
    const asked = (await calls()).find((call) => call.includes('pip install'));
    expect(asked).toMatch(/--require-hashes --no-deps --only-binary :all:/);
    const list = await readFile(join(folder, 'requirements.txt'), 'utf8');
    expect(list).toMatch(/^torch==[\d.]+ \\\n {4}--hash=sha256:/m);
    expect(list).not.toMatch(/https?:|index-url/);
    expect(existsSync(join(folder, 'cache'))).toBe(false);
    const before = (await calls()).length;
    expect(await environment.install({ variant: 'cpu' })).toEqual(installed);
    expect(await calls()).toHaveLength(before);
    await environment.remove();
    expect(await environment.state()).toBe('absent');
    expect(existsSync(folder)).toBe(false);
  });

  it('is installed by Python’s own means where there is no uv, and says so', async () => {
    const { environment, calls } = await world('python3');
    expect(await environment.install({ variant: 'cpu' })).toMatchObject({ tool: 'pip' });
    expect((await calls()).some((call) => /-m pip install .*--require-hashes/.test(call))).toBe(true);
  });

  it('wants one of the two', async () => {
    const { environment } = await world();
    await expect(environment.install({ variant: 'cpu' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await environment.state()).toBe('absent');
  });

  it('is broken where it is of another list, or part of it is gone, and is made anew', async () => {
    const { environment, folder, path } = await world('uv');
    const requirements = join(path, 'other.txt');
    await writeFile(requirements, 'torch==1 --hash=sha256:00\n');
    const { program } = await environment.install({ variant: 'cpu' });
    const other = new TorchEnvironment({ folder, path, requirements });
    expect(await other.state()).toBe('broken');
    await rm(program);
    expect(await environment.state()).toBe('broken');
    await environment.install({ variant: 'cpu' });
    expect(await environment.state()).toBe('ready');
    expect((await readdir(folder)).filter((name) => name.startsWith('env-'))).toHaveLength(1);
    await writeFile(join(folder, 'environment.json'), '{"env":"../../elsewhere"}');
    expect(await environment.state()).toBe('broken');
  });

  it('says why it failed, without a password, and keeps what has been downloaded', async () => {
    const { environment, folder, path } = await world('uv');
    await writeFile(join(path, 'fail'), '');
    const failed = environment.install({ variant: 'cpu' });
    await expect(failed).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: true });
    await expect(failed).rejects.toThrow('hash mismatch at https://index/torch');
    expect(await environment.state()).toBe('absent');
    expect(await readdir(join(folder, 'cache'))).toContain('package');
  });

  it('is not there when it is cancelled, and its tools have ended', async () => {
    const { environment, path } = await world('uv');
    await writeFile(join(path, 'wait'), '');
    const cancel = new AbortController();
    const installing = environment.install({ variant: 'cpu' }, cancel.signal);
    await until(() => expect(existsSync(join(path, 'begun'))).toBe(true));
    await expect(environment.remove()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    cancel.abort(new Error('Not now.'));
    await expect(installing).rejects.toThrow('Not now.');
    expect(await environment.state()).toBe('absent');
    await rm(join(path, 'wait'));
    await environment.install({ variant: 'cpu' });
    expect(await environment.state()).toBe('ready');
  });

  it('is not there when the node is killed meanwhile, and a tool that lives on does no harm', async () => {
    const { environment, folder, path } = await world('uv');
    await writeFile(join(path, 'wait'), '');
    const child = startChild(CHILD, [folder, path]);
    await until(() => expect(existsSync(join(path, 'begun'))).toBe(true));
    child.kill('SIGKILL');
    await until(() => expect(child.signalCode).toBe('SIGKILL'));
    expect(await environment.state()).toBe('absent');
    await rm(join(path, 'begun'));
    const installing = environment.install({ variant: 'cpu' });
    await until(() => expect(existsSync(join(path, 'begun'))).toBe(true));
    await rm(join(path, 'wait')); // now both go on
    const { program } = await installing;
    expect(await environment.state()).toBe('ready');
    expect(existsSync(program)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.startsWith('env-'))).toHaveLength(1);
  });
});
