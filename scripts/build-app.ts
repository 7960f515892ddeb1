/**
 * Builds the app (`out/`) unless it is newer than every source: `npm start` and the end-to-end tests want it fresh.
 * Usage: node scripts/build-app.ts [--anew]
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'build/trainer-page.ts',
  'package-lock.json',
];
const STAMP = join(root, 'out', 'built');

/** Whether what is built is newer than every source. */
export function isBuilt(): boolean {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((source) => newest(join(root, source)) < built);
}

/** Builds if need be. @param anew in any case @throws when the build fails, with what it printed */
export function buildApp(anew = false): void {
  if (!anew && isBuilt()) return;
  const startedAt = new Date();
  process.stderr.write('Building Quarry …\n');
  const packageFile = createRequire(import.meta.url).resolve('electron-vite/package.json');
  const command = join(dirname(packageFile), 'bin', 'electron-vite.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'build', '--logLevel', 'error'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The build failed.\n${stdout}${stderr}`);
  writeFileSync(STAMP, `${startedAt.toISOString()}\n`);
}

/** When a file, or the newest below a folder, was changed; Unix milliseconds. */
function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (import.meta.main) buildApp(process.argv.includes('--anew'));
