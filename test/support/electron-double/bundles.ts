import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'test/fixtures/desktop-page');

/**
 * The built app (`out/`) with a small page in place of the screens, laid out as in an installation.
 * @param name of this copy, one for each test file
 * @returns the folder for {@link LaunchOptions.bundles}, and how to remove it
 */
export async function bundlesWithFixturePage(name: string): Promise<{ bundles: string; remove(): Promise<void> }> {
  // Within node_modules, so that the bundles find the packages.
  const root = join(ROOT, 'node_modules/.cache/quarry-desktop', name);
  const bundles = join(root, 'out');
  await rm(root, { recursive: true, force: true });
  await mkdir(bundles, { recursive: true });
  for (const folder of ['resources', 'models']) await symlink(join(ROOT, folder), join(root, folder), 'dir');
  for (const folder of ['main', 'preload'])
    await cp(join(ROOT, 'out', folder), join(bundles, folder), { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    root: PAGE,
    base: './',
    build: { outDir: join(bundles, 'renderer'), emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false },
  });
  return { bundles, remove: () => rm(root, { recursive: true, force: true }) };
}
