import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ENTRY_MS, EntryCodes, MAX_CODES } from '../../../../src-main/server/access/entry-codes.ts';
import { AS_OWNER, cookieOf, openServer, type RawResponse, raw } from '../../../support/server-harness.ts';
import { openPage, refusal, rpcClient, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';

function clock() {
  const time = { now: 1_700_000_000_000 };
  return { time, now: () => time.now };
}

describe('a code', () => {
  it('lets one in, once', () => {
    const codes = new EntryCodes();
    const { code } = codes.make();
    expect([codes.take(code), codes.take(code)]).toEqual([true, false]);
  });

  it('is 128 random bits', () => {
    const codes = new EntryCodes();
    const all = Array.from({ length: 50 }, () => codes.make().code);
    expect(new Set(all).size).toBe(50);
    for (const code of all) expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  });

  it.each(['', 'wrong', 'x'.repeat(100)])('is not made up: «%s»', (code) => {
    const codes = new EntryCodes();
    const right = codes.make();
    expect([codes.take(code), codes.take(right.code)]).toEqual([false, true]);
  });

  it('is over after ten minutes, and when the clock is set back', () => {
    const { time, now } = clock();
    const codes = new EntryCodes(now);
    const [late, right, early] = [codes.make(), codes.make(), codes.make()];
    expect(right.expiresAt).toBe(time.now + ENTRY_MS);
    time.now += ENTRY_MS - 1;
    expect(codes.take(right.code)).toBe(true);
    time.now += 1;
    expect(codes.take(late.code)).toBe(false);
    time.now -= 2 * ENTRY_MS;
    expect(codes.take(early.code)).toBe(false);
  });

  it('makes room for later ones: no number of them is kept', () => {
    const codes = new EntryCodes();
    const all = Array.from({ length: MAX_CODES + 1 }, () => codes.make().code);
    expect(all.map((code) => codes.take(code))).toEqual(all.map((_, at) => at > 0));
  });
});

const place = ({ status, headers }: RawResponse) => [status, headers.location];
const guess = (url: string, at: number) => `${url}/enter?code=${String(at).padStart(22, 'A')}`;

describe('a link', () => {
  it.each([
    ['without a token', {}],
    ['with a token', { token: TOKEN }],
  ])('lets a browser in on a node %s, and leaves the address at once', async (_, options) => {
    const { url, server } = await openServer({ contract: smallContract().router, ...options });
    const { url: link } = server.entry();
    expect(link).toMatch(new RegExp(`^${url}/enter\\?code=[\\w-]{22}$`));
    const answer = await raw(link);
    expect(place(answer)).toEqual([303, '/']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^quarry_session=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
    const headers = { cookie: cookieOf(answer) };
    expect((await raw(`${url}/session`, { headers })).json).toMatchObject({ loggedIn: true });
    expect(await rpcClient(await openPage(url, { headers })).echo({ text: 'in' })).toBe('in');
  });

  it('works once: whoever comes second is told that it is over', async () => {
    const { server } = await openServer();
    const { url: link } = server.entry();
    await raw(link);
    const second = await raw(link);
    expect([...place(second), second.headers['set-cookie']]).toEqual([303, '/?link=over', undefined]);
  });

  it('is quietly passed by a browser that is in', async () => {
    const { server } = await openServer();
    const { url: link } = server.entry();
    const headers = { cookie: cookieOf(await raw(link)) };
    const again = await raw(link, { headers });
    expect([...place(again), again.headers['set-cookie']]).toEqual([303, '/', undefined]);
    expect(place(await raw(server.entry().url, { headers }))).toEqual([303, '/']);
  });

  it.each([
    ['no code', ''],
    ['an empty one', '?code='],
    ['two', '?code=a&code=b'],
    ['a long one', `?code=${'x'.repeat(200)}`],
  ])('opens nothing with %s', async (_, query) => {
    const { url } = await openServer();
    expect(place(await raw(`${url}/enter${query}`))).toEqual([303, '/?link=over']);
  });

  it('is not guessed: each address may try five times, apart from the login; who has a right one comes in all the same', async () => {
    const { url, server } = await openServer({ token: TOKEN });
    for (let at = 0; at < 5; at++) expect((await raw(guess(url, at))).status).toBe(303);
    const answer = await raw(guess(url, 5));
    expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([
      429,
      'too_many_attempts',
      '1',
    ]);
    // A page elsewhere may have made the owner's browser ask: the login does not suffer from it.
    expect((await raw(`${url}/session`, { body: { token: TOKEN } })).status).toBe(200);
    expect(place(await raw(server.entry().url))).toEqual([303, '/']);
  });

  it('is nothing for pages elsewhere, whose guesses do not even count', async () => {
    const { url, server } = await openServer();
    const { url: link } = server.entry();
    const ways: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
    ];
    for (const headers of ways) {
      for (let at = 0; at < 7; at++) expect((await raw(guess(url, at), { headers })).status).toBe(403);
      expect((await raw(link, { headers })).status).toBe(403);
    }
    expect(place(await raw(guess(url, 0)))).toEqual([303, '/?link=over']);
    expect(place(await raw(link))).toEqual([303, '/']);
  });

  it('is not used up by a browser that loads ahead, or asks for its head', async () => {
    const { server } = await openServer();
    const { url: link } = server.entry();
    expect((await raw(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(503);
    expect((await raw(link, { headers: { purpose: 'prefetch' } })).status).toBe(503);
    expect((await raw(link, { method: 'HEAD' })).status).toBe(404);
    expect(place(await raw(link))).toEqual([303, '/']);
  });

  it('is for the address at which a proxy serves the node', async () => {
    const { url, server } = await openServer({ token: TOKEN, publicUrl: 'https://quarry.example.org' });
    const { url: link } = server.entry();
    expect(link).toMatch(/^https:\/\/quarry\.example\.org\/enter\?code=/);
    const answer = await raw(link.replace('https://quarry.example.org', url), {
      headers: { host: 'quarry.example.org' },
    });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-quarry_session=.*; Secure; SameSite=Strict$/);
  });

  it('is in no line of the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const { server, url } = await openServer({ log });
    const { url: link } = server.entry();
    await raw(link);
    await raw(link);
    for (let at = 0; at < 7; at++) await raw(guess(url, at));
    expect(lines.join('')).toContain('server listens');
    expect(lines.join('')).not.toMatch(/code|AAAA/);
    expect(lines.join('')).not.toContain(new URL(link).searchParams.get('code'));
  });
});

describe('another account of this computer', () => {
  it.each(['/rpc/echo', '/rpc/nothing'])('may not call %s', async (path) => {
    const { router, calls } = smallContract();
    const { url } = await openServer({ contract: router });
    const body = { json: { text: 'x' } };
    for (const headers of [{}, { origin: url }, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
      const answer = await raw(url + path, { body, headers });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'invalid_api_key']);
    }
    expect(calls.count).toBe(0);
  });

  it('may not open the contract’s WebSocket, whatever it says of itself', async () => {
    const { url } = await openServer({ contract: smallContract().router });
    const lies = [
      {},
      { cookie: 'quarry_session=wrong' },
      { authorization: 'Bearer wrong' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of lies as Record<string, string>[]) expect(await refusal(url, { headers })).toBe(401);
    expect(await refusal(url, { headers: {}, origin: undefined })).toBe(403);
  });

  it('may use the API, unless the settings say otherwise, and see that the node is well', async () => {
    const open = await openServer();
    expect((await raw(`${open.url}/v1/models`)).status).toBe(200);
    expect((await raw(`${open.url}/metrics`)).status).toBe(200);
    expect((await raw(`${open.url}/healthz`)).json).toEqual({ status: 'ok', engine: 'ready' });
    expect((await raw(`${open.url}/v1/nowhere`)).status).toBe(404);
    const closed = await openServer({ localApiOpen: false });
    for (const path of ['/v1/models', '/v1/models/tiny', '/metrics', '/v1/nowhere', '/nowhere']) {
      expect([path, (await raw(closed.url + path)).status]).toEqual([path, 401]);
    }
    expect((await raw(`${closed.url}/v1/chat/completions`, { body: {} })).status).toBe(401);
    expect((await raw(`${closed.url}/healthz`)).json).toEqual({ status: 'ok' });
    expect((await raw(`${closed.url}/v1/models`, { headers: AS_OWNER })).status).toBe(200);
  });

  it('may not use what others add to the server', async () => {
    const { url } = await openServer({ extend: (app) => void app.get('/more', () => ({ secret: 1 })) });
    expect((await raw(`${url}/more`)).status).toBe(401);
  });
});
