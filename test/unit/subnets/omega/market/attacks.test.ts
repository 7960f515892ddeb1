import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ignoring } from '../../../../../src-main/base/swallowed.ts';
import { SIGNED_HEADERS } from '../../../../../src-main/bittensor/signed-requests/signed-text.ts';
import { RATES } from '../../../../../src-main/subnets/omega/market/server/market-gate.ts';
import { UploadPlaces } from '../../../../../src-main/subnets/omega/market/server/upload-places.ts';
import {
  MARKET_PATH,
  MARKET_ROUTES,
  MAX_MARKET_BODY_BYTES,
  raoSchema,
} from '../../../../../src-main/subnets/omega/market/wire.ts';
import { type Otherwise, openTestMarket } from '../../../../support/market-server.ts';
import { until } from '../../../../support/until.ts';

const VIDEO = randomBytes(9_000);
const WISH = { video: 'a'.repeat(32), price: '1' };

describe('who does not sign as he should is refused, with a body or without', () => {
  it.each<[string, Otherwise]>([
    ['another path', { signedPath: `${MARKET_PATH}/stats` }],
    ['another query', { signedPath: `${MARKET_PATH}/purchases?before=1` }],
    ['another method', { signedMethod: 'GET' }],
    ['another body', { signedBody: Buffer.from('{}') }],
    ['another market', { market: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' }],
    ['for another hotkey', { hotkey: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' }],
    ['for no hotkey', { hotkey: '1'.repeat(48) }],
    ['a minute and a second ago', { timestamp: Date.now() - 61_500 }],
    ['in an hour', { timestamp: Date.now() + 3_600_000 }],
    ['without a nonce', { headers: { [SIGNED_HEADERS.nonce]: undefined } }],
    ['with a nonce of another form', { headers: { [SIGNED_HEADERS.nonce]: '../../x' } }],
    ['without a signature', { headers: { [SIGNED_HEADERS.signature]: undefined } }],
    ['with a signature of zeros', { headers: { [SIGNED_HEADERS.signature]: '0'.repeat(128) } }],
  ])('%s', async (_, other) => {
    const { ask, ann } = await openTestMarket();
    expect(await ask(ann, 'POST /purchases', WISH, other)).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED' } },
    });
  });

  it('on every route, and on paths that nobody serves', async () => {
    const { url } = await openTestMarket();
    const paths = Object.values(MARKET_ROUTES).map((route) => route.replaceAll(/:\w+/g, 'a'.repeat(32)).split(' '));
    for (const [method = '', path = ''] of [...paths, ['GET', '/other'], ['POST', '/list']]) {
      const { status } = await fetch(`${url}${MARKET_PATH}${path}`, { method });
      expect(status, `${method} ${path}`).toBe(401);
    }
  });
});

it('a request counts once, also after a restart', async () => {
  const { ask, reopen, ann } = await openTestMarket();
  const other = { nonce: 'ab'.repeat(16), timestamp: Date.now() };
  expect((await ask(ann, 'GET /purchases', undefined, other)).status).toBe(200);
  expect(await ask(ann, 'GET /purchases', undefined, other)).toMatchObject({
    status: 401,
    body: { error: { message: expect.stringMatching(/nonce/) } },
  });
  await reopen();
  expect((await ask(ann, 'GET /purchases', undefined, other)).status).toBe(401);
});

it('a nonce that was forgotten does not come back with a clock that was set back', async () => {
  const { ask, reopen, clock, ann } = await openTestMarket();
  const other = { nonce: 'ab'.repeat(16), timestamp: Date.now() };
  expect((await ask(ann, 'GET /purchases', undefined, other)).status).toBe(200);
  clock.ahead = 600_000;
  await reopen(); // it forgets what is too old
  clock.ahead = 0;
  await reopen();
  expect(await ask(ann, 'GET /purchases', undefined, other)).toMatchObject({
    status: 401,
    body: { error: { message: expect.stringMatching(/remembers/) } },
  });
});

it('bodies that are too large, no JSON, too deep, or of another shape are refused', async () => {
  const { ask, submitOf, seller } = await openTestMarket();
  const send = (body: unknown) =>
    ask(seller, 'POST /offers', body, { headers: { 'content-type': 'application/json' } });
  expect((await send(Buffer.alloc(MAX_MARKET_BODY_BYTES + 1, 0x20))).status).toBe(413);
  const right = submitOf(VIDEO);
  const wrong: unknown[] = [
    Buffer.from('{"title":'),
    Buffer.from('['.repeat(100) + ']'.repeat(100)),
    { ...right, more: 1 },
  ];
  for (const body of wrong) expect((await send(body)).status).toBe(400);
  const quietly = await openTestMarket();
  const fields = [{ bytes: 2 ** 40 }, { seller: quietly.url }, { scoreCard: { ...right.scoreCard, score: 0.9 } }];
  for (const field of fields) {
    const { status, body } = await quietly.ask(quietly.seller, 'POST /offers', { ...right, ...field });
    expect([status, body.error.field]).toEqual([400, Object.keys(field)[0]]);
  }
  expect((await quietly.ask(quietly.seller, 'POST /offers', submitOf(VIDEO, { bytes: 200_000_000 }))).status).toBe(413);
});

it('ids that are none get nowhere', async () => {
  const { ask, ann, folder } = await openTestMarket();
  const ids = [
    '..',
    '%2e%2e%2f%2e%2e',
    'a'.repeat(31),
    'A'.repeat(32),
    `${'a'.repeat(32)}%00`,
    '%2Fetc%2Fpasswd',
    'a'.repeat(2_000),
  ];
  for (const id of ids) {
    const path = `!${MARKET_PATH}/purchases/${id}/video`;
    const { status } = await ask(ann, `GET ${path}`, undefined, {
      signedPath: new URL(path.slice(1), 'http://x').pathname,
    });
    expect([400, 404, 414], id).toContain(status);
  }
  expect(folder).toBeTruthy();
});

it('ranges of an upload are those of its bytes, and of its video', async () => {
  const { ask, submitOf, seller } = await openTestMarket();
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  const put = (range: string | undefined, bytes: Buffer) =>
    ask(seller, `PUT /offers/${id}/bytes`, bytes, { headers: { 'content-range': range } });
  const ranges = [
    undefined,
    'bytes 0-99/*',
    'bytes 5-4/9000',
    'bytes 0-98/9000',
    'bytes 0-100/9000',
    'bytes -1-98/9000',
    'bytes 0-99/100',
    'bytes 8950-9049/9000',
    'bytes 0-9007199254740992/9007199254740993',
  ];
  for (const range of ranges) expect((await put(range, Buffer.alloc(100))).status, range).toBe(400);
  expect((await put('bytes 100-199/9000', Buffer.alloc(100))).status).toBe(409);
  expect((await ask(seller, `PUT /offers/${id}/bytes`, Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(413);
});

it('ranges of a download give no more than there is', async () => {
  const { ask, listed, offer, pay, folder, ann, annCold } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  const { body } = await ask(ann, 'POST /purchases', { video: id, price: '100000000' });
  await ask(ann, `POST /purchases/${body.id}/verify`, pay(annCold, '100000000'));
  const get = (range: string) => ask(ann, `GET /purchases/${body.id}/video`, undefined, { headers: { range } });
  expect(await get('bytes=8000-99999999999')).toMatchObject({ status: 206, body: VIDEO.subarray(8_000) });
  expect(await get('bytes=9000-')).toMatchObject({
    status: 416,
    body: { error: { code: 'BAD_REQUEST', field: 'range' } },
  });
  expect((await get('bytes=0-0,5-5,7-7')).body.length).toBe(VIDEO.length);
  await rm(folder, { recursive: true });
  expect(await get('bytes=0-1')).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});

it('an amount that is none is refused in words, wherever it stands', async () => {
  for (const amount of ['x', '1.5', '', '-1', '0x1', '9'.repeat(20), '9'.repeat(50)]) {
    expect(raoSchema.safeParse(amount).success, amount).toBe(false);
  }
  const { ask, submitOf, ann, seller } = await openTestMarket();
  expect(await ask(ann, 'POST /purchases', { ...WISH, price: '1.5' })).toMatchObject({
    status: 400,
    body: { error: { field: 'price' } },
  });
  expect(await ask(seller, 'POST /offers', submitOf(VIDEO, { wish: 'x' }))).toMatchObject({
    status: 400,
    body: { error: { field: 'wish' } },
  });
});

it('the disk of a market is full at its budget', async () => {
  const limits = () => ({ videoBytes: 100_000, diskBytes: 10_000, keepMs: 1 });
  const { ask, submitOf, piece, seller } = await openTestMarket({ limits });
  const video = randomBytes(20_000);
  const { id } = (await ask(seller, 'POST /offers', submitOf(video))).body;
  expect((await piece(id, video, 0, 9_000)).status).toBe(200);
  expect(await piece(id, video, 9_000, 20_000)).toMatchObject({
    status: 503,
    body: { error: { code: 'UNAVAILABLE' } },
  });
});

it('no seller has more than five videos that are not listed', async () => {
  const { ask, submitOf, seller, clock } = await openTestMarket();
  for (let count = 0; count < 5; count++) {
    expect((await ask(seller, 'POST /offers', submitOf(randomBytes(2_000)))).status).toBe(201);
    clock.ahead += 30_000;
  }
  expect((await ask(seller, 'POST /offers', submitOf(randomBytes(2_000)))).body.error).toMatchObject({
    code: 'RATE_LIMIT',
    message: expect.stringMatching(/5 videos/),
  });
});

it('who sends slowly is cut off', async () => {
  const { url, signed, submitOf, ask, seller } = await openTestMarket({ requestTimeoutMs: 400 });
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  const path = `${MARKET_PATH}/offers/${id}/bytes`;
  const headers = await signed(seller, 'PUT', path, VIDEO);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const lines = Object.entries({
    host: 'x',
    'content-length': VIDEO.length,
    'content-range': 'bytes 0-8999/9000',
    ...headers,
  });
  socket.write(`PUT ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const drip = setInterval(() => socket.write('x'), 50);
  const heard: Buffer[] = [];
  socket.on('data', (bytes) => heard.push(bytes));
  socket.on('error', ignoring('it is cut off'));
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
  expect(Buffer.concat(heard).toString()).not.toMatch(/ 200 /);
  expect((await ask(seller, `GET /offers/${id}`)).body).toMatchObject({ state: 'uploading', nextByte: 0 });
});

it('a hotkey asks no more often than it may, and another is not in its way', async () => {
  const { ask, ann, bob } = await openTestMarket();
  for (let count = 0; count < RATES.routes.list!.burst; count++) expect((await ask(ann, 'GET /list')).status).toBe(200);
  const { status, headers, body } = await ask(ann, 'GET /list');
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(ann, 'GET /purchases')).status).toBe(200);
  expect((await ask(bob, 'GET /list')).status).toBe(200);
});

it('who repeats requests of another uses up nothing of what that one may', async () => {
  const { ask, ann } = await openTestMarket();
  const other = { nonce: 'cd'.repeat(16), timestamp: Date.now() };
  for (let count = 0; count < 12; count++) await ask(ann, 'GET /list', undefined, other);
  for (let count = 1; count < RATES.routes.list!.burst; count++) expect((await ask(ann, 'GET /list')).status).toBe(200);
});

it('an address asks no more often than it may, signed or not', async () => {
  const at = Date.now(); // it stands still: on a busy computer the flood takes long enough for more to be let in
  const { url, ask, ann } = await openTestMarket({ now: () => at });
  const flood = Array.from({ length: RATES.address.burst + 40 }, () => fetch(`${url}${MARKET_PATH}/list`));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
  expect((await ask(ann, 'GET /list')).status).toBe(429);
});

it('who is banned buys nothing, and hears for how long', async () => {
  const { ask, listed, offer, store, ann, annCold } = await openTestMarket();
  const id = await offer(VIDEO);
  await listed(id);
  await store.change((change) => change.setBuyer(annCold.address, { failures: 0, bannedUntil: Date.now() + 60_000 }));
  const { status, body, headers } = await ask(ann, 'POST /purchases', { video: id, price: '100000000' });
  expect([status, body.error.code]).toEqual([403, 'BANNED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
  expect((await ask(ann, 'GET /stats')).body.own.bannedUntil).toBeGreaterThan(Date.now());
});

it('whoever signs sells in his own name alone, and nobody does whom the chain does not know', async () => {
  const { ask, submitOf, bob, own } = await openTestMarket();
  expect(await ask(bob, 'POST /offers', submitOf(VIDEO))).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', field: 'seller' } },
  });
  expect(await ask(own, 'POST /offers', submitOf(VIDEO))).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringMatching(/does not know an owner/) } },
  });
});

it('a stranger takes no place from uploads: he is refused before a byte of his piece has come', async () => {
  const market = await openTestMarket();
  const { ask, submitOf, seller, bob, piece } = market;
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  const path = `${MARKET_PATH}/offers/${id}/bytes`;
  const { hostname, port } = new URL(market.url);
  for (let time = 0; time < 20; time++) {
    const headers = { ...(await market.signed(bob, 'PUT', path, VIDEO)), 'content-length': VIDEO.length };
    const put = request({ hostname, port, path, method: 'PUT', headers });
    onTestFinished(() => void put.destroy());
    put.on('error', ignoring('the market ends what it has refused'));
    put.write('x'); // and no more ever comes
    const [response] = (await once(put, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
    response.resume();
  }
  expect((await piece(id, VIDEO, 0, VIDEO.length)).status).toBe(200);
});

it('a few sellers with many pieces keep out nobody who has none', () => {
  const places = new UploadPlaces();
  const taken: (() => void)[] = [];
  onTestFinished(() => {
    for (const giveBack of taken) giveBack();
  });
  const piece = { bytes: () => 0, isWhole: () => false, end: () => {} };
  const take = (seller: string) => taken.push(places.take(seller, piece));
  for (let time = 0; time < 4; time++) take('a');
  expect(() => take('a')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  for (let time = 0; time < 4; time++) take('b');
  for (const seller of ['c', 'd']) {
    take(seller);
    expect(() => take(seller)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  }
  for (const seller of 'efghij') take(seller);
  expect(() => take('k')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  taken.shift()?.();
  take('k');
});

it('a piece of which nothing comes is ended long before its time is over', async () => {
  const { url, ask, signed, submitOf, seller, piece } = await openTestMarket({ pieceLookMs: 200 });
  const { id } = (await ask(seller, 'POST /offers', submitOf(VIDEO))).body;
  const path = `${MARKET_PATH}/offers/${id}/bytes`;
  const { hostname, port } = new URL(url);
  const headers = { ...(await signed(seller, 'PUT', path, VIDEO)), 'content-length': VIDEO.length };
  const put = request({ hostname, port, path, method: 'PUT', headers });
  onTestFinished(() => void put.destroy());
  put.on('error', ignoring('the market ends what is too slow'));
  put.write('x'); // and no more ever comes
  await new Promise((resolve) => put.on('close', resolve));
  expect((await piece(id, VIDEO, 0, VIDEO.length)).status).toBe(200);
});

it('what is not listed yet takes a tenth of the disk for each seller, or one video', async () => {
  const limits = () => ({ videoBytes: 4_000, diskBytes: 60_000, keepMs: 1 });
  const { ask, submitOf, offer, listed, seller } = await openTestMarket({ limits });
  const submit = async (bytes: number) => ask(seller, 'POST /offers', submitOf(randomBytes(bytes)));
  expect((await submit(4_000)).status).toBe(201);
  expect(await submit(4_000)).toMatchObject({
    status: 429,
    body: { error: { code: 'RATE_LIMIT', message: expect.stringMatching(/6000 bytes/) } },
  });
  await listed(await offer(randomBytes(2_000)));
  expect((await submit(2_000)).status).toBe(201);
  const small = await openTestMarket({ limits: () => ({ ...limits(), diskBytes: 8_000 }) });
  expect((await small.ask(small.seller, 'POST /offers', small.submitOf(randomBytes(4_000)))).status).toBe(201);
});

it('who knows the hash of a video alone keeps nobody from offering it, and has it no more once it is there', async () => {
  const { ask, submitOf, offer, listed, reopen, store, seller, ann, annCold } = await openTestMarket();
  const squat = async (video: Buffer) =>
    ask(ann, 'POST /offers', submitOf(video, { seller: annCold.address, bytes: video.length }));
  const { id: squatted } = (await squat(VIDEO)).body;
  const id = await offer(VIDEO);
  await listed(id);
  expect((await squat(VIDEO)).status).toBe(409);
  expect((await ask(seller, 'POST /offers', submitOf(VIDEO))).status).toBe(409);
  const whole = { headers: { 'content-range': `bytes 0-${VIDEO.length - 1}/${VIDEO.length}` } };
  expect((await ask(ann, `PUT /offers/${squatted}/bytes`, VIDEO, whole)).status).toBe(200);
  await until(async () => expect(await store.examined.isHashed(squatted)).toBe(true)); // it is looked at, and had by another
  await reopen();
  expect((await ask(ann, `GET /offers/${squatted}`)).body).toMatchObject({
    state: 'withdrawn',
    reason: expect.stringMatching(/came first/),
  });
  expect((await ask(ann, 'GET /list')).body.videos).toMatchObject([{ id }]);
});

it('a video of a seller is offered once at a time, from its first byte on', async () => {
  const { ask, submitOf, seller } = await openTestMarket();
  expect((await ask(seller, 'POST /offers', submitOf(VIDEO))).status).toBe(201);
  expect(await ask(seller, 'POST /offers', submitOf(VIDEO))).toMatchObject({
    status: 409,
    body: { error: { field: 'sha256' } },
  });
});
