import { join, resolve } from 'node:path';

/** Holds resources/ and out/: two folders up, from the sources as from the bundle. */
const root = resolve(import.meta.dirname, '../..');

/** The built screens. */
export const RENDERER_FOLDER = join(root, 'out', 'renderer');

/** The built preload script: CommonJS, as a sandboxed page wants it. */
export const PRELOAD_FILE = join(root, 'out', 'preload', 'index.cjs');

/** An image of the app's icons. */
export function iconFile(name: string): string {
  return join(root, 'resources', 'icons', name);
}
