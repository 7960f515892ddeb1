import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirLock } from '../../../../src-main/app/host/data-dir-lock.ts';
import { readRunningNode } from '../../../../src-main/client/running-node.ts';

let dataDir: string;
const locks: DataDirLock[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-lock-'));
});

afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.close();
  await Promise.all(children.splice(0).map(kill));
  await rm(dataDir, { recursive: true, force: true });
});

function newLock(): DataDirLock {
  const lock = new DataDirLock(dataDir);
  locks.push(lock);
  return lock;
}

/** Another process that holds the folder. */
async function holder(): Promise<ChildProcess> {
  const module = new URL('../../../../src-main/app/host/data-dir-lock.ts', import.meta.url).href;
  const script = `
    const { DataDirLock } = await import(${JSON.stringify(module)});
    const lock = new DataDirLock(${JSON.stringify(dataDir)});
    await lock.open();
    await lock.announce('http://127.0.0.1:7777');
    process.stdout.write('locked');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('DataDirLock', () => {
  it('keeps a second process out and names the first', async () => {
    const child = await holder();
    await expect(newLock().open()).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: `The data folder ${dataDir} is in use by process ${child.pid} (http://127.0.0.1:7777).`,
      hint: expect.stringContaining('--data'),
    });
  });

  it('is free at once when its process was killed, though the note is still there', async () => {
    await kill(await holder());
    expect(await readdir(dataDir)).toContain('node.json');
    expect(await readRunningNode(dataDir)).toBeUndefined();
    await expect(newLock().open()).resolves.toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('makes the folder for its owner only', async () => {
    dataDir = join(dataDir, 'new');
    await newLock().open();
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('is opened once by those who open it at once, and is free again when its note cannot be written', async () => {
    const lock = newLock();
    await Promise.all([lock.open(), lock.open()]);
    await lock.close();
    await mkdir(join(dataDir, 'node.json', 'in the way'), { recursive: true });
    await expect(newLock().open()).rejects.toThrow();
    await rm(join(dataDir, 'node.json'), { recursive: true });
    await newLock().open();
  });

  it('is not fooled by a note with the pid of a living process', async () => {
    await writeFile(join(dataDir, 'node.json'), JSON.stringify({ pid: process.ppid, startedAt: 1 }));
    await newLock().open();
    expect((await readRunningNode(dataDir))?.pid).toBe(process.pid);
  });

  it('keeps a second one out in the same process, too', async () => {
    await newLock().open();
    await expect(newLock().open()).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  });

  it('lets only one of many win', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => newLock().open()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('still keeps out when the note was lost or spoilt', async () => {
    await newLock().open();
    await writeFile(join(dataDir, 'node.json'), '{"pid": -1');
    await expect(newLock().open()).rejects.toMatchObject({ message: expect.stringContaining('another process') });
  });

  it('leaves the folder free and without a note when closed', async () => {
    const lock = newLock();
    await lock.open();
    await lock.close();
    await lock.close();
    expect(await readdir(dataDir)).toEqual(['node.lock']);
    await newLock().open();
  });

  it('makes the folder', async () => {
    dataDir = join(dataDir, 'new', 'folder');
    await newLock().open();
    expect(await readdir(dataDir)).toContain('node.json');
  });

  it('says so when the folder cannot be made', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(new DataDirLock(join(file, 'below')).open()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(join(file, 'below')),
    });
  });

  it.skipIf(process.platform === 'win32')('writes a note that only its owner can read', async () => {
    await newLock().open();
    const { mode } = await stat(join(dataDir, 'node.json'));
    expect(mode & 0o077).toBe(0);
  });
});

describe('readRunningNode', () => {
  it('finds the running node from another process, with its address', async () => {
    const child = await holder();
    expect(await readRunningNode(dataDir)).toEqual({
      pid: child.pid,
      url: 'http://127.0.0.1:7777',
      startedAt: expect.any(Number),
    });
  });

  it('finds the node of its own process without unlocking it', async () => {
    const lock = newLock();
    await lock.open();
    await lock.announce('http://127.0.0.1:7070');
    expect((await readRunningNode(dataDir))?.url).toBe('http://127.0.0.1:7070');
    const child = spawn(process.execPath, ['--input-type=module', '-e', probeScript()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [answer] = await once(child.stdout, 'data');
    expect(String(answer)).toBe('DATA_DIR_IN_USE');
  });

  it.skipIf(process.platform === 'win32')(
    'finds the token that opens its API, in a note for its owner only',
    async () => {
      const lock = newLock();
      await lock.open();
      await lock.announce('http://127.0.0.1:7070', 'a-token-of-this-run');
      expect((await readRunningNode(dataDir))?.token).toBe('a-token-of-this-run');
      expect((await stat(join(dataDir, 'node.json'))).mode & 0o777).toBe(0o600);
    },
  );

  it.each([
    ['file:///etc/passwd', 'a-token-of-this-run'],
    ['http://127.0.0.1:7070', 'short'],
  ])('believes no note with the address %s and the token %s', async (url, token) => {
    await newLock().open();
    await writeFile(join(dataDir, 'node.json'), JSON.stringify({ pid: 1, startedAt: 1, url, token }));
    expect(await readRunningNode(dataDir)).toBeUndefined();
  });

  it.each([
    ['there is no folder', 'nowhere'],
    ['the folder was never used', '.'],
  ])('finds none when %s', async (_, folder) => {
    expect(await readRunningNode(join(dataDir, folder))).toBeUndefined();
  });
});

/** Tries to lock from another process and prints the error's code. */
function probeScript(): string {
  const module = new URL('../../../../src-main/app/host/data-dir-lock.ts', import.meta.url).href;
  return `
    const { DataDirLock } = await import(${JSON.stringify(module)});
    const lock = new DataDirLock(${JSON.stringify(dataDir)});
    await lock.open().then(() => process.stdout.write('opened'), (error) => process.stdout.write(error.code));`;
}
