import { installedPath } from '../../base/installation.ts';

/** The built screens. */
export const RENDERER_FOLDER = installedPath('out', 'renderer');

/** The built preload script: CommonJS, as a sandboxed page wants it. */
export const PRELOAD_FILE = installedPath('out', 'preload', 'index.cjs');

/** An image of the app's icons. */
export function iconFile(name: string): string {
  return installedPath('resources', 'icons', name);
}
