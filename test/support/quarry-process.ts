import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isBuilt } from '../../scripts/build-app.ts';
import { TEST_MESH } from './mesh-name.ts';
import { PATIENCE_MS } from './patience.ts';

const SOURCES = resolve(import.meta.dirname, '../../src-main/cli.ts');
const BUILT = resolve(import.meta.dirname, '../../out/main/cli.js');
let isFresh: boolean | undefined;

/**
 * What was built starts in half the time, and there are hundreds of starts: the end-to-end tests build first. A test that is run alone after a change need not wait for it. By
 * its sources where a test changes a module of them before the start. To look whether it is fresh takes a moment: only who starts it looks.
 */
function programFor(env: Record<string, string>): string {
  if ('NODE_OPTIONS' in env) return SOURCES;
  isFresh ??= isBuilt();
  return isFresh ? BUILT : SOURCES;
}

/** Other tests may need all of this computer: nodes work all the same. */
export const TEST_SETTINGS = {
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  QUARRY_VECTORS: undefined,
  /** Who has btcli on this computer has set something else. */
  BTCLI_CONFIG_PATH: '/nowhere/config.yml',
  QUARRY_THREADS: '1',
  QUARRY_MESH_NAME: TEST_MESH.name,
  QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
  /** A test that ends a node has had what it wanted of it. */
  QUARRY_DRAIN_SECONDS: '0',
  NODE_OPTIONS: before('quick-children.ts'),
};

/** Makes the engine of a `quarry` process slow: `slow-engine.ts`. */
export const SLOW_ENGINE = { NODE_OPTIONS: before('quick-children.ts', 'slow-engine.ts') };

/** Modules of this folder that go before a program. */
function before(...modules: string[]): string {
  return modules.map((name) => `--import=${new URL(name, import.meta.url).href}`).join(' ');
}

/** A `quarry` process of its own, as a user would start it. */
export class QuarryProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  #wake = Promise.withResolvers<void>();

  /** @param cli the program. Default: that of this checkout */
  constructor(args: string[], env: Record<string, string> = {}, cli = programFor(env)) {
    this.child = spawn(process.execPath, [cli, ...args], {
      env: { ...process.env, ...TEST_SETTINGS, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (data) => this.#take('stdout', data));
    this.child.stderr?.on('data', (data) => this.#take('stderr', data));
    this.child.on('close', () => this.#wake.resolve());
  }

  #take(stream: 'stdout' | 'stderr', data: Buffer): void {
    this[stream] += data;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until standard output matches; fails with everything that was printed when the process ends first. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      if (!this.running) throw this.#failure(`ended before ${pattern}`);
      await this.#wake.promise;
    }
  }

  /** The exit code, once it has ended and everything it printed has arrived. */
  async ended(): Promise<number | null> {
    if (this.running || !this.child.stdout?.closed) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** Asks it to end (or kills it) and waits; fails with everything that was printed when it does not end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    let isStuck = false;
    const patience = setTimeout(() => {
      isStuck = this.child.kill('SIGKILL');
    }, PATIENCE_MS);
    if (this.running) this.child.kill(signal);
    await this.ended();
    clearTimeout(patience);
    if (isStuck) throw this.#failure(`did not end by ${signal}`);
  }

  #failure(what: string): Error {
    return new Error(`${what}\n--- stdout\n${this.stdout}\n--- stderr\n${this.stderr}`);
  }
}

/** Runs a command to its end. */
export async function quarry(args: string[], env?: Record<string, string>): Promise<QuarryProcess> {
  const command = new QuarryProcess(args, env);
  await command.ended();
  return command;
}

/** The token by which programs of its owner's account use a node. @param dataDir of a node that was opened */
export async function ownToken(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'local.token'), 'utf8')).trim();
}

/** A folder for one test's data, removed by `remove`. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'quarry-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
