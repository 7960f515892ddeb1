import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { HttpServer } from '../../../../src-main/server/http-server.ts';
import type { ServerOptions } from '../../../../src-main/server/server-options.ts';
import { chat, LOCAL_TOKEN, openServer, raw } from '../../../support/server-harness.ts';

describe('who may use the server', () => {
  it('refuses to be reachable from elsewhere without a token', () => {
    const options = { host: '0.0.0.0', localToken: LOCAL_TOKEN, log: pino({ level: 'silent' }) } as ServerOptions;
    expect(() => new HttpServer(options)).toThrowError(
      expect.objectContaining({ code: 'CONFIG_INVALID', field: 'token' }),
    );
  });

  it.each([
    ['none', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['half of it', 'Bearer s3cr'],
    ['another scheme', 'Basic s3cret'],
    ['an empty one', 'Bearer '],
  ])('asks for the token on a foreign address: %s', async (_, authorization) => {
    const { url } = await openServer({ host: '0.0.0.0', token: 's3cret' });
    for (const path of ['/v1/models', '/metrics', '/nowhere']) {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      const answer = await raw(url + path, { headers });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'invalid_api_key']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('lets the official client in with the token', async () => {
    const { client } = await openServer({ host: '0.0.0.0', token: 's3cret' });
    expect((await client.models.list()).data).toHaveLength(2);
  });

  it('honours a token on loopback, too', async () => {
    const { url } = await openServer({ token: 's3cret' });
    expect((await raw(`${url}/v1/models`)).status).toBe(401);
  });

  it('refuses a body before it has read it', async () => {
    const { url } = await openServer({ token: 's3cret', limits: { bodyBytes: 10 } });
    expect((await raw(`${url}/v1/chat/completions`, { body: chat() })).status).toBe(401);
  });

  it.each(['evil.example', 'evil.example:7070', '127.0.0.1.evil.example', 'local host'])(
    'refuses the host «%s» on loopback: a name made to point here',
    async (host) => {
      const { url } = await openServer();
      const answer = await raw(`${url}/v1/models`, { headers: { host } });
      expect([answer.status, answer.json.error.code]).toEqual([403, 'wrong_host']);
    },
  );

  it.each(['localhost:1234', '127.0.0.1', '[::1]:7070', 'LOCALHOST'])('takes the host «%s»', async (host) => {
    const { url } = await openServer();
    expect((await raw(`${url}/v1/models`, { headers: { host } })).status).toBe(200);
  });

  it.each(['https://evil.example', 'http://127.0.0.1:1', 'null'])('refuses web pages of %s', async (origin) => {
    const { url } = await openServer();
    const answer = await raw(`${url}/v1/chat/completions`, { body: chat(), headers: { origin } });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'wrong_origin']);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(['cross-site', 'same-site', 'a word of the future'])(
    'refuses what a page elsewhere makes a browser send, without an Origin too: %s',
    async (site) => {
      const { url, generator } = await openServer({ pages: '/nowhere' });
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
      for (const path of ['/', '/v1/models', '/session', '/metrics', '/healthz', '/nowhere']) {
        for (const method of ['GET', 'HEAD']) {
          const { status } = await raw(url + path, { method, headers });
          expect([method, path, status]).toEqual([method, path, 403]);
        }
      }
      expect((await raw(`${url}/v1/chat/completions`, { body: chat(), headers })).json.error.code).toBe('wrong_origin');
      expect(generator.asked).toEqual([]);
    },
  );

  it('opens its page, and nothing else, by a link of another site', async () => {
    const { url } = await openServer();
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await raw(url, { headers: link })).status).toBe(503); // that the screens are not built
    expect((await raw(url, { headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
    expect((await raw(url, { headers: link, method: 'HEAD' })).status).toBe(403);
    for (const path of ['/v1/models', '/session', '/rpc/ws']) {
      expect((await raw(url + path, { headers: link })).status).toBe(403);
    }
  });

  it.each(['same-origin', 'none'])('takes what its own pages and people ask for: %s', async (site) => {
    const { url } = await openServer();
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect((await raw(`${url}/v1/models`, { headers })).status).toBe(200);
  });

  it('lets its own pages in', async () => {
    const { url } = await openServer();
    expect((await raw(`${url}/v1/models`, { headers: { origin: url } })).status).toBe(200);
  });

  it('guards what others add to it', async () => {
    const { url } = await openServer({
      token: 's3cret',
      extend: (app) => void app.get('/rpc/x', () => ({ secret: 1 })),
    });
    expect((await raw(`${url}/rpc/x`)).status).toBe(401);
    expect((await raw(`${url}/rpc/x`, { headers: { authorization: 'Bearer s3cret' } })).json).toEqual({ secret: 1 });
  });
});

describe('GET /healthz', () => {
  it('needs no token, and shows no details without one', async () => {
    const { url } = await openServer({ token: 's3cret' });
    expect((await raw(`${url}/healthz`)).json).toEqual({ status: 'ok' });
    const headers = { authorization: 'Bearer s3cret' };
    expect((await raw(`${url}/healthz`, { headers })).json).toEqual({ status: 'ok', engine: 'ready' });
  });

  it('answers 503 when the node is not well', async () => {
    const { url } = await openServer({ health: () => ({ ok: false, engine: 'broken' }) });
    const answer = await raw(`${url}/healthz`);
    expect([answer.status, answer.json]).toEqual([503, { status: 'unavailable', engine: 'broken' }]);
  });
});
