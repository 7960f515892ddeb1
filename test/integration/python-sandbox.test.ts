import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { type ChildExit, nodeSpawner, type ProcessSpawner } from '../../src-main/process/process-spawner.ts';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { sandboxContract } from '../support/sandbox-contract.ts';

let sandbox: PythonSandbox;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-sandbox-'));
  sandbox = new PythonSandbox({ folder, runMs: 4_000 });
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Each program is a process that takes seconds to start. */
const LONG = { tags: ['long', 'seldom'] };

/** Its processes give way to all others: who is to end by himself has the time that a busy machine needs. */
const PATIENT = { time: { runMs: PATIENCE_MS, programMs: PATIENCE_MS } };
const run = (program: string, ...inputs: string[]) => sandbox.run(program, inputs.length > 0 ? inputs : [''], PATIENT);
const printed = (stdout: string, stderr = '') => ({ outcome: 'ran', stdout, stderr, truncated: false });

describe('a program', () => {
  sandboxContract((time) => new PythonSandbox({ folder, warm: 0, ...time }));

  it('reads and prints, once for each input', async () => {
    const program = 'import sys\nn = int(input())\nprint(n * 2)\nprint(sys.stdin.read().split())';
    const runs = await run(program, '21\na b', '1\n', '-5\nzwölf €');
    expect(runs).toEqual([printed("42\n['a', 'b']\n"), printed('2\n[]\n'), printed("-10\n['zwölf', '€']\n")]);
  });

  it('works as elsewhere', LONG, async () => {
    const programs: [string, string, string][] = [
      ['print(sum(int(x) for x in open(0)))', '1\n2\n3\n', '6\n'],
      ['import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])', 'abc', 'cba'],
      [
        'import math, re, itertools, collections, heapq, decimal; print(math.comb(5, 2), __name__)',
        '',
        '10 __main__\n',
      ],
      ['import sys\nprint(1)\nsys.exit(0)\nprint(2)', '', '1\n'],
      ['def f(n):\n    return 1 if n == 0 else n * f(n - 1)\nprint(f(20))', '', '2432902008176640000\n'],
    ];
    for (const [program, stdin, stdout] of programs) expect(await run(program, stdin)).toEqual([printed(stdout)]);
  });

  it('fails with words', LONG, async () => {
    const programs: [string, RegExp][] = [
      ['1 / 0', /ZeroDivisionError/],
      ['print(', /SyntaxError/],
      ['raise SystemExit("no")', /^no\n$/],
      ['input()', /EOFError/],
      ['def f(): f()\nf()', /RecursionError/],
      ['import numpy', /ModuleNotFoundError/],
    ];
    for (const [program, words] of programs)
      expect(await run(program)).toEqual([{ ...printed(''), stderr: expect.stringMatching(words) }]);
  });

  it('finds each input as the one before it was found', LONG, async () => {
    const programs: [string, string[]][] = [
      ['print(sum(int(x) for x in open(0)))', ['3\n', '7\n']],
      ['import sys\nsys.stdin = open(0)\nprint(sum(map(int, sys.stdin)))', ['3\n', '7\n']],
      ['import sys, os\nprint(sum(map(int, sys.stdin)))\nsys.stdout.flush()\nos._exit(0)', ['3\n', '7\n']],
      ['import atexit\natexit.register(lambda: print(total))\ntotal = sum(int(x) for x in open(0))', ['3\n', '7\n']],
      [
        'import __main__\ntry: print(before)\nexcept NameError: before = sum(int(x) for x in open(0))\nprint(__main__.before)',
        ['3\n', '7\n'],
      ],
      [
        'import sys\ndata = sys.stdin.read()\nsys.stdin.close()\nprint(sum(map(int, data.split())))\nsys.stdout.close()',
        ['3\n', '7\n'],
      ],
    ];
    for (const [program, printedOf] of programs)
      expect(await run(program, '1\n2\n', '3\n4\n')).toEqual(printedOf.map((stdout) => printed(stdout)));
  });

  it('leaves nothing behind for the next one', async () => {
    await run('import builtins\nbuiltins.print = None\nopen("/tmp/left", "w").write("here")');
    expect(await run('import os\nprint(os.path.exists("/tmp/left"))')).toEqual([printed('False\n')]);
  });
});

it('a program that never ends is ended, one that starts another gets none, and the next one runs', async () => {
  expect(await sandbox.run('while True: pass', [''])).toEqual([{ outcome: 'late' }]);
  expect(JSON.stringify(await run('import os\nprint("got:", os.system("id"))'))).not.toMatch(/uid=/);
  expect(await run('print("still here")')).toEqual([printed('still here\n')]);
});

it('a program that prints more is heard up to a megabyte of each stream', LONG, async () => {
  const program =
    'import sys\nfor _ in range(300):\n    print("x" * 10_000)\n    print("y" * 10_000, file=sys.stderr)\nprint("ü" * 10**6)';
  const [ran] = await run(program);
  expect(ran).toMatchObject({ outcome: 'ran', truncated: true });
  if (ran?.outcome !== 'ran') throw new Error('it did not run');
  expect([ran.stdout.length, ran.stderr.length]).toEqual([1_000_000, 1_000_000]);
});

it('the same program prints the same each time', LONG, async () => {
  const program = 'import random\nprint(random.random(), list({"a", "b", "c", "d", "e"}), hash("x"))';
  const [[first, second], [third]] = [await run(program, '', ''), await run(program)];
  expect(second).toEqual(first);
  expect(third).toEqual(first);
});

describe('many programs at once', () => {
  it('have as many processes as are allowed, in the order in which they came', async () => {
    let [now, most] = [0, 0];
    const spawner: ProcessSpawner = {
      spawn(launch, listeners) {
        most = Math.max(most, ++now);
        const onExit = (exit: ChildExit) => {
          now--;
          listeners.onExit(exit);
        };
        return nodeSpawner.spawn(launch, { ...listeners, onExit });
      },
    };
    const own = new PythonSandbox({ folder, spawner, most: 2, warm: 1 });
    const ended: number[] = [];
    const runOf = async (number: number) => {
      const program = 'import sys\nx = sum(range(10**5))\nprint(input())';
      expect(await own.run(program, [String(number)], PATIENT)).toEqual([printed(`${number}\n`)]);
      ended.push(number);
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(runOf));
    expect(most).toBeLessThanOrEqual(3); // two that run, one that waits
    // Of those before it at most one still runs: that one may take as long as it likes.
    for (const [place, number] of ended.entries()) expect(place).toBeGreaterThanOrEqual(number - 1);
    await own.close();
    expect(now).toBe(0);
  });

  it('one that nobody wants any more leaves its place to the next, be it running or waiting', async () => {
    const own = new PythonSandbox({ folder, most: 1, warm: 0, runMs: 60_000 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const endless = own.run('while True: pass', [''], { signal: running.signal });
    const queued = own.run('print("never")', [''], { signal: waiting.signal });
    const next = own.run('print("next")', ['']);
    const ends = [
      expect(endless).rejects.toThrow('enough of the first'),
      expect(queued).rejects.toThrow('enough of the second'),
    ];
    waiting.abort(new Error('enough of the second'));
    running.abort(new Error('enough of the first'));
    await Promise.all(ends);
    expect(await next).toEqual([printed('next\n')]);
    await own.close();
  });
});

it('a process that ends while it waits for a program is replaced', LONG, async () => {
  const [ready, gone] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  let started = 0;
  const spawner: ProcessSpawner = {
    spawn(launch, listeners) {
      const isSecond = ++started === 2;
      const child = nodeSpawner.spawn(launch, {
        ...listeners,
        onMessage(message) {
          listeners.onMessage(message);
          if (isSecond) ready.resolve(child.pid as number);
        },
        onExit(exit) {
          listeners.onExit(exit);
          if (isSecond) gone.resolve();
        },
      });
      return child;
    },
  };
  const own = new PythonSandbox({ spawner });
  expect(await own.run('print(1)', [''], PATIENT)).toEqual([printed('1\n')]);
  process.kill(await ready.promise, 'SIGKILL');
  await gone.promise;
  expect(await own.run('print(2)', [''], PATIENT)).toEqual([printed('2\n')]);
  await own.close();
});

describe('the memory of an interpreter that has started', () => {
  const kept = async (where: string) => await readdir(where);

  it('is kept for the next start, and made anew where it is damaged or of another version', LONG, async () => {
    const where = await mkdtemp(join(tmpdir(), 'quarry-snapshot-'));
    const runOnce = async () => {
      const own = new PythonSandbox({ folder: join(where, 'sandbox'), warm: 0 });
      expect(await own.run('print(1)', [''], PATIENT)).toEqual([printed('1\n')]);
      await own.close();
    };
    await runOnce();
    const [name = '', ...others] = await kept(join(where, 'sandbox'));
    expect(others).toEqual([]);
    const path = join(where, 'sandbox', name);
    const { mtimeMs } = await stat(path);
    await runOnce();
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);

    await truncate(path, 1_000);
    await writeFile(join(where, 'sandbox', `python-${'0'.repeat(16)}-${'0'.repeat(64)}.snapshot`), 'old');
    await writeFile(join(where, 'sandbox', 'making-0'), 'begun');
    await runOnce();
    expect(await kept(join(where, 'sandbox'))).toHaveLength(1);
    expect((await stat(path).catch(ifMissing))?.size ?? 0).not.toBe(1_000);
    await rm(where, { recursive: true });
  });

  it('is done without where there is no place for it', LONG, async () => {
    const own = new PythonSandbox({ folder: join(folder, 'a file', 'below it'), warm: 0 });
    await writeFile(join(folder, 'a file'), '');
    expect(await own.run('print(1)', [''], PATIENT)).toEqual([printed('1\n')]);
    await own.close();
  });
});

it('ends a program whose validator has no time for it any more, and all of them when it is closed', async () => {
  const abort = new AbortController();
  const running = sandbox.run('while True: pass', [''], { signal: abort.signal });
  const reason = new Error('enough');
  setImmediate(() => abort.abort(reason));
  await expect(running).rejects.toBe(reason);
  const own = new PythonSandbox({ folder, runMs: 60_000 });
  const endless = own.run('while True: pass', ['']);
  const ended = expect(endless).rejects.toMatchObject({ code: 'CANCELLED' });
  await own.close();
  await ended;
  await expect(own.run('print(1)', [''])).rejects.toMatchObject({ code: 'CANCELLED' });
  await own.close();
});
