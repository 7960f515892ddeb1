import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerSandbox } from '../../src-main/sandbox/container-sandbox.ts';
import { sandboxContract } from '../support/sandbox-contract.ts';
import { type StandInEngine, standInEngine } from '../support/stand-in-docker.ts';
import { until } from '../support/until.ts';

/** They stand in for a container; a real engine is at hand nowhere. */
const hasPython = spawnSync('timeout', ['9', 'python3', '-c', '0']).status === 0;

let folder: string;
let engine: StandInEngine;
let sandbox: ContainerSandbox;
const image = 'python:3.13-slim';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-containers-'));
  engine = await standInEngine(folder, 'docker');
  sandbox = new ContainerSandbox({ engine: 'docker', image, most: 2 });
});
afterEach(async () => {
  await sandbox.close();
  expect(await engine.containers()).toEqual([]);
  engine.restorePath();
  await rm(folder, { recursive: true });
});

const printed = (stdout: string, stderr = '') => ({ outcome: 'ran', stdout, stderr, truncated: false });

describe.skipIf(!hasPython)('a program in a container', () => {
  sandboxContract((time) => new ContainerSandbox({ engine: 'docker', image, most: 1, ...time }));

  it('reads and prints, once for each input, and starts anew for each', async () => {
    const program =
      'import sys, os\nn = int(input())\nprint(n * 2, os.getcwd())\nprint(sys.stdin.read().split())\nsys.stdout.flush()\nos._exit(0)';
    expect(await sandbox.run(program, ['21\na b', '-5\nzwölf €'])).toEqual([
      printed("42 /tmp\n['a', 'b']\n"),
      printed("-10 /tmp\n['zwölf', '€']\n"),
    ]);
    expect(await sandbox.run('print(sum(map(int, open(0))))', ['1\n2\n', '3\n4'])).toEqual([
      printed('3\n'),
      printed('7\n'),
    ]);
    expect(await sandbox.run('import os; print(os.read(0, 9), __name__)', ['all'])).toEqual([
      printed("b'all' __main__\n"),
    ]);
  });

  it('fails with words, whatever code it ends with', async () => {
    expect(await sandbox.run('1 / 0', [''])).toEqual([
      printed('', expect.stringMatching(/program.py.*ZeroDivisionError/s)),
    ]);
    const codes = [0, 1, 125, 127];
    for (const code of codes)
      expect(await sandbox.run(`import sys\nprint("said", flush=True)\nsys.exit(${code})`, [''])).toEqual([
        printed('said\n'),
      ]);
    expect(await sandbox.run('import os\nos.kill(os.getpid(), 9)', ['', ''])).toMatchObject([{ outcome: 'died' }]);
    expect(await sandbox.run('import os\nos._exit(152)', [''])).toEqual([{ outcome: 'late' }]);
  });

  it('is heard up to a megabyte of each stream', async () => {
    const [ran] = await sandbox.run('import sys\nprint("x" * 10**7)\nprint("y" * 10**7, file=sys.stderr)', ['']);
    expect(ran).toEqual({ outcome: 'ran', stdout: 'x'.repeat(1e6), stderr: 'y'.repeat(1e6), truncated: true });
  });

  it('is removed when it takes too long', { tags: ['long', 'seldom'] }, async () => {
    const short = new ContainerSandbox({ engine: 'docker', image, runMs: 1 });
    expect(await short.run('import time\ntime.sleep(10**6)', ['', ''])).toEqual([{ outcome: 'late' }]);
    expect(await engine.containers()).toEqual([]);
    await short.close();
  });

  it('is removed when nobody wants it any more, and its place is the next one’s', async () => {
    const one = new ContainerSandbox({ engine: 'docker', image, most: 1 });
    await one.run('print(1)', ['']);
    const abort = new AbortController();
    const endless = one.run('while True: pass', [''], { signal: abort.signal });
    const next = one.run('print("next")', ['']);
    await until(async () => expect(await engine.containers()).toHaveLength(1));
    abort.abort(new Error('enough'));
    await expect(endless).rejects.toThrow('enough');
    expect(await next).toEqual([printed('next\n')]);
    const last = one.run('while True: pass', ['']);
    const ended = expect(last).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(async () => expect(await engine.containers()).toHaveLength(1));
    await one.close();
    await ended;
    expect(await engine.containers()).toEqual([]);
  });

  it('ends by itself when its validator is gone', { tags: ['long', 'seldom'] }, async () => {
    const module = JSON.stringify(new URL('../../src-main/sandbox/container-sandbox.ts', import.meta.url).href);
    const own = `import(${module}).then(({ ContainerSandbox }) =>
      new ContainerSandbox({ engine: 'docker', image: '${image}', runMs: 1_000 }).run('import time\\ntime.sleep(10**6)', ['']))`;
    const validator = spawn(process.execPath, ['-e', own], { stdio: 'ignore' });
    await until(async () => expect(await engine.runs()).toHaveLength(2));
    await until(async () => expect(await engine.containers()).toHaveLength(1));
    validator.kill('SIGKILL');
    await until(async () => expect(await engine.containers()).toEqual([]));
  });

  it('is walled in, and no word of it stands in a command', async () => {
    await sandbox.run('print("a very long word")', ['another word']);
    const calls = await engine.runs();
    expect(calls).toHaveLength(2); // whether the image works, and the program
    for (const args of calls) {
      const line = args.join(' ');
      for (const wall of [
        '--rm --interactive --name quarry-sandbox-',
        '--pull never --read-only',
        '--network none --ipc none --tmpfs /tmp:rw,noexec,nosuid,nodev,size=64m',
        '--memory 512m --memory-swap 512m --cpus 1 --pids-limit 64',
        '--cap-drop ALL --security-opt no-new-privileges --user 65534:65534 --ulimit core=0:0 --log-driver none',
        '--ulimit nofile=64:64 --ulimit cpu=10:11',
        `--entrypoint timeout sha256:${'ab'.repeat(32)} -s KILL 20 python3`,
      ])
        expect(line).toContain(wall);
      expect(line).not.toMatch(/another word|very long word|--volume|--mount|--privileged|docker\.sock/);
    }
  });
});

describe('an engine', () => {
  it('that is not there, does not answer or lacks the image is told with what to do', async () => {
    engine.restorePath();
    const missing = new ContainerSandbox({ engine: 'podman', image });
    await expect(missing.run('print(1)', [''])).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    engine = await standInEngine(folder, 'docker');
    await engine.set({ down: true });
    await expect(sandbox.run('print(1)', [''])).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringMatching(/docker does not answer \(Cannot connect/),
    });
    await engine.set({ images: [] });
    await expect(sandbox.run('print(1)', [''])).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      hint: 'Fetch it: `docker pull python:3.13-slim`. Quarry fetches none.',
    });
    expect(await engine.runs()).toEqual([]);
  });

  it.skipIf(!hasPython)('that works again works, and one that fails later is no fault of the program', async () => {
    await engine.set({ down: true });
    await expect(sandbox.run('print(1)', [''])).rejects.toThrow(/does not answer/);
    await engine.set({});
    expect(await sandbox.run('print(1)', [''])).toEqual([printed('1\n')]);
    await engine.set({ down: true });
    await expect(sandbox.run('print(1)', [''])).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });
});
