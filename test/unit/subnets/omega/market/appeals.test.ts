import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { OMEGA_TERMS } from '../../../../../src-main/subnets/omega/market/rules/terms.ts';
import type { MarketOptions } from '../../../../../src-main/subnets/omega/market/server/market.ts';
import { RejectedVideos } from '../../../../../src-main/subnets/omega/market/server/rejected-videos.ts';
import { VideoFiles } from '../../../../../src-main/subnets/omega/market/server/video-files.ts';
import { offerSchema } from '../../../../../src-main/subnets/omega/market/wire.ts';
import { openTestMarket } from '../../../../support/market-server.ts';
import { until } from '../../../../support/until.ts';

const POOR: Partial<MarketOptions> = {
  score: async () => ({ score: 0.05, reason: 'Nobody is at work.', review: false }),
};
const NOTE = { note: 'The import runs in minute 12.' };
const LATER = { accept: true, reason: '' };

/** A market whose model finds nothing good, and a video that it has rejected. */
async function rejected(changed: Partial<MarketOptions> = {}) {
  const market = await openTestMarket({ ...POOR, ...changed });
  const video = randomBytes(5_000);
  const id = await market.offer(video);
  expect(await market.looked(id)).toMatchObject({ state: 'rejected', score: 0.05, reason: 'Nobody is at work.' });
  const appeal = (body: unknown = NOTE, by = market.seller) => market.ask(by, `POST /offers/${id}/appeal`, body);
  return { ...market, video, id, appeal, all: market };
}

it('what the market’s model rejected a person looks at once its seller appeals, with note, scores and video', async () => {
  const { appeal, all, id, video, ask, ann } = await rejected();
  const { status, body } = await appeal();
  expect([status, offerSchema.strict().parse(body).state]).toEqual([200, 'review']);
  const [review] = await all.market.reviews();
  expect(review).toMatchObject({
    ...{ id, kind: 'user', appeal: NOTE.note, score: 0.05, marketScore: 0.05, sellerScore: null, rulesScore: 0.8 },
    reason: 'Nobody is at work.',
  });
  expect(await readFile(review?.file ?? '')).toEqual(video);
  expect(await all.market.reviewed(id)).toBe(review?.file);
  expect((await ask(ann, 'GET /list')).body.videos).toEqual([]);
  expect(await all.market.judge(id, LATER)).toBe('tooLittle');
  expect(await all.market.judge(id, { ...LATER, score: 0.6 })).toBeUndefined();
  expect(await all.market.reviewed(id)).toBeUndefined();
  expect((await ask(ann, 'GET /list')).body.videos).toMatchObject([{ id, score: 0.6 }]);
});

it('what a person refuses is at its end: its video goes, and it cannot be appealed', async () => {
  const { appeal, all, id, folder, ask, seller } = await rejected();
  await appeal();
  expect(await all.market.judge(id, { accept: false, reason: 'It is a film.' })).toBeUndefined();
  expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({ state: 'rejected', reason: 'It is a film.' });
  expect(await readdir(folder)).toEqual([]);
  expect(await appeal()).toMatchObject({ status: 410 });
  expect(await all.market.judge(id, LATER)).toBe('notWaiting');
});

it('an appeal is its seller’s alone, has a note of some length, and is the same when it comes again', async () => {
  const { appeal, all, bob, clock } = await rejected();
  expect((await appeal(NOTE, bob)).status).toBe(404);
  for (const note of ['', ' ', 'x'.repeat(1_001), 5]) expect((await appeal({ note })).status).toBe(400);
  expect((await appeal()).status).toBe(429); // four a minute
  clock.ahead = 60_000;
  expect((await appeal()).status).toBe(200);
  expect((await appeal()).status).toBe(200);
  expect(await all.market.reviews()).toHaveLength(1);
});

it('what is not rejected cannot be appealed, nor what is offered again', async () => {
  const { appeal, video, offer, all } = await rejected();
  const again = await offer(video);
  await until(async () => expect((await all.store.offer(again))?.state).toBe('rejected'));
  expect((await appeal()).status).toBe(200);
  expect((await all.ask(all.seller, `POST /offers/${again}/appeal`, NOTE)).status).toBe(409);
  const good = await openTestMarket();
  const id = await good.offer();
  await good.listed(id);
  expect((await good.ask(good.seller, `POST /offers/${id}/appeal`, NOTE)).status).toBe(409);
});

it('the video of what was rejected is kept over a restart, for its time', async () => {
  const { appeal, all, clock, folder, reopen } = await rejected();
  await reopen();
  expect(await readdir(folder)).toHaveLength(1);
  clock.ahead = OMEGA_TERMS.appealMs + 1_000;
  await reopen();
  expect(await readdir(folder)).toEqual([]);
  expect((await appeal()).body.error).toMatchObject({ code: 'GONE' });
  expect(await all.market.reviews()).toEqual([]);
});

it('what a person is to look at stays when the time of rejected ones is over', async () => {
  const { appeal, all, clock, folder, reopen } = await rejected();
  await appeal();
  clock.ahead = OMEGA_TERMS.appealMs + 1_000;
  await reopen();
  expect([await readdir(folder), await all.market.reviews()]).toMatchObject([{ length: 1 }, { length: 1 }]);
});

it('its seller may have it deleted', async () => {
  const { ask, seller, id, folder } = await rejected();
  expect((await ask(seller, `DELETE /offers/${id}`)).body).toMatchObject({ state: 'withdrawn' });
  expect(await readdir(folder)).toEqual([]);
});

it('of one seller no more than five rejected ones are kept, and they give way where the disk is full', async () => {
  const limits = () => ({ videoBytes: 100_000_000, diskBytes: 35_000, keepMs: 3_600_000 });
  const { ask, seller, offer, looked, submitOf, piece, clock, folder } = await rejected({ limits });
  for (let more = 0; more < 6; more++) {
    clock.ahead += 60_000; // a hotkey may offer four a minute
    await looked(await offer(randomBytes(5_000)));
  }
  await until(async () => expect(await readdir(folder)).toHaveLength(5));
  clock.ahead += 60_000;
  const large = randomBytes(20_000);
  const { body } = await ask(seller, 'POST /offers', submitOf(large));
  expect((await piece(body.id, large, 0, 20_000)).status).toBe(200);
  expect(await looked(body.id)).toMatchObject({ state: 'rejected' });
  expect(await readdir(folder)).toEqual([`${body.id}.webm`]);
});

it('one that is appealed just as it would give way stays', async () => {
  const { appeal, all, folder, id, store } = await rejected();
  const before = await store.rejectedWithFile();
  await appeal();
  const stale = { rejectedWithFile: async () => before, change: store.change.bind(store) };
  const videos = new RejectedVideos({ store: stale, files: new VideoFiles(folder), terms: OMEGA_TERMS, now: Date.now });
  await videos.giveWay();
  expect(await readdir(folder)).toEqual([`${id}.webm`]);
  expect(await all.market.reviews()).toHaveLength(1);
});
