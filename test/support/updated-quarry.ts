import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SCREENS = join('out', 'renderer');
/** What a hash of content looks like in the name of a file that the build writes. The bundler's own part is the same in every version. */
const HASHED = /(?<!rolldown-runtime)-[\w-]{8}\.(js|css)\b/g;

/** An installation beside this checkout. */
export interface UpdatedQuarry extends AsyncDisposable {
  cli: string;
}

/**
 * Quarry as it stands after an update: the same sources, and screens of which every file of ours has another name, as when all
 * of them were changed. `<html data-updated>` tells them from those of this checkout, which have to be built.
 */
export async function updatedQuarry(): Promise<UpdatedQuarry> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-updated-'));
  const copied = ['src-main', 'src-preload', 'models', 'resources', 'package.json'];
  await Promise.all(copied.map((path) => cp(join(ROOT, path), join(folder, path), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await renameScreens(join(folder, SCREENS));
  return {
    cli: join(folder, 'src-main', 'cli.ts'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function renameScreens(target: string): Promise<void> {
  await mkdir(join(target, 'assets'), { recursive: true });
  const source = join(ROOT, SCREENS);
  const html = renamed(await readFile(join(source, 'index.html'), 'utf8'));
  await writeFile(join(target, 'index.html'), html.replace('<html', '<html data-updated'));
  for (const name of await readdir(join(source, 'assets'))) {
    const kind = extname(name);
    if (kind === '.br') continue; // the files themselves are as good
    const from = join(source, 'assets', name);
    const to = join(target, 'assets', renamed(name));
    if (kind === '.js' || kind === '.css') await writeFile(to, renamed(await readFile(from, 'utf8')));
    else await cp(from, to);
  }
}

function renamed(text: string): string {
  return text.replace(HASHED, (name, kind) => name.replace(`.${kind}`, `-updated.${kind}`));
}
