import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../app/config.ts';

/** Where the desktop window can come from, or why there can be none: the end of a sentence. */
export type Window = { electron: string } | { reason: string };

export interface WindowSurroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Electron does not start as root on Linux. */
  isRoot: boolean;
  /** Path of Electron's binary; fetched if need be, undefined where it cannot be had. */
  electron: () => Promise<string | undefined>;
  /** The desktop app's built entry; undefined where it was not built. */
  entry: string | undefined;
}

/** Milliseconds that fetching Electron's binary may take. */
const FETCH_MS = 600_000;

/** Looks for what a window needs, the cheapest first. */
export async function findWindow({ platform, env, isRoot, electron, entry }: WindowSurroundings): Promise<Window> {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { reason: 'there is no display' };
  if (platform === 'linux' && isRoot) return { reason: 'Electron does not run as root' };
  if (!entry) return { reason: 'the desktop app is not built (npm run build)' };
  const binary = await electron();
  return binary ? { electron: binary } : { reason: 'Electron’s program is not here and could not be fetched' };
}

/** What {@link findWindow} asks of this process. @param note says that Electron is being fetched */
export function windowSurroundings(note: (text: string) => void, signal: AbortSignal): WindowSurroundings {
  const entry = resolve(import.meta.dirname, '../../out/main/index.js');
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    electron: () => electronBinary(note, signal),
    entry: existsSync(entry) ? entry : undefined,
  };
}

/**
 * Runs the desktop app until it ends.
 * @returns its exit code
 */
export async function runWindow(electron: string, entry: string, config: Config, signal: AbortSignal): Promise<number> {
  const child = spawn(electron, [entry, '--data', config.dataDir], {
    stdio: 'inherit',
    env: { ...process.env, ...asEnvironment(config) },
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', stop);
  return code ?? 1;
}

/** What the command line may have set: the app reads it from its environment. */
function asEnvironment({ bootstrap, mesh, port, role, model }: Config): Record<string, string> {
  return {
    ...(bootstrap.length > 0 && { QUARRY_BOOTSTRAP: bootstrap.join(',') }),
    ...(mesh.name && { QUARRY_MESH_NAME: mesh.name }),
    ...(model && { QUARRY_MODEL: model }),
    QUARRY_PORT: String(port),
    QUARRY_ROLE: role,
  };
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
  await once(fetching, 'exit').catch(() => undefined);
  return found();
}

function electronPackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return undefined; // an installed `quarry` comes without it
  }
}
