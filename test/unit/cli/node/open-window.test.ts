import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  asEnvironment,
  electronRuns,
  findWindow,
  runWindow,
  type WindowSurroundings,
} from '../../../../src-main/cli/node/open-window.ts';
import { until } from '../../../support/until.ts';

const desk: WindowSurroundings = {
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isRoot: false,
  electron: async () => '/opt/electron',
  runs: async () => true,
  entry: '/app/out/main/index.js',
};

describe('where the window comes from', () => {
  it('opens one where there is a display and Electron', async () => {
    expect(await findWindow(desk)).toEqual({ electron: '/opt/electron' });
    expect(await findWindow({ ...desk, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toHaveProperty('electron');
    expect(await findWindow({ ...desk, platform: 'win32', env: {} })).toHaveProperty('electron');
  });

  it('fetches nothing where there is no display', async () => {
    const electron = vi.fn(async () => '/opt/electron');
    expect(await findWindow({ ...desk, env: {}, electron })).toEqual({ reason: 'there is no display' });
    expect(electron).not.toHaveBeenCalled();
  });

  it('says what is missing', async () => {
    const nothing = async () => undefined;
    expect(await findWindow({ ...desk, electron: nothing })).toMatchObject({
      reason: expect.stringMatching(/could not be fetched/),
    });
    expect(await findWindow({ ...desk, runs: async () => false })).toMatchObject({
      reason: expect.stringMatching(/ends at once/),
    });
    expect(await findWindow({ ...desk, entry: undefined })).toMatchObject({
      reason: expect.stringMatching(/npm run build/),
    });
    expect(await findWindow({ ...desk, isRoot: true })).toMatchObject({ reason: expect.stringMatching(/root/) });
  });
});

describe('what the window’s app is given', () => {
  it('is what the command line has set, and nothing that would stand above what is set in the app', () => {
    expect(asEnvironment({ dataDir: '/data' })).toEqual({});
    const flags = {
      configFile: 'q.toml',
      bootstrap: ['a:1', 'b:2'],
      'mesh.name': 'friends',
      port: 0,
      role: 'client',
      model: 'm',
      database: 'postgres://host/results',
    };
    expect(asEnvironment(flags)).toEqual({
      QUARRY_CONFIG: 'q.toml',
      QUARRY_BOOTSTRAP: 'a:1,b:2',
      QUARRY_MESH_NAME: 'friends',
      QUARRY_PORT: '0',
      QUARRY_ROLE: 'client',
      QUARRY_MODEL: 'm',
      QUARRY_DATABASE: 'postgres://host/results',
    });
  });
});

describe.skipIf(process.platform === 'win32')('the program of the window', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-window-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  const never = new AbortController().signal;

  /** A shell script that stands in for Electron's program. */
  async function program(script: string): Promise<string> {
    const path = join(folder, 'electron');
    await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  }

  const run = async (script: string, signal = never) =>
    await runWindow(
      { electron: await program(script), entry: '/app/index.js', dataDir: folder, flags: { port: 0 } },
      signal,
    );

  it('is given the app, its data folder and the options, and never told to be plain Node', async () => {
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
    const said = join(folder, 'said');
    await run(`echo "$@ $QUARRY_PORT \${ELECTRON_RUN_AS_NODE:-unset}" > '${said}'`);
    expect(await readFile(said, 'utf8')).toBe(`/app/index.js --data ${folder} 0 unset\n`);
  });

  it('ends this one with its own code', async () => {
    expect(await run('exit 3')).toBe(3);
  });

  it('is told to end by Ctrl+C, and waited for', async () => {
    const interrupt = new AbortController();
    const up = join(folder, 'up');
    const running = run(`trap 'exit 0' TERM; touch '${up}'; while :; do sleep 0.05; done`, interrupt.signal);
    await until(() => access(up));
    interrupt.abort();
    expect(await running).toBe(0);
  });

  it('is spoken of in a sentence when it crashes or does not start', async () => {
    await expect(run('kill -SEGV $$')).rejects.toMatchObject({ message: expect.stringContaining('SIGSEGV') });
    const missing = { electron: join(folder, 'none'), entry: 'x', dataDir: folder, flags: {} };
    await expect(runWindow(missing, never)).rejects.toMatchObject({
      message: 'The desktop app could not be started.',
      hint: expect.stringContaining('--headless'),
    });
  });

  it('counts as running where it tells its version', async () => {
    expect(await electronRuns(await program('[ "$1" = --version ]'), never)).toBe(true);
    expect(await electronRuns(await program('kill -TRAP $$'), never)).toBe(false);
    expect(await electronRuns(join(folder, 'none'), never)).toBe(false);
  });

  it('is not waited for after Ctrl+C', async () => {
    const interrupt = new AbortController();
    const trial = electronRuns(await program('exec sleep 60'), interrupt.signal);
    interrupt.abort();
    await expect(trial).rejects.toMatchObject({ name: 'AbortError' });
  });
});
