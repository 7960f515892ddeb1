import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChildExit, Launch, ProcessSpawner, SpawnedChild } from '../../src-main/process/process-spawner.ts';
import { isRunning } from './engine.ts';

export const OBEDIENT_CHILD = new URL('../fixtures/obedient-child.ts', import.meta.url);

/** What a system, Node or the spawner itself may add to an environment, none of it from the parent's. */
const ADDED = ['__CF_USER_TEXT_ENCODING', 'QUARRY_CHILD'];

interface Started {
  child: SpawnedChild;
  messages: unknown[];
  stderr: () => string;
  exit: Promise<ChildExit>;
  /** How often its end was told. */
  exits: () => number;
}

type Start = (launch?: Partial<Launch>) => Started;

/** Ways of starting the obedient child. */
const WAYS = [
  ['a module', (launch: Partial<Launch>) => launch],
  ['a program', line],
] as const;

function line(program: Partial<Launch>): Partial<Launch> {
  return {
    run: process.execPath,
    ...program,
    args: [fileURLToPath(OBEDIENT_CHILD), '--lines', ...(program.args ?? [])],
  };
}

/** Starts children for the tests of a `describe`, and ends them after each. */
function starter(spawner: ProcessSpawner): Start {
  const running: Started[] = [];
  afterEach(async () => {
    for (const { child } of running) child.kill();
    await Promise.all(running.splice(0).map(({ exit }) => exit));
  });
  return (launch = {}) => {
    const messages: unknown[] = [];
    let stderr = '';
    let exits = 0;
    const { promise: exit, resolve } = Promise.withResolvers<ChildExit>();
    const child = spawner.spawn(
      { name: 'the obedient child', run: OBEDIENT_CHILD, env: {}, ...launch },
      {
        onMessage: (message) => messages.push(message),
        onStderr: (text) => {
          stderr += text;
        },
        onExit: (how) => {
          exits++;
          resolve(how);
        },
      },
    );
    const started = { child, messages, stderr: () => stderr, exit, exits: () => exits };
    running.push(started);
    return started;
  };
}

/** What a {@link ProcessSpawner} keeps to whether or not there is a process behind it: doubles too. */
export function handleContract(name: string, spawner: ProcessSpawner): void {
  describe(`what ${name} gives for a child`, () => {
    const start = starter(spawner);

    for (const [what, as] of WAYS) {
      it(`ends it before it has begun, and tells so once (${what})`, async () => {
        const { child, exit, exits } = start(as({}));
        child.kill();
        child.kill();
        await exit;
        child.kill();
        await new Promise(setImmediate);
        expect(exits()).toBe(1);
      });

      it(`loses what is sent to one that is gone (${what})`, async () => {
        const { child, exit, messages } = start(as({}));
        child.kill();
        await exit;
        expect(() => child.send({ order: 'echo', value: 1 })).not.toThrow();
        expect(() => child.kill()).not.toThrow();
        expect(messages).toEqual([]);
      });
    }

    it('tells nothing from within spawn or kill', async () => {
      const heard: string[] = [];
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      const child = spawner.spawn(
        { name: 'nothing', run: '/no/such/program', env: {} },
        {
          onMessage: () => heard.push('message'),
          onStderr: () => heard.push('stderr'),
          onExit: () => {
            heard.push('exit');
            resolve();
          },
        },
      );
      expect(heard).toEqual([]);
      child.kill();
      expect(heard).toEqual([]);
      await gone;
    });
  });
}

export interface Abilities {
  /** Whether it tells by which signal a child ended. */
  signals: boolean;
  /** Whether what a module has started ends with it; with a program it always does. */
  moduleTrees: boolean;
}

/** Windows does not say any more what a process has started that ended by itself. */
const ENDS = process.platform === 'win32' ? ['is ended'] : ['is ended', 'ends by itself'];

function leavesNothing(start: Start, as: (launch: Partial<Launch>) => Partial<Launch>): void {
  it.each(ENDS)('leaves nothing that it has started when it %s, however deaf that is', async (how) => {
    const { child, messages, exit } = start(as({}));
    child.send({ order: 'breed' });
    await expect.poll(() => messages).toEqual([expect.any(Number)]);
    const [grandchild] = messages as [number];
    expect(isRunning(grandchild)).toBe(true);
    if (how === 'is ended') child.kill();
    else child.send({ order: 'exit', value: 0 });
    await exit;
    await expect.poll(() => isRunning(grandchild)).toBe(false);
  });
}

/** What every {@link ProcessSpawner} keeps to that starts processes. */
export function spawnerContract(name: string, spawner: ProcessSpawner, { signals, moduleTrees }: Abilities): void {
  handleContract(name, spawner);

  describe(`${name} as a spawner`, () => {
    const start = starter(spawner);

    for (const [what, as] of WAYS) {
      describe(`that starts ${what}`, () => {
        it('gives it its arguments and its folder', async () => {
          const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-spawn-')));
          const { child, messages } = start(as({ args: ['--flag', 'two words'], cwd }));
          child.send({ order: 'tell' });
          await expect.poll(() => messages).toHaveLength(1);
          expect(messages[0]).toMatchObject({ cwd });
          expect((messages[0] as { args: string[] }).args.slice(-2)).toEqual(['--flag', 'two words']);
        });

        it('gives it the environment that it is told to and nothing else, be it empty', async () => {
          vi.stubEnv('QUARRY_TEST_SECRET', 'a secret of the parent');
          const some = start(as({ env: { GIVEN: 'yes' } }));
          const none = start(as({ env: {} }));
          vi.unstubAllEnvs();
          for (const { child } of [some, none]) child.send({ order: 'tell' });
          await expect.poll(() => [some, none].flatMap(({ messages }) => messages)).toHaveLength(2);
          const names = ({ messages }: Started) =>
            Object.keys((messages[0] as { env: object }).env).filter((variable) => !ADDED.includes(variable));
          expect(names(some)).toEqual(['GIVEN']);
          expect(names(none)).toEqual([]);
        });

        it('carries messages both ways, in order', async () => {
          const { child, messages } = start(as({}));
          const values = [{ n: 1 }, 'two', [3], { text: 'ü\n✓'.repeat(40_000) }];
          let taken = 0;
          for (const value of values) child.send({ order: 'echo', value }, () => taken++);
          await expect.poll(() => messages.length).toBe(values.length);
          expect(taken).toBe(values.length);
          expect(messages).toEqual(values);
        });

        it('tells what it wrote to its standard error, and its exit code', async () => {
          const { child, stderr, exit } = start(as({}));
          child.send({ order: 'cry', value: 'last words\n' });
          child.send({ order: 'exit', value: 7 });
          expect(await exit).toEqual({ code: 7, signal: null });
          expect(stderr()).toContain('last words');
        });

        it('ends it at once, however deaf it is', async () => {
          const { child, messages, exit } = start(as({}));
          child.send({ order: 'hang' });
          await expect.poll(() => messages).toEqual(['hanging']);
          child.send({ order: 'work' });
          const { pid } = child;
          child.kill();
          const { signal } = await exit;
          if (signals) expect(signal).toBe('SIGKILL');
          expect(isRunning(pid as number)).toBe(false);
        });

        if (moduleTrees || what === 'a program') leavesNothing(start, as);
      });
    }

    it('tells of a module that is not there as of one that died', async () => {
      const { exit } = start({ run: new URL('file:///no/such/module.ts') });
      expect((await exit).code).not.toBe(0);
    });

    it('tells of a program that is not there', async () => {
      const { child, exit } = start({ run: '/no/such/program' });
      expect(await exit).toEqual({ code: null, signal: null });
      expect(child.pid).toBeUndefined();
    });

    it('ends a module that takes more heap than it may', async () => {
      const { child, exit, stderr } = start({ limits: { heapMiB: 32 } });
      child.send({ order: 'hoard' });
      expect(await exit).not.toEqual({ code: 0, signal: null });
      expect(stderr()).toMatch(/heap/);
    });
  });
}
