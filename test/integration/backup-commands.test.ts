import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataDirLock } from '../../src-main/app/host/data-dir-lock.ts';
import { createBackup, stageBackup } from '../../src-main/backup/backup.ts';
import { decideRestore, discardStaged, finishRestore, readCatchUp } from '../../src-main/backup/restore.ts';
import { type Identity, loadOrCreateIdentity, readIdentity } from '../../src-main/mesh/transport/identity.ts';
import { testIdentity } from '../support/credit-nodes.ts';
import { quarry, temporaryFolder } from '../support/quarry-process.ts';
import { openScoreNode, type ScoreNode } from '../support/score-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const CHEAP = { kdf: { passes: 1, memoryMiB: 8 } };
const PASSWORD = 'a long enough one';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let testnet: Testnet;
let identity: Identity;
const data = (name: string) => join(folder.path, name);
const file = () => data('node.quarry-backup');

async function openNode(name: string, more: { catchUpSince?: number } = {}): Promise<ScoreNode> {
  const identity = await loadOrCreateIdentity(data(name));
  return await openScoreNode({ bootstrap: testnet.bootstrap, identity, dir: data(name), ...more });
}

/** A node with three receipts, and a backup of it. */
beforeAll(async () => {
  [folder, testnet] = await Promise.all([temporaryFolder(), openTestnet()]);
  const node = await openNode('a');
  identity = node.identity;
  for (let client = 0; client < 3; client++) await node.serve(testIdentity(100 + client));
  await node.close();
  await createBackup({ dataDir: data('a'), to: file(), password: PASSWORD }, CHEAP);
});
afterAll(async () => {
  await testnet?.close();
  await folder?.remove();
});

const run = (args: string[], password = PASSWORD) => quarry(args, { QUARRY_BACKUP_PASSWORD: password });
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.slice(stderr.indexOf('{'))).error;

describe('quarry backup', () => {
  it('writes a file for its owner only, says what is in it, and replaces none', async () => {
    const made = await run(['backup', 'create', data('by-hand'), '--json', '--data', data('a')]);
    expect(JSON.parse(made.stdout)).toMatchObject({ node: identity.id, receipts: 3, points: 35 });
    const { size, mode } = await stat(data('by-hand'));
    expect(mode & 0o777).toBe(0o600);
    const again = createBackup({ dataDir: data('a'), to: data('by-hand'), password: PASSWORD }, CHEAP);
    await expect(again).rejects.toMatchObject({ said: { message: { key: 'backup.exists' } } });
    expect((await stat(data('by-hand'))).size).toBe(size);
    const nothing = createBackup({ dataDir: data('nothing'), to: data('other'), password: PASSWORD }, CHEAP);
    await expect(nothing).rejects.toMatchObject({ said: { message: { key: 'backup.noNode' } } });
    const left = [...(await readdir(folder.path)), ...(await readdir(data('a')))];
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('replaces a file when it may, and never what is none', async () => {
    const options = { dataDir: data('a'), password: PASSWORD, overwrite: true };
    await writeFile(data('old'), 'old');
    await createBackup({ ...options, to: data('old') }, CHEAP);
    expect((await stat(data('old'))).size).toBe((await stat(file())).size);
    await mkdir(data('folder'));
    execFileSync('mkfifo', [data('pipe')]);
    for (const to of [data('folder'), data('pipe')]) {
      const made = createBackup({ ...options, to }, CHEAP);
      await expect(made).rejects.toMatchObject({ said: { message: { key: 'backup.noPlace' } } });
    }
  });

  it('shows without a password whose a file is', async () => {
    const { stdout } = await quarry(['backup', 'show', file(), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ node: identity.id, bytes: (await stat(file())).size });
  });

  it('restores into an empty folder', async () => {
    const done = await run(['backup', 'restore', file(), '--json', '--data', data('empty')]);
    expect(JSON.parse(done.stdout)).toMatchObject({
      backup: { node: identity.id, receipts: 3, points: 35 },
      here: null,
    });
    const shown = await quarry(['credits', 'show', '--json', '--data', data('empty')]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ points: 35, served: 3, tier: 'bronze' });
  });

  it('refuses beside a running node, and replaces none with receipts unless it is told to', async () => {
    await cp(data('a'), data('busy'), { recursive: true });
    await writeFile(join(data('busy'), 'identity.key'), await otherKey());
    const other = await readIdentity(data('busy'));
    const lock = new DataDirLock(data('busy'));
    await lock.open();
    const restore = ['backup', 'restore', file(), '--json', '--data', data('busy')];
    expect(errorOf(await run(restore))).toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await lock.close();
    expect(errorOf(await run(restore))).toMatchObject({ field: 'replace' });
    const wrong = stageBackup({ dataDir: data('busy'), from: file(), password: 'another password' });
    await expect(wrong).rejects.toMatchObject({ field: 'password' });
    expect((await readIdentity(data('busy')))?.id).toBe(other?.id);
    expect(await readdir(data('busy'))).not.toContain('restore.tmp');
    const { aside, here } = JSON.parse((await run([...restore, '--replace'])).stdout);
    expect(here).toMatchObject({ node: other?.id, receipts: 3 });
    expect((await readIdentity(data('busy')))?.id).toBe(identity.id);
    expect((await readIdentity(aside))?.id).toBe(other?.id);
    expect(await readdir(aside)).toContain('quarry.db');
  });
});

async function otherKey(): Promise<string> {
  await loadOrCreateIdentity(data('other-node'));
  return await readFile(join(data('other-node'), 'identity.key'), 'utf8');
}

it('a backup that is cut short leaves nothing behind but what was there', async () => {
  const abort = new AbortController();
  const going = createBackup({ dataDir: data('a'), to: data('never'), password: PASSWORD }, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(going).rejects.toThrow('enough');
  const left = [...(await readdir(folder.path)), ...(await readdir(data('a')))];
  expect(left.filter((name) => name.startsWith('never') || name.includes('backup-books'))).toEqual([]);
});

it('a node that is restored on another computer is taken for what it was, and goes on', async () => {
  const others = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const node = await openNode(`other-${index}`);
      await node.serve(testIdentity(600 + index));
      return node;
    }),
  );
  const counts = (points: number) =>
    until(() => {
      for (const { scores } of others) expect(scores.standing(identity.id).points).toBe(points);
    });
  // It serves two more after its backup; then its disk is gone.
  const first = await openNode('a');
  for (let client = 0; client < 2; client++) await first.serve(testIdentity(200 + client));
  const { points, available } = await first.book.summary();
  await counts(points);
  await first.close();
  await rm(data('a'), { recursive: true });
  await mkdir(data('new'));
  const opened = await stageBackup({ dataDir: data('new'), from: file(), password: PASSWORD });
  expect(opened).toMatchObject({ backup: { points: 35 }, here: null });
  await decideRestore(data('new'), Date.now());
  await finishRestore(data('new'));
  await discardStaged(data('new'));
  const again = await openNode('new', { catchUpSince: (await readCatchUp(data('new')))?.at ?? 0 });
  await until(() => expect(again.scores.hindrance).toBeUndefined());
  expect(await again.book.summary()).toMatchObject({ points, available });
  await again.serve(testIdentity(300));
  await counts((await again.book.summary()).points);
  expect(others.flatMap(({ scores }) => scores.marks())).toEqual([]);
  for (const node of [...others, again]) await node.close();
});
