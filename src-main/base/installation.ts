import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = fileURLToPath(import.meta.url);
const FROM_SOURCES = HERE.endsWith('.ts');
/** Holds package.json, resources/ and out/: two folders up, from the sources as from the bundle (out/main). */
const ROOT = resolve(dirname(HERE), '../..');

/** A file or folder that comes with Quarry, by its path from the top of the project or the package. */
export function installedPath(...parts: string[]): string {
  return resolve(ROOT, ...parts);
}

/** Whether Quarry's sources are here. A package and the desktop app come without, also where a checkout runs what it has built. */
export const isCheckout = (): boolean => existsSync(installedPath('src-main', 'cli.ts'));

/**
 * A module that runs in a process or a thread of its own. In a bundle all of them lie beside each other; electron.vite.config.ts
 * names them.
 * @param path from src-main, without the extension
 */
export function entryModule(path: string): URL {
  const file = FROM_SOURCES ? resolve(ROOT, 'src-main', `${path}.ts`) : resolve(dirname(HERE), `${basename(path)}.js`);
  return pathToFileURL(file);
}
