import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderSource } from '../../../../src-main/clips/sources/folder-source.ts';
import { walkFolder } from '../../../../src-main/clips/sources/folder-walk.ts';
import { foundVideoSchema } from '../../../../src-preload/contract/data.ts';

const signal = new AbortController().signal;
const LIMITS = { mostSeconds: 300, mostBytes: 1 << 20, signal };

async function folders(...all: Record<string, string>[]) {
  const base = await mkdtemp(join(tmpdir(), 'quarry-folders-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const roots = all.map((_, at) => join(base, String(at)));
  for (const [at, files] of all.entries()) {
    await mkdir(join(base, String(at)), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(base, String(at), path)), { recursive: true });
      await writeFile(join(base, String(at), path), content);
    }
  }
  const source = new FolderSource(() => roots);
  const search = async (topic: string, from?: string) => await source.search(topic, { from, signal });
  const titles = async (topic: string) => (await search(topic)).found.map(({ title }) => title);
  return { base, root: roots[0] ?? '', source, search, titles };
}

it('finds videos by words of their paths and descriptions, those with most of them first', async () => {
  const { titles } = await folders(
    {
      'trips/red_ball-2024.MP4': 'a',
      'trips/dog.webm': 'b',
      'notes.txt': 'red ball',
      'cat.mov': 'c',
      'cat.txt': 'A red  cat.',
    },
    { 'ball.mkv': 'd' },
  );
  expect(await titles('Red Ball')).toEqual(['red ball 2024', 'cat', 'ball']);
});

it('finds all where the words stand nowhere: what they show is not known yet', async () => {
  const { titles } = await folders({ 'b.mp4': 'a', 'a.mp4': 'b' });
  expect(await titles('submarine volcano')).toEqual(['a', 'b']);
  expect(await titles('!?')).toEqual(['a', 'b']);
});

it('says what a file beside it says, and that it is the user’s own', async () => {
  const { search, source } = await folders({
    'a.mp4': 'xyz',
    'a.json': JSON.stringify({ title: 'A \u202eball', description: 'It\nrolls.', author: 'Me', licence: 'by-nd' }),
    'b.mp4': '',
    'b.mp4.json': '{"title": 7}',
    'b.mp4.txt': 'Plain words.',
  });
  const { found } = await search('');
  expect(found.map((video) => foundVideoSchema.parse(video))).toEqual(found);
  expect(found[0]).toMatchObject({
    source: 'folder',
    title: 'A ball',
    description: 'It rolls.',
    licence: 'own',
    author: 'Me',
    attribution: '“A ball” by Me',
    page: null,
    bytes: 3,
  });
  expect(found[1]).toMatchObject({ title: 'b', description: 'Plain words.', bytes: null });
  expect(await source.look(found[0]?.id ?? '')).toEqual(found[0]);
});

it('takes a file that was changed for another video', async () => {
  const { search, source, root } = await folders({ 'a.mp4': 'one' });
  const [before] = (await search('')).found;
  await writeFile(join(root, 'a.mp4'), 'another');
  const [after] = (await search('')).found;
  expect(after?.id).not.toBe(before?.id);
  expect(await source.look(before?.id ?? '')).toBeNull();
  const to = join(root, 'copy');
  await expect(source.fetch(before?.id ?? '', to, LIMITS)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
});

it('fetches one without touching it, also over what was there', async () => {
  const { search, source, root, base } = await folders({ 'a.mp4': 'one' });
  const [{ id } = { id: '' }] = (await search('')).found;
  const to = join(base, 'copy');
  await writeFile(to, 'what was there before');
  expect(await source.fetch(id, to, LIMITS)).toEqual({ bytes: 3, url: null });
  await source.fetch(id, to, LIMITS);
  expect([await readFile(to, 'utf8'), await readFile(join(root, 'a.mp4'), 'utf8')]).toEqual(['one', 'one']);
});

it('follows no link, looks into no hidden folder, and reads nothing outside of its folders', async () => {
  const { titles, source, search, root, base } = await folders({ 'in.mp4': 'a', '.hidden/b.mp4': 'b', '.c.mp4': 'c' });
  await writeFile(join(base, 'secret.mp4'), 'secret');
  await writeFile(join(base, 'secret.txt'), 'secret words');
  await symlink(join(base, 'secret.mp4'), join(root, 'link.mp4'));
  await symlink(base, join(root, 'up'));
  await symlink(join(base, 'secret.txt'), join(root, 'in.txt'));
  expect(await titles('')).toEqual(['in']);
  const [{ id, description } = { id: '', description: '' }] = (await search('')).found;
  expect(description).toBe('');
  const mark = id.slice(0, 9);
  const end = id.slice(id.lastIndexOf('#'));
  for (const path of ['../secret.mp4', 'link.mp4', 'up/secret.mp4', '/etc/hosts.mp4', 'x/../in.mp4', './in.mp4']) {
    expect(await source.look(`${mark}${path}${end}`)).toBeNull();
  }
  for (const odd of ['', 'in.mp4', `${mark}in.mp4`, `00000000/in.mp4${end}`, `${mark}in\0.mp4${end}`]) {
    expect(await source.look(odd)).toBeNull();
  }
});

it('gives long lists page by page', async () => {
  const names = Array.from({ length: 120 }, (_, at) => `v${String(at).padStart(3, '0')}.mp4`);
  const { search } = await folders(Object.fromEntries(names.map((name) => [name, 'x'])));
  const found: string[] = [];
  let from: string | undefined;
  do {
    const page = await search('', from);
    found.push(...page.found.map(({ title }) => `${title}.mp4`));
    from = page.next ?? undefined;
  } while (from !== undefined);
  expect(found).toEqual(names);
  await expect(search('', 'x')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('does without a folder that it cannot read, and says which where it can read none', async () => {
  const { search, titles, root } = await folders({ 'a.mp4': 'x' }, { 'b.mp4': 'x' });
  await rename(root, `${root}-gone`);
  expect(await titles('')).toEqual(['b']);
  await rename(root.replace(/0$/, '1'), `${root}-gone-too`);
  await expect(search('')).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', message: expect.stringContaining(root) });
});

it('looks at no more than there may be, however many there are', async () => {
  const { root } = await folders(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}/v.mp4`, 'x'])));
  expect(await walkFolder(root, signal, 45)).toHaveLength(15);
  const deep = await folders({ [`${'d/'.repeat(7)}in.mp4`]: 'x', [`${'d/'.repeat(8)}out.mp4`]: 'x' });
  expect(await deep.titles('')).toEqual(['in']);
});
