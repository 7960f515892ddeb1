import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoginLimit } from '../../../../src-main/server/access/login-limit.ts';
import {
  MAX_SESSIONS,
  SESSION_IDLE_MS,
  SESSION_MS,
  Sessions,
  type SessionsOptions,
} from '../../../../src-main/server/access/sessions.ts';
import type { WebSession } from '../../../../src-main/store/web-sessions.ts';
import {
  AS_OWNER,
  chat,
  cookieOf,
  LOCAL_TOKEN,
  openServer,
  type RawResponse,
  raw,
} from '../../../support/server-harness.ts';
import { closeCode, openPage, refusal, rpcClient, smallContract } from '../../../support/socket-harness.ts';

const TOKEN = 'a token of some length';

function clock() {
  const time = { now: 1_700_000_000_000 };
  return { time, now: () => time.now };
}

/** Where sessions outlive a process that is killed; what it has not taken is lost. */
class Disk {
  kept: WebSession[] = [];
  writes = 0;
  fault: Error | undefined;

  async load(): Promise<WebSession[]> {
    return this.kept;
  }

  async save(sessions: readonly WebSession[]): Promise<void> {
    if (this.fault) throw this.fault;
    this.writes++;
    this.kept = [...sessions];
  }
}

async function openSessions(options: Partial<SessionsOptions> = {}): Promise<Sessions> {
  const sessions = new Sessions({ realm: 'tokens', log: pino({ level: 'silent' }), ...options });
  await sessions.open();
  return sessions;
}

const startedIn = (sessions: Sessions, count: number) =>
  Promise.all(Array.from({ length: count }, () => sessions.start()));

describe('sessions', () => {
  it('live from their start until they are ended', async () => {
    const sessions = await openSessions();
    const [mine = '', other] = await startedIn(sessions, 2);
    await sessions.end(mine);
    expect([sessions.isLive(mine), sessions.isLive(other)]).toEqual([false, true]);
  });

  it('have ids of 256 random bits', async () => {
    const ids = await startedIn(await openSessions(), 50);
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
  });

  it.each([undefined, '', 'wrong', 'x'.repeat(10_000)])('are not made up: %s', async (id) => {
    expect((await openSessions()).isLive(id)).toBe(false);
  });

  it('end when nobody uses them, and not while somebody does', async () => {
    const { time, now } = clock();
    const sessions = await openSessions({ now });
    const [used, unused] = await startedIn(sessions, 2);
    time.now += SESSION_IDLE_MS - 1;
    expect(sessions.isLive(used)).toBe(true);
    time.now += 1;
    expect([sessions.isLive(used), sessions.isLive(unused)]).toEqual([true, false]);
  });

  it('end after their time, however much they are used', async () => {
    const { time, now } = clock();
    const sessions = await openSessions({ now });
    const id = await sessions.start();
    for (
      const end = time.now + SESSION_MS - 1;
      time.now < end;
      time.now = Math.min(end, time.now + SESSION_IDLE_MS / 2)
    ) {
      expect(sessions.isLive(id)).toBe(true);
    }
    time.now += 1;
    expect(sessions.isLive(id)).toBe(false);
  });

  it('are limited: the one that was not used for longest makes room', async () => {
    const sessions = await openSessions();
    const ids = await startedIn(sessions, MAX_SESSIONS);
    expect(sessions.isLive(ids[0])).toBe(true);
    await sessions.start();
    expect(ids.map((id) => sessions.isLive(id))).toEqual(ids.map((_, at) => at !== 1));
  });
});

describe('sessions, when the node is killed and started again,', () => {
  it('are those that were begun and not ended: what was told is on the disk', async () => {
    const store = new Disk();
    const before = await openSessions({ store });
    const [kept = '', ended = ''] = await startedIn(before, 2);
    await before.end(ended);
    const after = await openSessions({ store });
    expect([after.isLive(kept), after.isLive(ended)]).toEqual([true, false]);
  });

  it('are kept as hashes: whoever reads the disk cannot come in with it', async () => {
    const store = new Disk();
    const id = await (await openSessions({ store })).start();
    expect(JSON.stringify(store.kept)).not.toContain(id);
    expect(store.kept[0]?.hash).toHaveLength(44);
    expect((await openSessions({ store })).isLive(store.kept[0]?.hash)).toBe(false);
  });

  it('are over with another token, and stay so when the old one comes back', async () => {
    const store = new Disk();
    const id = await (await openSessions({ store, realm: 'first' })).start();
    expect((await openSessions({ store, realm: 'second' })).isLive(id)).toBe(false);
    expect((await openSessions({ store, realm: 'first' })).isLive(id)).toBe(false);
    expect(store.kept).toEqual([]);
  });

  it('end in their time, and as many are kept as there may be', async () => {
    const { time, now } = clock();
    const store = new Disk();
    const before = await openSessions({ store, now });
    const ids = await startedIn(before, MAX_SESSIONS + 3);
    expect(store.kept).toHaveLength(MAX_SESSIONS);
    time.now += SESSION_IDLE_MS - 1;
    expect(before.isLive(ids[50])).toBe(true);
    await before.close();
    time.now += 1;
    const after = await openSessions({ store, now });
    expect(ids.filter((id) => after.isLive(id))).toEqual([ids[50]]);
    expect(store.kept).toHaveLength(1);
  });

  it('last no longer for a clock that was ahead', async () => {
    const { time, now } = clock();
    const store = new Disk();
    time.now += 365 * 86_400_000;
    const id = await (await openSessions({ store, now })).start();
    time.now -= 365 * 86_400_000;
    const after = await openSessions({ store, now });
    expect(after.isLive(id)).toBe(true);
    time.now += SESSION_IDLE_MS;
    expect(after.isLive(id)).toBe(false);
  });

  it('are in use although they were killed: within the hour it is written down, and not each time', async () => {
    const { time, now } = clock();
    const store = new Disk();
    const sessions = await openSessions({ store, now });
    const id = await sessions.start();
    const { writes } = store;
    for (const end = time.now + SESSION_IDLE_MS; time.now < end; time.now += 60_000) sessions.isLive(id);
    expect(store.writes - writes).toBeLessThanOrEqual(7 * 24);
    time.now += SESSION_IDLE_MS - 2 * 3_600_000;
    expect((await openSessions({ store, now })).isLive(id)).toBe(true);
  });

  it('may be begun on a full disk, but not ended: that would be no promise', async () => {
    const store = new Disk();
    const sessions = await openSessions({ store });
    store.fault = new Error('ENOSPC');
    const id = await sessions.start();
    expect(sessions.isLive(id)).toBe(true);
    await expect(sessions.end(id)).rejects.toThrow('ENOSPC');
    expect(sessions.isLive(id)).toBe(false);
  });
});

describe('the limit of logins', () => {
  it('lets an address try five times, and then waits longer and longer', () => {
    const { time, now } = clock();
    const limit = new LoginLimit(now);
    const waits = Array.from({ length: 8 }, (_, at) => {
      limit.failed('a', `guess ${at}`);
      const wait = limit.waitMs('a');
      time.now += wait;
      return wait;
    });
    expect(waits).toEqual([0, 0, 0, 0, 1000, 2000, 4000, 8000]);
    expect(limit.waitMs('b')).toBe(0);
  });

  it('never waits longer than a quarter of an hour, and forgets after an hour', () => {
    const { time, now } = clock();
    const limit = new LoginLimit(now);
    for (let each = 0; each < 40; each++) {
      time.now += 60_000;
      limit.failed('a', `guess ${each}`);
    }
    expect(limit.waitMs('a')).toBe(15 * 60_000);
    time.now += 60 * 60_000;
    limit.failed('a', 'guess');
    expect(limit.waitMs('a')).toBe(0);
  });

  it('forgives an address that has the token after all', () => {
    const limit = new LoginLimit();
    for (let each = 0; each < 5; each++) limit.failed('a', `guess ${each}`);
    limit.succeeded('a');
    expect(limit.waitMs('a')).toBe(0);
  });

  it('holds for all addresses together, too', () => {
    const { time, now } = clock();
    const limit = new LoginLimit(now);
    for (let each = 0; each < 60; each++) limit.failed(`address ${each}`, 'guess');
    expect(limit.waitMs('a new one')).toBe(60_000);
    time.now += 60_000;
    expect(limit.waitMs('a new one')).toBe(0);
  });

  it('takes the same wrong token again for no further guess: an old program locks nobody out', () => {
    const limit = new LoginLimit();
    for (let each = 0; each < 1_000; each++)
      limit.failed('a', each % 2 ? 'the token of last week' : 'that of last year');
    expect(limit.waitMs('a')).toBe(0);
  });

  it('keeps nobody waiting at this machine, and where the token was known before, for what strangers do', () => {
    const { time, now } = clock();
    const limit = new LoginLimit(now);
    limit.succeeded('192.0.2.7');
    limit.succeeded('::ffff:192.0.2.8');
    for (let each = 0; each < 10 * 60; each++) {
      time.now += 1_000;
      if (limit.waitMs(`203.0.113.${each}`) === 0) limit.failed(`203.0.113.${each}`, 'guess');
      if (limit.waitMs(`198.51.100.${each}`) === 0) limit.failed(`198.51.100.${each}`, 'guess');
    }
    for (const home of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.7', '192.0.2.8']) {
      expect([home, limit.waitMs(home)]).toEqual([home, 0]);
    }
    expect(limit.waitMs('192.0.2.9')).toBeGreaterThan(0);
  });

  it('holds there as well, and is nobody else’s there', () => {
    const limit = new LoginLimit();
    limit.succeeded('192.0.2.7');
    for (const home of ['127.0.0.1', '192.0.2.7']) {
      for (let each = 0; each < 60; each++) limit.failed(home, `guess ${each}`);
      expect(limit.waitMs(home)).toBeGreaterThan(1_000);
    }
    expect(limit.waitMs('a stranger')).toBe(0);
  });

  it('takes all addresses of an IPv6 network for one', () => {
    const limit = new LoginLimit();
    for (let each = 0; each < 5; each++) limit.failed(`2001:db8:7:${each}::1`, `guess ${each}`);
    expect(limit.waitMs('2001:db8:7:ffff::2')).toBeGreaterThan(0);
    expect(limit.waitMs('2001:db8:8::1')).toBe(0);
  });

  it('locks nobody out for longer when the clock is set back', () => {
    const { time, now } = clock();
    const limit = new LoginLimit(now);
    for (let each = 0; each < 60; each++) limit.failed(`address ${each % 10}`, `guess ${each}`);
    const wait = limit.waitMs('address 1');
    time.now -= 6 * 60 * 60_000;
    expect([limit.waitMs('address 1'), limit.waitMs('a new one')]).toEqual([wait, 60_000]);
    time.now += wait;
    expect([limit.waitMs('address 1'), limit.waitMs('a new one')]).toEqual([0, 0]);
    limit.failed('address 1', 'one more');
    expect(limit.waitMs('a new one')).toBe(0);
  });
});

describe('guessing with the tokens of programs', () => {
  const publicUrl = 'https://quarry.example.org';
  const ask = (url: string, token: string, address = '192.0.2.1', path = '/v1/models') => {
    const headers = { authorization: `Bearer ${token}`, host: 'quarry.example.org', 'x-forwarded-for': address };
    return raw(url + path, { headers });
  };

  it('is slowed down as at the login, and counts with it', async () => {
    const { url } = await openServer({ token: TOKEN, publicUrl });
    for (let each = 0; each < 4; each++) expect((await ask(url, `guess ${each}`)).status).toBe(401);
    expect((await ask(url, 'guess 4', undefined, '/nowhere')).status).toBe(401);
    const answer = await ask(url, TOKEN);
    expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([
      429,
      'too_many_attempts',
      '1',
    ]);
    expect((await login(url, TOKEN, { origin: publicUrl, 'x-forwarded-for': '192.0.2.1' })).status).toBe(429);
    expect((await ask(url, TOKEN, '192.0.2.2')).status).toBe(200);
  });

  it('finds nothing out at the health or the WebSocket either', async () => {
    const { url } = await openServer({ token: TOKEN, publicUrl, contract: smallContract().router });
    for (let each = 0; each < 5; each++) await ask(url, `guess ${each}`, '192.0.2.1', '/healthz');
    expect((await ask(url, TOKEN, '192.0.2.1', '/healthz')).json).toEqual({ status: 'ok' });
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.1' };
    expect(await refusal(url, { headers, origin: publicUrl })).toBe(429);
  });

  it('locks out no program that goes on with an old token, nor its neighbours', async () => {
    const { url } = await openServer({ token: TOKEN });
    const authorised = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    for (let each = 0; each < 20; each++) {
      expect((await raw(`${url}/metrics`, authorised('the token of last week'))).status).toBe(401);
    }
    expect((await raw(`${url}/metrics`, authorised(TOKEN))).status).toBe(200);
  });

  it('keeps no command of this user and no open page waiting', async () => {
    const { url, cookie } = await loggedIn();
    for (let each = 0; each < 9; each++) await login(url, `guess ${each}`);
    expect((await login(url, TOKEN)).status).toBe(429);
    expect((await raw(`${url}/v1/models`, { headers: AS_OWNER })).status).toBe(200);
    expect(await rpcClient(await openPage(url, { headers: { cookie } })).echo({ text: 'in' })).toBe('in');
  });
});

function login(url: string, token: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return raw(`${url}/session`, { body: { token }, headers: { origin: url, ...headers } });
}

async function loggedIn(options: Parameters<typeof openServer>[0] = {}) {
  const contract = smallContract();
  const harness = await openServer({ token: TOKEN, contract: contract.router, ...options });
  const cookie = cookieOf(await login(harness.url, TOKEN));
  return { ...harness, ...contract, cookie };
}

const state = async (url: string, cookie = '') => (await raw(`${url}/session`, { headers: { cookie } })).json;

describe('logging in from a browser', () => {
  it('is by a link where there is no token', async () => {
    const { url } = await openServer();
    expect(await state(url)).toEqual({ hasToken: false, loggedIn: false, inCheckout: true });
    for (const token of ['', 'undefined', LOCAL_TOKEN]) {
      const answer = await login(url, token);
      expect([answer.status, answer.json.error.code, answer.json.error.said.message.key]).toEqual([
        401,
        'no_token',
        'login.byLink',
      ]);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('takes the token and gives a cookie that scripts and other sites do not get', async () => {
    const { url } = await openServer({ token: TOKEN });
    expect(await state(url)).toEqual({ hasToken: true, loggedIn: false, inCheckout: true });
    const answer = await login(url, TOKEN);
    expect([answer.status, answer.json]).toEqual([200, { hasToken: true, loggedIn: true, inCheckout: true }]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^quarry_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(await state(url, cookieOf(answer))).toEqual({ hasToken: true, loggedIn: true, inCheckout: true });
  });

  it('makes the cookie one for TLS and this host alone, where the public address has TLS', async () => {
    const { url } = await openServer({ token: TOKEN, publicUrl: 'https://quarry.example.org' });
    const answer = await login(url, TOKEN, { origin: 'https://quarry.example.org', host: 'quarry.example.org' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-quarry_session=.*; Secure; SameSite=Strict$/);
  });

  it.each([['wrong'], [''], [`${TOKEN} `], ['x'.repeat(512)]])('refuses the token «%s»', async (token) => {
    const { url } = await openServer({ token: TOKEN });
    const answer = await login(url, token);
    expect([answer.status, answer.json.error.code]).toEqual([401, 'wrong_token']);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    ['no token', {}, 400],
    ['a token that is no text', { token: 7 }, 400],
    ['a long token', { token: 'x'.repeat(513) }, 400],
    ['more than a token', { token: TOKEN, more: 1 }, 400],
    ['a long body', { token: TOKEN, more: 'x'.repeat(5_000) }, 413],
  ])('refuses %s', async (_, body, status) => {
    const { url } = await openServer({ token: TOKEN });
    expect((await raw(`${url}/session`, { body })).status).toBe(status);
  });

  it('refuses forms, which pages of other sites could send', async () => {
    const { url } = await openServer({ token: TOKEN });
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await raw(`${url}/session`, { body: `token=${TOKEN}`, headers: { 'content-type': type } });
      expect(answer.status).toBe(415);
    }
  });

  it('refuses pages of other origins', async () => {
    const { url } = await openServer({ token: TOKEN });
    const answer = await login(url, TOKEN, { origin: 'https://evil.example' });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'wrong_origin']);
  });

  it('slows those down who guess, even if they guess right then', async () => {
    const { url } = await openServer({ token: TOKEN });
    for (let each = 0; each < 5; each++) expect((await login(url, `guess ${each}`)).status).toBe(401);
    const answer = await login(url, TOKEN);
    expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([
      429,
      'too_many_attempts',
      '1',
    ]);
  });

  it('does not slow others down, whom the proxy tells apart', async () => {
    const { url } = await openServer({ token: TOKEN, publicUrl: 'https://quarry.example.org' });
    const from = (address: string) => ({ origin: 'https://quarry.example.org', 'x-forwarded-for': address });
    for (let each = 0; each < 5; each++) await login(url, `guess ${each}`, from('192.0.2.1'));
    expect((await login(url, TOKEN, from('192.0.2.1'))).status).toBe(429);
    expect((await login(url, TOKEN, from('192.0.2.2'))).status).toBe(200);
  });

  it('believes nobody who says that he is another, where there is no proxy', async () => {
    const { url } = await openServer({ token: TOKEN });
    for (let each = 0; each < 5; each++) await login(url, `guess ${each}`, { 'x-forwarded-for': `192.0.2.${each}` });
    expect((await login(url, TOKEN, { 'x-forwarded-for': '192.0.2.9' })).status).toBe(429);
  });

  it('counts the guesses of a browser that is logged in apart from those that others made in its address', async () => {
    const publicUrl = 'https://quarry.example.org';
    const { url } = await openServer({ token: TOKEN, publicUrl });
    const from = { origin: publicUrl, 'x-forwarded-for': '198.51.100.5' };
    const cookie = cookieOf(await login(url, TOKEN, from));
    for (let each = 0; each < 9; each++) await login(url, `guess ${each}`, from);
    expect((await login(url, TOKEN, from)).status).toBe(429);
    const again = await login(url, TOKEN, { ...from, cookie });
    expect(again.status).toBe(200);
    // And no more freely: as many are free as for an address.
    const mine = { ...from, cookie: cookieOf(again) };
    for (let each = 0; each < 5; each++) expect((await login(url, `mine ${each}`, mine)).status).toBe(401);
    expect((await login(url, TOKEN, mine)).status).toBe(429);
    expect((await login(url, TOKEN, from)).status).toBe(200);
  });
});

describe('what the cookie opens', () => {
  afterEach(() => void vi.useRealTimers());

  it('the contract’s WebSocket, for pages of this server', async () => {
    const { url, cookie } = await loggedIn();
    const socket = await openPage(url, { headers: { cookie } });
    expect(await rpcClient(socket).echo({ text: 'in' })).toBe('in');
    expect(await refusal(url, { headers: { cookie: 'quarry_session=wrong' } })).toBe(401);
  });

  it('no WebSocket for other pages, whose browser sends it all the same', async () => {
    const { url, cookie } = await loggedIn();
    expect(await refusal(url, { headers: { cookie }, origin: 'https://evil.example' })).toBe(403);
    expect(await refusal(url, { headers: { cookie }, origin: undefined })).toBe(403);
  });

  it('neither the API nor the contract over HTTP', async () => {
    const { url, cookie, generator } = await loggedIn();
    const headers = { cookie, origin: url };
    for (const path of ['/v1/models', '/metrics', '/rpc/echo', '/nowhere']) {
      expect([path, (await raw(url + path, { headers })).status]).toEqual([path, 401]);
    }
    expect((await raw(`${url}/rpc/echo`, { headers, body: { json: { text: 'x' } } })).status).toBe(401);
    expect((await raw(`${url}/v1/chat/completions`, { headers, body: chat() })).status).toBe(401);
    expect(generator.asked).toEqual([]);
  });

  it('no details of the health', async () => {
    const { url, cookie } = await loggedIn();
    expect((await raw(`${url}/healthz`, { headers: { cookie } })).json).toEqual({ status: 'ok' });
  });

  it('nothing after logging out: the open page is closed, too', async () => {
    const { url, cookie, open } = await loggedIn();
    const socket = await openPage(url, { headers: { cookie } });
    await rpcClient(socket).watch();
    const code = closeCode(socket);
    const answer = await raw(`${url}/session`, { method: 'DELETE', headers: { cookie, origin: url } });
    expect([answer.status, answer.json]).toEqual([200, { hasToken: true, loggedIn: false, inCheckout: true }]);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^quarry_session=; Max-Age=0; Path=\//);
    expect(await code).toBe(4401);
    expect(await refusal(url, { headers: { cookie } })).toBe(401);
    await expect.poll(() => open.streams).toBe(0);
  });

  it('leaves other people’s pages open when one logs out', async () => {
    const { url, cookie } = await loggedIn();
    const other = cookieOf(await login(url, TOKEN));
    const socket = await openPage(url, { headers: { cookie: other } });
    await raw(`${url}/session`, { method: 'DELETE', headers: { cookie } });
    expect(await rpcClient(socket).echo({ text: 'still in' })).toBe('still in');
  });

  it('ends the session before, when the same browser logs in again', async () => {
    const { url, cookie } = await loggedIn();
    const next = cookieOf(await login(url, TOKEN, { cookie }));
    expect([await state(url, cookie), await state(url, next)]).toMatchObject([{ loggedIn: false }, { loggedIn: true }]);
  });

  it('nothing when its time is over, although its page is open', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { url, cookie } = await loggedIn({ limits: { pingMs: 300 } });
    const socket = await openPage(url, { headers: { cookie } });
    const code = closeCode(socket);
    vi.setSystemTime(Date.now() + SESSION_MS);
    expect(await code).toBe(4401);
  });
});

describe('the token of this account', () => {
  it('lets programs in as the token does, but nobody log in', async () => {
    const { url } = await openServer({ token: TOKEN });
    for (const [token, status] of [
      [TOKEN, 200],
      [LOCAL_TOKEN, 200],
      ['wrong', 401],
    ] as const) {
      expect((await raw(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(status);
    }
    expect((await login(url, LOCAL_TOKEN)).status).toBe(401);
  });
});
