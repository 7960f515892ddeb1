import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { ClipIndex, type ClipIndexOptions, type ClipVector } from '../../../../src-main/clips/index/clip-index.ts';
import { longestTurn } from '../../../support/longest-turn.ts';
import { resourceContract } from '../../../support/resource-contract.ts';

const folders = mkdtempSync(join(tmpdir(), 'quarry-clip-index-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

const NAME = { space: 'siglip2@1', kind: 'video' };
const random = seededRandom(3);
const vector = (dimensions = 32) => Float32Array.from({ length: dimensions }, () => random.normal());
type Kept = ClipVector & { id: number };
/** Clips 0, 1, …; their vectors have other ids. */
const clips = (count: number, dimensions?: number): Kept[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, clip: at, vector: vector(dimensions) }));

/** Pages of what is kept, ten at a time. */
function pagesOf(kept: readonly Kept[], rows = 10): ClipIndexOptions['pages'] {
  return async (_space, _kind, after) => kept.filter(({ id }) => id > after).slice(0, rows);
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
    expect(first).toEqual([[{ clip: 17, closeness: expect.closeTo(1, 5) }]]);
    expect(pages.mock.calls.map(([, , after]) => after)).toEqual([0, 10, 20, 25, 25]);
  });

  it('takes what comes and goes, also while it reads', async () => {
    const kept = clips(25);
    const news = { clip: 100, vector: vector() };
    const [gone, other] = [kept[3], kept[20]] as [Kept, Kept];
    const { promise, resolve } = Promise.withResolvers<void>();
    const pages = pagesOf(kept);
    const index = makeIndex({ pages: (...asked) => promise.then(() => pages(...asked)) });
    const loaded = index.load(NAME);
    const changed = [
      index.add(NAME, [news, { clip: other.clip, vector: gone.vector }]),
      index.remove(NAME, [gone.clip]),
    ];
    resolve();
    await Promise.all([loaded, ...changed]);
    const found = await index.nearest([news.vector, gone.vector, other.vector], { ...NAME, count: 1 });
    expect(found.map(([near]) => near?.clip).slice(0, 2)).toEqual([100, other.clip]);
    expect(found[2]?.[0]?.closeness).toBeLessThan(0.99);
    await index.remove(NAME, [100]);
    expect((await index.nearest([news.vector], { ...NAME, count: 1 }))[0]?.[0]?.clip).not.toBe(100);
  });

  it('finds what has come since it was asked last', async () => {
    const kept = clips(25);
    const index = makeIndex({ pages: pagesOf(kept) });
    await index.load(NAME);
    const news = { id: 900, clip: 100, vector: vector() };
    kept.push(news);
    expect((await index.nearest([news.vector], { ...NAME, count: 1 }))[0]?.[0]?.clip).toBe(100);
  });

  it('keeps spaces and kinds apart, and passes over whom it is told to', async () => {
    const kept = clips(25);
    const pages: ClipIndexOptions['pages'] = async (space, ...asked) =>
      space === NAME.space ? await pagesOf(kept)(space, ...asked) : [];
    const index = makeIndex({ pages });
    const query = [kept[0]?.vector as Float32Array];
    expect(await index.nearest(query, { ...NAME, space: 'other', count: 5 })).toEqual([[]]);
    const except = [0];
    const [found] = await index.nearest(query, { ...NAME, count: 30, except });
    expect(found).toHaveLength(24);
    expect(found?.map((near) => near.clip)).not.toContain(0);
    expect(await index.nearest([], { ...NAME, count: 5 })).toEqual([]);
  });

  it('says so where a vector is of another length', async () => {
    const index = makeIndex({ pages: pagesOf(clips(5)) });
    await index.load(NAME);
    await expect(index.add(NAME, [{ clip: 9, vector: vector(31) }])).rejects.toThrow('another length');
    await index.add({ ...NAME, kind: 'sound' }, [{ clip: 9, vector: vector(31) }]); // nobody has asked for those: they are kept elsewhere
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
    const kept = clips(20_000, 64);
    const pages: ClipIndexOptions['pages'] = async (_space, _kind, after) => kept.slice(after, after + 256);
    const index = makeIndex({ pages });
    await index.open();
    const end = longestTurn();
    await index.nearest(
      Array.from({ length: 8 }, () => vector(64)),
      { ...NAME, count: 10 },
    );
    expect(end().longest).toBeLessThan(20);
  });
});
