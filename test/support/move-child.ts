import fs from 'node:fs';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { ModelLibrary } from '../../src-main/models/library/library.ts';
import { linkBetweenDrives } from './model-files.ts';

/*
 * A process that moves or imports models until it kills itself right before its Nth change of the file system:
 * `node move-child.ts N link|copy move|import FOLDER TINY PATH`. Ends by itself, with 0, when it makes fewer changes.
 */

flushCompileCache(); // who is killed does not do it at the end

const [, , number = '', how, task, folder = '', tinyPath = '', path = ''] = process.argv;
const CHANGES = ['rename', 'symlink', 'link', 'rm', 'rmdir', 'mkdir', 'open', 'utimes'] as const;
let left = Number(number);

for (const change of CHANGES) {
  const original: (...args: never[]) => Promise<unknown> = fs.promises[change];
  Object.assign(fs.promises, {
    [change]: (...args: never[]) => {
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    },
  });
}
syncBuiltinESMExports();

const library = new ModelLibrary({
  folder,
  tinyPath,
  now: () => 2,
  link: how === 'link' ? (existing, name) => fs.promises.link(existing, name) : linkBetweenDrives,
});
await library.open();
if (task === 'move') await library.moveTo(path);
else await library.import(path, 'new');
await library.close();
