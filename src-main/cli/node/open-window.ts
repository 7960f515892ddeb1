import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { installedPath } from '../../base/installation.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { ConfigSources } from '../../settings/config.ts';
import { SETTINGS } from '../../settings/config-settings.ts';

type CommandLine = NonNullable<ConfigSources['flags']>;

/** Where the desktop window can come from, or why there can be none: the end of a sentence. */
export type Window = { electron: string } | { reason: string };

export interface WindowSurroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Electron does not start as root on Linux. */
  isRoot: boolean;
  /** Path of Electron's binary; fetched if need be, undefined where it cannot be had. */
  electron: () => Promise<string | undefined>;
  /** Whether that binary runs here: without its libraries, a display that answers or a sandbox it dies at once. */
  runs: (electron: string) => Promise<boolean>;
  /** The desktop app's built entry; undefined where it was not built. */
  entry: string | undefined;
}

/** Milliseconds that fetching Electron's binary may take. */
const FETCH_MS = 600_000;
/** Milliseconds that Electron may take to tell its version. */
const TRIAL_MS = 30_000;

/** Looks for what a window needs, the cheapest first. */
export async function findWindow(surroundings: WindowSurroundings): Promise<Window> {
  const { platform, env, isRoot, electron, entry, runs } = surroundings;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { reason: 'there is no display' };
  if (platform === 'linux' && isRoot) return { reason: 'Electron does not run as root' };
  if (!entry) return { reason: 'the desktop app is not built (npm run build)' };
  const binary = await electron();
  if (!binary) return { reason: 'Electron’s program is not here and could not be fetched' };
  return (await runs(binary)) ? { electron: binary } : { reason: 'Electron’s program ends at once on this system' };
}

/** What {@link findWindow} asks of this process. @param note says that Electron is being fetched */
export function windowSurroundings(note: (text: string) => void, signal: AbortSignal): WindowSurroundings {
  const entry = installedPath('out', 'main', 'index.js');
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    electron: () => electronBinary(note, signal),
    runs: (electron) => electronRuns(electron, signal),
    entry: existsSync(entry) ? entry : undefined,
  };
}

export interface WindowRun {
  /** Path of Electron's binary. */
  electron: string;
  /** The desktop app's built entry. */
  entry: string;
  dataDir: string;
  /** What the command line has set. */
  flags: CommandLine;
}

/**
 * Runs the desktop app until it ends.
 * @returns its exit code
 * @throws INTERNAL when it cannot be started, or is ended from outside
 */
export async function runWindow({ electron, entry, dataDir, flags }: WindowRun, signal: AbortSignal): Promise<number> {
  const env = { ...electronEnvironment(), ...asEnvironment(flags) };
  const child = spawn(electron, [entry, '--data', dataDir], { stdio: 'inherit', env });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (signal.aborted) return code ?? 130;
    if (code === null) throw windowGone(`was ended by ${killedBy}`);
    return code;
  } catch (error) {
    throw error instanceof QuarryError ? error : windowGone('could not be started', error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function windowGone(what: string, cause?: unknown): QuarryError {
  const hint = 'Start it again, or with --headless: the screens are then in the browser.';
  return new QuarryError({ code: 'INTERNAL', message: `The desktop app ${what}.`, hint }, { cause });
}

/**
 * What the command line has set, as the app reads it from its environment. Nothing else may be there: it would stand above
 * what is set in the app, which nobody could change any more.
 */
export function asEnvironment(flags: CommandLine): Record<string, string> {
  const { configFile, dataDir: _, ...settings } = flags; // the data folder is told as an option
  const values: Readonly<Record<string, unknown>> = settings;
  const given = [
    ['QUARRY_CONFIG', configFile],
    ...SETTINGS.map(({ path, variable }) => [variable, values[path]] as const),
  ] as const;
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** Ours, but for what would turn Electron into plain Node; editors built on Electron leave that to their terminals. */
function electronEnvironment(): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return env;
}

/** Asks Electron for its version: it starts for that as it does for a window. @throws AbortError when the signal aborts */
export async function electronRuns(electron: string, signal: AbortSignal): Promise<boolean> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TRIAL_MS)]);
  const env = electronEnvironment();
  const trial = spawn(electron, ['--version'], { stdio: 'ignore', env, signal: patience, killSignal: 'SIGKILL' });
  const [code] = (await once(trial, 'exit').catch(ignoring('it cannot be started'))) ?? [];
  signal.throwIfAborted();
  return code === 0;
}

/** Electron's npm package fetches its program at the first start, not when it is installed. */
async function electronBinary(note: (text: string) => void, signal: AbortSignal): Promise<string | undefined> {
  const folder = electronPackage();
  if (!folder) return undefined;
  const found = () => {
    const name = join(folder, 'path.txt');
    const path = existsSync(name) ? join(folder, 'dist', readFileSync(name, 'utf8').trim()) : undefined;
    return path && existsSync(path) ? path : undefined;
  };
  const here = found();
  if (here) return here;
  note('Fetching Electron, once …');
  const patience = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
  const fetching = spawn(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', signal: patience });
  await once(fetching, 'exit').catch(ignoring('whether it is there is looked up below'));
  signal.throwIfAborted();
  return found();
}

function electronPackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return undefined; // an installed `quarry` comes without it
  }
}
