import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Beside the bundle, and from the sources. */
const PLACES = ['../renderer', '../../out/renderer'];

/** The folder of the built screens; undefined where they were not built. */
export function pagesFolder(): string | undefined {
  const folders = PLACES.map((place) => resolve(import.meta.dirname, place));
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
