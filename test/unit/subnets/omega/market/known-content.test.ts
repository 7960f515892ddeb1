import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Slices } from '../../../../../src-main/base/slices.ts';
import { copied } from '../../../../../src-main/subnets/omega/focus/rules/copy.ts';
import { picturesOf } from '../../../../../src-main/subnets/omega/focus/rules/picture-changes.ts';
import type { MarketScore } from '../../../../../src-main/subnets/omega/market/server/examination.ts';
import { Looks, type Pictures } from '../../../../../src-main/subnets/omega/market/server/likeness.ts';
import { openTestMarket } from '../../../../support/market-server.ts';

const DAY_MS = 86_400_000;
const VIDEO = randomBytes(5_000);
/** Ten minutes in which something else is shown every few seconds. */
const work = () => Array.from({ length: 600 }, (_, second) => (second % 7 < 2 ? randomBytes(8).toString('hex') : null));

/** A market whose scorer says another score each time, and counts. */
async function market(changed: Partial<MarketScore> = {}) {
  const scores: string[] = [];
  let pictures: (string | null)[] = work();
  const opened = await openTestMarket({
    picturesOf: async () => pictures,
    score: async (_, { id }) => {
      scores.push(id);
      return { score: scores.length / 10, reason: `Look ${scores.length}.`, review: false, ...changed };
    },
  });
  const offered = async (video: Buffer, now?: (string | null)[]) => {
    if (now) pictures = now;
    return opened.looked(await opened.offer(video));
  };
  return { ...opened, offered, scores };
}

const withdraw = async ({ ask, seller }: Awaited<ReturnType<typeof market>>, id: string) =>
  expect((await ask(seller, `DELETE /offers/${id}`)).status).toBe(200);

it('the same bytes have the same score for a month, however often they are offered', async () => {
  const opened = await market();
  const first = await opened.offered(VIDEO);
  await withdraw(opened, first.id);
  const second = await opened.offered(VIDEO);
  expect([first.score, second.score, opened.scores.length]).toEqual([0.1, 0.1, 1]);
  await withdraw(opened, second.id);
  opened.clock.ahead = 31 * DAY_MS;
  expect((await opened.offered(VIDEO)).score).toBe(0.2);
});

it('the same pictures in other bytes have the same score, but not a part of them', async () => {
  const opened = await market();
  const pictures = work();
  const first = await opened.offered(VIDEO, pictures);
  await withdraw(opened, first.id);
  const other = await opened.offered(randomBytes(6_000), [null, null, ...pictures.slice(20)]);
  expect([other.state, other.score, opened.scores.length]).toEqual(['submitted', 0.1, 1]);
  await withdraw(opened, other.id);
  const part = await opened.offered(randomBytes(6_000), pictures.slice(100));
  expect([part.state, part.score]).toEqual(['submitted', 0.2]);
  expect((await opened.offered(randomBytes(6_000), work())).score).toBe(0.3);
});

it('what is offered or was sold is not offered again in other bytes', async () => {
  const opened = await market();
  const pictures = work();
  const first = await opened.offered(VIDEO, pictures);
  const copy = randomBytes(6_000);
  const refused = { state: 'rejected', reason: expect.stringContaining('shows the same') };
  expect(await opened.offered(copy, pictures)).toMatchObject(refused);
  const sold = { state: 'purchased', soldAt: Date.now() } as const;
  await opened.store.change((all) => all.setOffer(first.id, sold, 'test', Date.now()));
  opened.clock.ahead = 90 * DAY_MS;
  expect(await opened.offered(copy, pictures)).toMatchObject(refused);
  expect(opened.scores).toHaveLength(1);
});

it('what was not of its pictures is looked at anew', async () => {
  const opened = await market({ score: 0, mayChange: true });
  await opened.offered(VIDEO, work());
  await opened.offered(VIDEO);
  expect(opened.scores).toHaveLength(2);
});

it('finds as many changes in common as the rule does, however the pictures differ, and looks at all of them', async () => {
  const bits = (count: number) =>
    Array.from({ length: count }, () => 1n << BigInt(randomBytes(1)[0]! % 64)).reduce((all, bit) => all | bit, 0n);
  const altered = (pictures: Pictures) =>
    pictures.map((picture, second) => {
      const other = picture === null ? null : BigInt(`0x${picture}`) ^ bits(second % 10);
      return other === null ? null : other.toString(16).padStart(16, '0');
    });
  const changes = (pictures: Pictures) => picturesOf(pictures.map((picture) => ({ picture })));
  for (const one of [work(), work(), work()]) {
    for (const other of [altered(one), [null, ...altered(one).slice(90)], work()]) {
      const { common } = await new Looks(one).to(other, new Slices());
      expect(common).toBe(copied(changes(one), changes(other)));
    }
  }
  const long = Array.from({ length: 5_400 }, () => randomBytes(8).toString('hex'));
  expect(await new Looks(long).to(long, new Slices())).toMatchObject({ common: 5_400, isSame: true });
});

it('others have their turns while two are compared, however often each shows the same', async () => {
  const [one, other] = ['0f'.repeat(8), 'f0'.repeat(8)];
  const pictures = Array.from({ length: 5_400 }, (_, second) => (second % 2 ? one : other));
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await new Looks(pictures).to(pictures, new Slices())).toMatchObject({ common: 5_400 });
  isOver = true;
  expect(turns).toBeGreaterThan(2);
});

it('what was sold first is known as what was sold last', async () => {
  const opened = await market();
  const pictures = work();
  const sold = await opened.offered(VIDEO, pictures);
  await opened.store.change((all) => all.setOffer(sold.id, { state: 'purchased', soldAt: 1 }, 'test', Date.now()));
  const { examined } = opened.store;
  await opened.store.change(async (all) => {
    for (let count = 0; count < 2_100; count++) {
      const sha256 = count.toString(16).padStart(64, '0');
      await all.addOffer({ ...sold, id: sha256.slice(32), sha256, state: 'purchased' });
    }
  });
  for (let count = 0; count < 2_100; count++) {
    const sha256 = count.toString(16).padStart(64, '0');
    await examined.keepContent({ sha256, pictures: `${randomBytes(8).toString('hex')},`, at: Date.now() + count });
  }
  const again = await opened.offered(randomBytes(6_000), pictures);
  expect(again).toMatchObject({ state: 'rejected', reason: expect.stringContaining('shows the same') });
});

it('finds what runs up to 15 % faster or slower, and not the same pictures in another order', async () => {
  const pictures = work();
  const own = new Looks(pictures);
  for (const speed of [0.87, 1.03, 1.14]) {
    const other = Array.from(
      { length: Math.floor(600 / speed) },
      (_, second) => pictures[Math.round(second * speed)] ?? null,
    );
    expect(await own.to(other, new Slices())).toMatchObject({ isCopy: true, isPart: true });
  }
  const mixed = pictures.map((_, second) => pictures[(second * 7 + 1) % 600] ?? null);
  expect(await own.to(mixed, new Slices())).toMatchObject({ isCopy: false });
});
