import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DataDirLock } from '../../../../src-main/app/host/data-dir-lock.ts';
import { NodeList } from '../../../../src-main/app/host/node-list.ts';

let dir: string;
const closing: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-nodes-test-'));
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  await rm(dir, { recursive: true, force: true });
});

/** A list, and a node on a folder of its own that is on it. */
async function listed(name: string) {
  const nodes = new NodeList(join(dir, 'list'));
  const lock = new DataDirLock(join(dir, name));
  await lock.open();
  closing.push(lock);
  await nodes.add(join(dir, name));
  return { nodes, lock };
}

it('names the data folders of nodes that run, and forgets those that ended without a word', async () => {
  const { nodes } = await listed('a');
  const { lock } = await listed('b');
  expect(await nodes.running()).toEqual([join(dir, 'a'), join(dir, 'b')]);
  await lock.close(); // as when it is killed: nobody took it off the list
  expect(await nodes.running()).toEqual([join(dir, 'a')]);
  expect(await readdir(join(dir, 'list'))).toHaveLength(1);
  await nodes.remove(join(dir, 'a'));
  expect(await nodes.running()).toEqual([]);
});

it('takes nothing for a node that is none', async () => {
  const { nodes } = await listed('a');
  await writeFile(join(dir, 'list', 'ab'.repeat(8)), 'relative/path');
  await writeFile(join(dir, 'list', 'cd'.repeat(8)), join(dir, 'nowhere'));
  await writeFile(join(dir, 'list', 'README'), join(dir, 'a'));
  expect(await nodes.running()).toEqual([join(dir, 'a')]);
});

it.skipIf(process.platform === 'win32')('believes no folder that others may write to', async () => {
  const { nodes } = await listed('a');
  await chmod(join(dir, 'list'), 0o777);
  expect(await nodes.running()).toEqual([]);
});
