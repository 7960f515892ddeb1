import { createHash, randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  type CheckVideo,
  NoVideo,
  VideoFailed,
} from '../../../../../src-main/subnets/omega/market/server/examination.ts';
import { Waiting } from '../../../../../src-main/subnets/omega/market/server/waiting.ts';
import { openTestMarket } from '../../../../support/market-server.ts';
import { until } from '../../../../support/until.ts';

const DAY_MS = 86_400_000;
const VIDEO = randomBytes(5_000);

it('takes one of each seller in turn, and what has failed before after all others', () => {
  const waiting = new Waiting();
  waiting.add({ id: 'failed', seller: 'c' }, true);
  for (const id of ['a1', 'a2', 'a3', 'b1', 'b2']) waiting.add({ id, seller: id.slice(0, 1) }, false);
  const taken = Array.from({ length: 7 }, () => waiting.next());
  expect(taken).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'failed', undefined]);
});

it('who has many hotkeys has one turn, also after a restart', async () => {
  const looked: string[] = [];
  let isOpen = false;
  const score = async (file: string) => {
    if (!isOpen) throw new Error('The model is down.');
    looked.push(basename(file, '.webm').slice(0, 1));
    return { score: 0.5, reason: 'It shows work.', review: false };
  };
  const market = await openTestMarket({ score });
  const one = (await market.store.offer(await market.offer(VIDEO)))!;
  await until(async () => expect((await market.store.offer(one.id))?.reason).toContain('tried again'));
  const ids = ['a', 'b', 'c', 'd'].map((id) => id.repeat(32));
  await market.store.change(async (all) => {
    await all.setOffer(one.id, { state: 'withdrawn' }, 'test', 1);
    for (const [at, id] of ids.entries()) {
      const sha256 = createHash('sha256').update(id).digest('hex');
      const seller = id.startsWith('d') ? 'another' : one.seller;
      await all.addOffer({
        ...one,
        id,
        sha256,
        bytes: id.length,
        nextByte: id.length,
        hotkey: `${at}`,
        seller,
        changedAt: at,
      });
      await writeFile(join(market.folder, `${id}.webm`), id);
    }
  });
  isOpen = true;
  await market.reopen();
  for (const id of ids) await market.looked(id);
  expect(looked).toEqual(['a', 'd', 'b', 'c']);
});

it('rejects what nobody can read when it is scored, with why, and its bytes go', async () => {
  const score = async () => Promise.reject(new NoVideo('The picture at 0:12 cannot be read.'));
  const market = await openTestMarket({ score });
  const offer = await market.looked(await market.offer(VIDEO));
  expect(offer).toMatchObject({ state: 'rejected', reason: 'The picture at 0:12 cannot be read.' });
  await until(async () => expect(await readdir(market.folder)).toEqual([]));
});

it('rejects what whatever reads it dies over twice, and others come between', async () => {
  const checked: string[] = [];
  const killer = randomBytes(6_000);
  let [killerId, otherId] = ['', ''];
  const { promise: bothThere, resolve: areThere } = Promise.withResolvers<void>();
  const checkVideo: CheckVideo = async (file) => {
    await bothThere;
    const isKiller = file.includes(killerId);
    checked.push(isKiller ? 'killer' : 'other');
    if (isKiller) throw new VideoFailed('It had no memory left.');
    return { durationMs: 600_000 };
  };
  const market = await openTestMarket({ checkVideo });
  killerId = await market.offer(killer);
  otherId = await market.offer(VIDEO);
  areThere();
  expect(await market.looked(killerId)).toMatchObject({
    state: 'rejected',
    reason: expect.stringContaining('no memory left'),
  });
  expect((await market.looked(otherId)).state).toBe('submitted');
  expect(checked).toEqual(['killer', 'other', 'killer']);
});

it('remembers over a restart that it died, and that the bytes are those of their hash', async () => {
  let isDown = true;
  const score = async () => {
    if (isDown) throw new Error('The model is down.');
    return { score: 0.5, reason: 'It shows work.', review: false };
  };
  const market = await openTestMarket({ score });
  const id = await market.offer(VIDEO);
  const tried = () => market.store.offer(id);
  await until(async () => expect((await tried())?.reason).toContain('tried again'));
  expect(await market.store.examined.isHashed(id)).toBe(true);
  expect(await market.store.examined.noteFailure(id)).toBe(1);
  expect(await market.store.examined.waiting()).toMatchObject([{ id, failures: 1 }]);
  isDown = false;
  await market.reopen();
  expect((await market.looked(id)).state).toBe('submitted');
});

it('writes what it found and nothing else: what was changed meanwhile stays, and what was withdrawn is withdrawn', async () => {
  const { promise: scored, resolve } = Promise.withResolvers<void>();
  let scoring = 0;
  const score = async () => {
    scoring++;
    await scored;
    return { score: 0.5, reason: 'It shows work.', review: false };
  };
  const market = await openTestMarket({ score });
  const [withdrawn, changed] = [await market.offer(VIDEO), await market.offer(randomBytes(6_000))];
  await until(async () => expect(scoring).toBe(1));
  await market.store.change(async (all) => {
    await all.setOffer(withdrawn, { state: 'withdrawn', nextByte: 0, reason: 'Mine.' }, 'seller', Date.now());
  });
  resolve();
  await market.listed(changed);
  expect(await market.store.offer(withdrawn)).toMatchObject({
    ...{ state: 'withdrawn', nextByte: 0, reason: 'Mine.', score: null, price: null, listedAt: null },
  });
  expect((await market.store.log(withdrawn)).at(-1)).toMatchObject({ after: 'withdrawn' });
});

it('does not write back what it read before it scored', async () => {
  const { promise: scored, resolve } = Promise.withResolvers<void>();
  const { promise: isScoring, resolve: scores } = Promise.withResolvers<void>();
  const score = async () => {
    scores();
    await scored;
    return { score: 0.5, reason: 'It shows work.', review: false };
  };
  const market = await openTestMarket({ score });
  const id = await market.offer(VIDEO);
  await isScoring;
  await market.store.change((all) => all.setOffer(id, { wish: 7n, title: 'Another' }, 'test', Date.now()));
  resolve();
  expect(await market.looked(id)).toMatchObject({ state: 'submitted', score: 0.5, wish: 7n, title: 'Another' });
});

it('of two persons who judge at once, one does', async () => {
  const market = await openTestMarket({ score: async () => ({ score: 0.7, reason: 'Look.', review: true }) });
  const id = await market.offer(VIDEO);
  await market.looked(id);
  const words = [true, false].map((accept) => market.market.judge(id, { accept, reason: 'So it is.' }));
  expect((await Promise.all(words)).sort()).toEqual(['notWaiting', undefined]);
});

it('reads nothing while nobody scores', async () => {
  let checks = 0;
  const checkVideo = async () => {
    checks++;
    return { durationMs: 600_000 };
  };
  const market = await openTestMarket({ score: undefined, checkVideo });
  const id = await market.offer(VIDEO);
  await until(async () => expect((await market.store.offer(id))?.reason).toContain('waits for a score'));
  await market.reopen();
  await market.reopen();
  expect([checks, await market.store.examined.isHashed(id)]).toEqual([0, false]);
});

it('gives up what has not come into the list for weeks, whatever happens to it meanwhile', async () => {
  const market = await openTestMarket({ score: undefined });
  const id = await market.offer(VIDEO);
  market.clock.ahead = 13 * DAY_MS;
  await market.reopen();
  await market.store.change((all) => all.setOffer(id, { reason: 'Tried.' }, 'market', Date.now() + 13 * DAY_MS));
  expect((await market.store.offer(id))?.state).toBe('processing');
  market.clock.ahead = 15 * DAY_MS;
  await market.reopen();
  expect(await market.store.offer(id)).toMatchObject({
    state: 'withdrawn',
    reason: expect.stringContaining('14 days'),
  });
  expect(await readdir(market.folder)).toEqual([]);
});

it('takes up all that waits, however many', async () => {
  const market = await openTestMarket({ score: undefined });
  const one = await market.store.offer(await market.offer(VIDEO));
  await market.store.change(async (all) => {
    for (let count = 0; count < 1_200; count++) {
      const id = count.toString(16).padStart(32, '0');
      await all.addOffer({ ...one!, id, sha256: id.padStart(64, '0'), seller: `${count}` });
    }
  });
  expect(await market.store.examined.waiting()).toHaveLength(1_201);
});
