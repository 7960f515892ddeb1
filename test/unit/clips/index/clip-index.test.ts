import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { ClipIndex, type ClipIndexOptions } from '../../../../src-main/clips/index/clip-index.ts';
import type { ClipVector } from '../../../../src-main/store/clips/clips.ts';
import { longestTurn } from '../../../support/longest-turn.ts';
import { resourceContract } from '../../../support/resource-contract.ts';

const folders = mkdtempSync(join(tmpdir(), 'quarry-clip-index-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

const NAME = { space: 'siglip2@1', kind: 'video' };
const id = (number: number) => number.toString(16).padStart(32, '0');
const random = seededRandom(3);
const vector = (dimensions = 32) => Float32Array.from({ length: dimensions }, () => random.normal());
const clips = (count: number): ClipVector[] =>
  Array.from({ length: count }, (_, at) => ({ id: id(at), vector: vector() }));

/** Pages of what is kept, ten at a time. */
function pagesOf(kept: readonly ClipVector[]): ClipIndexOptions['pages'] {
  return async (_space, _kind, after) => {
    const from = after === null ? 0 : kept.findIndex((clip) => clip.id === after) + 1;
    return kept.slice(from, from + 10);
  };
}

const open: ClipIndex[] = [];
function makeIndex(options: Partial<ClipIndexOptions> = {}): ClipIndex {
  const folder = join(folders, `${open.length}`);
  const index = new ClipIndex({ pages: async () => [], folder, ...options });
  open.push(index);
  return index;
}
afterEach(() => Promise.all(open.map((index) => index.close())));

resourceContract('the index of clips', { make: () => makeIndex() });

describe('the index of clips', () => {
  it('reads what is kept when it is asked, page by page, and once', async () => {
    const kept = clips(25);
    const pages = vi.fn(pagesOf(kept));
    const index = makeIndex({ pages });
    const [first] = await Promise.all([
      index.nearest([kept[17]?.vector as Float32Array], { ...NAME, count: 1 }),
      index.nearest([vector()], { ...NAME, count: 1 }),
    ]);
    expect(first).toEqual([[{ id: id(17), closeness: expect.closeTo(1, 5) }]]);
    expect(pages.mock.calls.map(([, , after]) => after)).toEqual([null, id(9), id(19), id(24)]);
  });

  it('takes what comes and goes, also while it reads', async () => {
    const kept = clips(25);
    const news = { id: id(100), vector: vector() };
    const [gone, other] = [kept[3], kept[20]] as [ClipVector, ClipVector];
    const { promise, resolve } = Promise.withResolvers<void>();
    const pages = pagesOf(kept);
    const index = makeIndex({ pages: (...asked) => promise.then(() => pages(...asked)) });
    const loaded = index.load(NAME);
    const changed = [index.add(NAME, [news, { id: other.id, vector: gone.vector }]), index.remove(NAME, [gone.id])];
    resolve();
    await Promise.all([loaded, ...changed]);
    const found = await index.nearest([news.vector, gone.vector, other.vector], { ...NAME, count: 1 });
    expect(found.map(([near]) => near?.id).slice(0, 2)).toEqual([id(100), other.id]);
    expect(found[2]?.[0]?.closeness).toBeLessThan(0.99);
    await index.remove(NAME, [id(100)]);
    expect((await index.nearest([news.vector], { ...NAME, count: 1 }))[0]?.[0]?.id).not.toBe(id(100));
  });

  it('keeps spaces and kinds apart, and passes over whom it is told to', async () => {
    const kept = clips(25);
    const pages: ClipIndexOptions['pages'] = async (space, ...asked) =>
      space === NAME.space ? await pagesOf(kept)(space, ...asked) : [];
    const index = makeIndex({ pages });
    const query = [kept[0]?.vector as Float32Array];
    expect(await index.nearest(query, { ...NAME, space: 'other', count: 5 })).toEqual([[]]);
    const except = [id(0)];
    const [found] = await index.nearest(query, { ...NAME, count: 30, except });
    expect(found).toHaveLength(24);
    expect(found?.map((near) => near.id)).not.toContain(id(0));
    expect(await index.nearest([], { ...NAME, count: 5 })).toEqual([]);
  });

  it('says so where a vector is of another length', async () => {
    const index = makeIndex({ pages: pagesOf(clips(5)) });
    await index.load(NAME);
    await expect(index.add(NAME, [{ id: id(9), vector: vector(31) }])).rejects.toThrow('another length');
    await index.add({ ...NAME, kind: 'sound' }, [{ id: id(9), vector: vector(31) }]); // nobody has asked for those: they are kept elsewhere
  });

  it('tells what reading fails of, and reads again when it is asked again', async () => {
    const kept = clips(5);
    const pages = vi.fn(pagesOf(kept)).mockRejectedValueOnce(new Error('disk'));
    const index = makeIndex({ pages });
    await expect(index.nearest([vector()], { ...NAME, count: 1 })).rejects.toThrow('disk');
    expect(await index.nearest([vector()], { ...NAME, count: 9 })).toEqual([expect.objectContaining({ length: 5 })]);
  });

  it('answers nobody once it is closed', async () => {
    const index = makeIndex({ pages: pagesOf(clips(25)) });
    const asked = index.nearest([vector()], { ...NAME, count: 1 });
    const refused = expect(asked).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    await index.close();
    await refused;
    await expect(index.nearest([vector()], { ...NAME, count: 1 })).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  });

  it('leaves turns to others while it reads and looks through 20,000 vectors', async () => {
    const kept = Array.from({ length: 20_000 }, (_, at) => ({ id: id(at), vector: vector(64) }));
    const pages: ClipIndexOptions['pages'] = async (_space, _kind, after) => {
      const from = after === null ? 0 : Number.parseInt(after, 16) + 1;
      return kept.slice(from, from + 256);
    };
    const index = makeIndex({ pages });
    await index.open();
    const end = longestTurn();
    await index.nearest(
      Array.from({ length: 8 }, () => vector(64)),
      { ...NAME, count: 10 },
    );
    const { longest, all } = end();
    expect(longest).toBeLessThan(all / 5); // milliseconds are longer on a slow processor
  });
});
