import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../../../../src-main/base/sha256.ts';
import { publicKeyOf } from '../../../../../../src-main/bittensor/address.ts';
import { signaturesReady, verify } from '../../../../../../src-main/bittensor/sr25519.ts';
import { fetchVideo } from '../../../../../../src-main/subnets/omega/market/client/buying/download.ts';
import { MarketClient } from '../../../../../../src-main/subnets/omega/market/client/market-client.ts';
import { isRefusal } from '../../../../../../src-main/subnets/omega/market/client/market-problems.ts';
import { sendVideo } from '../../../../../../src-main/subnets/omega/market/client/selling/upload.ts';
import { testSigner } from '../../../../../support/bittensor-signer.ts';
import { temporaryFolder } from '../../../../../support/quarry-process.ts';
import { MARKET_KEY, SELLER, SmallMarket, textOf } from '../../../../../support/small-market.ts';
import { until } from '../../../../../support/until.ts';

const signer = await testSigner('//Alice');
const SOON = { firstMs: 1, longestMs: 5 };
const never = new AbortController().signal;

async function opened(options: { answerMs?: number; key?: string } = {}) {
  const market = await new SmallMarket().open();
  onTestFinished(() => market.close());
  const client = new MarketClient({ url: market.url, key: MARKET_KEY, signer, ...options });
  return { market, client };
}

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

const submit = (file: Buffer) => ({
  ...{ title: 'Mending', description: '', kind: 'user' as const, wish: null, seller: SELLER },
  ...{ sha256: sha256(file).toString('hex'), bytes: file.length, durationMs: 61_000 },
  scoreCard: { version: 'rules-1', score: 0.5, at: 1, node: 'ab'.repeat(32), signature: 'cd'.repeat(64) },
  chain: { chunks: 3, startedAt: 1, node: 'ab'.repeat(32), link: 'ef'.repeat(32), signature: 'cd'.repeat(64) },
});

describe('what is said to a market', () => {
  it('is signed for it, this body and this moment, and never twice with one nonce', async () => {
    await signaturesReady();
    const { market, client } = await opened();
    await client.list(never);
    await client.purchase(market.put('a', '7'), '7', never);
    for (const asked of market.asked) {
      const signature = Buffer.from(asked.signature, 'hex');
      const isGood = (text: string) => verify(Buffer.from(text), signature, publicKeyOf(signer.address));
      expect(isGood(textOf(asked))).toBe(true);
      expect(isGood(textOf(asked, SELLER))).toBe(false);
      expect(asked.bodySha256).toBe(sha256(asked.body).toString('hex'));
      expect(Math.abs(asked.timestamp - Date.now())).toBeLessThan(60_000);
    }
    expect(new Set(market.asked.map(({ nonce }) => nonce)).size).toBe(market.asked.length);
  });

  it.each(['http://market.example', 'ftp://127.0.0.1', 'file:///etc', 'nothing'])('does not go to %s', (url) => {
    expect(() => new MarketClient({ url, key: MARKET_KEY, signer })).toThrow('is no address of a market');
  });

  it('goes to no market but the one that is set', async () => {
    const { market, client } = await opened();
    market.key = SELLER;
    await expect(client.stats(never)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'trade.key' });
  });
});

describe('an answer', () => {
  it.each([
    ['{"videos":[{"id":"../../etc"}],"madeAt":1}', 'PROTOCOL'],
    ['<html>', 'PROTOCOL'],
    ['', 'PROTOCOL'],
    ['cut', 'DEADLINE'],
  ])('that is %s makes no sense, or is none', async (text, code) => {
    const { market, client } = await opened();
    market.fail('GET /list', text);
    await expect(client.list(never)).rejects.toMatchObject({ code });
  });

  it('has no text without an end', async () => {
    const { market, client } = await opened();
    const offer = await client.submit(submit(randomBytes(2_000)), never);
    const [page, purchase] = [{ offers: [], more: false }, await client.purchase(market.put('a', '7'), '7', never)];
    const long = 'x'.repeat(1_000_000);
    market.fail('GET /offers', JSON.stringify({ ...page, offers: [{ ...offer, reason: long }] }));
    await expect(client.offers(undefined, never)).rejects.toMatchObject({ code: 'PROTOCOL' });
    market.fail('GET /offers', JSON.stringify({ ...page, offers: [{ ...offer, title: long }] }));
    await expect(client.offers(undefined, never)).rejects.toMatchObject({ code: 'PROTOCOL' });
    for (const lie of [{ title: long }, { bytes: 2 ** 50 }, { bytes: 0.5 }]) {
      market.fail('GET /purchases/:id', JSON.stringify({ ...purchase, ...lie }));
      await expect(client.purchaseOf(purchase.id, never)).rejects.toMatchObject({ code: 'PROTOCOL' });
    }
    expect(await client.offers(undefined, never)).toMatchObject({ offers: [{ id: offer.id }] });
  });

  it('is not read on and on', async () => {
    const { market, client } = await opened();
    market.fail('GET /list', ' '.repeat(5 * 1024 * 1024));
    await expect(client.list(never)).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('names in words what is wrong, and when to come again', async () => {
    const { market, client } = await opened();
    market.fail('GET /list', { status: 429, code: 'RATE_LIMIT', message: 'five a minute', retryAfter: 1_234 });
    const error = await client.list(never).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'RATE_LIMIT', retryable: true, retryAfterMs: 1_234 });
    expect(error.message).toContain('five a minute');
    market.fail('GET /list', { status: 403, code: 'BANNED', retryAfter: 10 ** 15 });
    const banned = await client.list(never).catch((thrown) => thrown);
    expect(isRefusal(banned, 'BANNED')).toBe(true);
    expect(banned.retryAfterMs).toBeLessThanOrEqual(24 * 3_600_000);
    market.fail('GET /list', { status: 502 });
    await expect(client.list(never)).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
  });
});

describe('a video', () => {
  it('is sent piece by piece, goes on after whatever passes, and nothing of it comes twice', async () => {
    const { market, client } = await opened();
    const file = randomBytes(10_000);
    const path = join(await folder(), 'video.webm');
    await writeFile(path, file);
    const { id } = await client.submit(submit(file), never);
    // The third piece comes, and its answer does not.
    market.fail('PUT /offers/:id/bytes', { status: 503 }, 'cut', { after: 'cut' }, { status: 429, code: 'RATE_LIMIT' });
    const sent: number[] = [];
    const told = await sendVideo(
      client,
      {
        offer: id,
        path,
        bytes: file.length,
        pieceBytes: 3_000,
        between: SOON,
        onSent: (bytes) => void sent.push(bytes),
      },
      never,
    );
    expect(told).toMatchObject({ state: 'submitted', nextByte: 10_000 });
    expect(sent).toEqual([0, 3_000, 6_000, 9_000, 10_000]);
    expect(Buffer.concat(market.uploads.get(id) ?? [])).toEqual(file);
  });

  it('is fetched from the byte on that is missing, and has its name once it is whole', async () => {
    const { market, client } = await opened();
    const file = randomBytes(400_000);
    const { id, sha256: hash } = await client.purchase(market.put('b', '1', file), '1', never);
    const path = join(await folder(), 'video.webm');
    market.cutAfter = 150_000;
    const wanted = { purchase: id, sha256: hash, bytes: file.length, path, between: SOON };
    await fetchVideo(client, wanted, never);
    expect(await readFile(path)).toEqual(file);
    const ranges = market.asked.flatMap(({ headers }) => headers.range ?? []);
    expect(ranges).toHaveLength(1);
    expect(Number(/\d+/.exec(ranges[0] ?? '')?.[0])).toBeGreaterThan(0);
    await fetchVideo(client, wanted, never); // it is there
    expect(market.count('GET /purchases/:id/video')).toBe(2);
  });

  it('that never begins is asked for again', async () => {
    const { market, client } = await opened();
    const file = randomBytes(5_000);
    const { id, sha256: hash } = await client.purchase(market.put('b', '1', file), '1', never);
    const path = join(await folder(), 'video.webm');
    const hung = Promise.withResolvers<void>();
    onTestFinished(() => hung.resolve());
    market.mayGive = hung.promise;
    const wanted = { purchase: id, sha256: hash, bytes: file.length, path, between: SOON, silentMs: 50 };
    const fetched = fetchVideo(client, wanted, never);
    await until(() => expect(market.count('GET /purchases/:id/video')).toBeGreaterThan(0));
    market.mayGive = Promise.resolve();
    await fetched;
    expect(await readFile(path)).toEqual(file);
  });

  it('that is given from its beginning again and again is given up', async () => {
    const { market, client } = await opened();
    const { id, sha256: hash } = await client.purchase(market.put('b', '1'), '1', never);
    const path = join(await folder(), 'video.webm');
    market.fail('GET /purchases/:id/video', ...Array.from({ length: 50 }, () => 'x'.repeat(30_000)));
    const wanted = { purchase: id, sha256: hash, bytes: 50_000, path, between: SOON };
    await expect(fetchVideo(client, wanted, never)).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(market.count('GET /purchases/:id/video')).toBeLessThan(10);
  });

  it('is not fetched into room that others need', async () => {
    const { market, client } = await opened();
    const { id, sha256: hash } = await client.purchase(market.put('b', '1'), '1', never);
    const path = join(await folder(), 'video.webm');
    const wanted = { purchase: id, sha256: hash, bytes: 50_000, path, between: SOON };
    const full = fetchVideo(client, { ...wanted, othersNeed: () => 2 ** 52 }, never);
    await expect(full).rejects.toMatchObject({ code: 'DISK_FULL' });
    await fetchVideo(client, { ...wanted, othersNeed: () => 1 }, never);
  });

  it('that is another one is thrown away', async () => {
    const { market, client } = await opened();
    const file = randomBytes(5_000);
    const { id } = await client.purchase(market.put('c', '1', file), '1', never);
    const path = join(await folder(), 'video.webm');
    const work = fetchVideo(
      client,
      { purchase: id, sha256: '00'.repeat(32), bytes: 5_000, path, between: SOON },
      never,
    );
    await expect(work).rejects.toMatchObject({ code: 'PROTOCOL' });
    await expect(stat(`${path}.part`)).rejects.toThrow('ENOENT');
    const longer = fetchVideo(client, { purchase: id, sha256: '00'.repeat(32), bytes: 10, path, between: SOON }, never);
    await expect(longer).rejects.toMatchObject({ code: 'PROTOCOL' });
  });
});
