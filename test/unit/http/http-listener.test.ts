import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import {
  DEFAULT_HTTP_LIMITS,
  type FailureFormat,
  HttpListener,
  type HttpListenerOptions,
} from '../../../src-main/http/http-listener.ts';
import { resourceContract } from '../../support/resource-contract.ts';

/** As no protocol of ours puts it. */
const FAILURES: FailureFormat = {
  failure: (error) => {
    const { statusCode = 500, message } = error as Error & { statusCode?: number };
    return { status: statusCode, headers: { 'x-failed': 'yes' }, body: { went: 'wrong', because: message } };
  },
  unknownPath: (method, path) => Object.assign(new Error(`no ${method} ${path}`), { statusCode: 404 }),
};

const open: HttpListener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())));

function make(options: Partial<HttpListenerOptions> = {}): HttpListener {
  return new HttpListener({
    host: '127.0.0.1',
    port: 0,
    portSetting: { name: 'axonPort', flag: '--axon-port' },
    limits: DEFAULT_HTTP_LIMITS,
    failures: FAILURES,
    addRoutes: async (app) => {
      app.post('/echo', ({ body }) => ({ body }));
      app.get('/broken', () => {
        throw new Error('a fault');
      });
      app.get('/who', ({ ip }) => ({ ip }));
    },
    log: pino({ level: 'silent' }),
    ...options,
  });
}

async function listener(options: Partial<HttpListenerOptions> = {}): Promise<HttpListener> {
  const made = make(options);
  open.push(made);
  await made.open();
  return made;
}

resourceContract('a web server', { make: () => make() });

const post = (url: string, body: string, type = 'application/json') =>
  fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': type } });

describe('a web server', () => {
  it('serves its routes, with the headers that belong to every answer', async () => {
    const { url } = await listener();
    const answer = await post(url, '{"a":1}');
    expect(await answer.json()).toEqual({ body: { a: 1 } });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  it.each([
    ['a fault of a route', (url: string) => fetch(`${url}/broken`), 500],
    ['an unknown path', (url: string) => fetch(`${url}/nowhere?a=b`), 404],
    ['a body that is no JSON', (url: string) => post(url, '{'), 400],
    ['a body of another kind', (url: string) => post(url, 'a', 'text/plain'), 415],
    ['a body that is too long', (url: string) => post(url, JSON.stringify('x'.repeat(200))), 413],
    ['a path that cannot be read', (url: string) => fetch(`${url}/%zz`), 400],
  ])('tells %s in the words that it was given, with the same headers', async (_, send, status) => {
    const { url } = await listener({ limits: { ...DEFAULT_HTTP_LIMITS, bodyBytes: 100 } });
    const answer = await send(url);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ went: 'wrong' });
    expect(answer.headers.get('x-failed')).toBe('yes');
    if (status !== 400) expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('believes nobody who says for whom they ask, but a proxy if there is one', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const plain = await listener();
    expect(await (await fetch(`${plain.url}/who`, { headers })).json()).toEqual({ ip: '127.0.0.1' });
    const proxied = await listener({ behindProxy: true });
    expect(await (await fetch(`${proxied.url}/who`, { headers })).json()).toEqual({ ip: '203.0.113.7' });
  });

  it('holds no more connections than it may, and locks nobody out for those that say nothing', async () => {
    const { url } = await listener({ limits: { ...DEFAULT_HTTP_LIMITS, connections: 2 } });
    const silent = Array.from({ length: 4 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    const closed = silent.map((each) =>
      once(each.on('error', ignoring('that they are cut off is what is wanted')), 'close'),
    );
    await Promise.race([closed[0], closed[1]]);
    expect((await fetch(`${url}/who`)).status).toBe(200);
    await Promise.all(closed.slice(0, 3));
    for (const each of silent) each.destroy();
  });

  it('says which setting is to be changed when its port is taken', async () => {
    const { url } = await listener();
    const port = Number(new URL(url).port);
    await expect(listener({ port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      field: 'axonPort',
      hint: expect.stringContaining('--axon-port'),
    });
  });

  it('says so when it cannot listen there', async () => {
    await expect(listener({ host: '203.0.113.1' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('opens and closes once, however often it is told to, and cuts off who does not go', async () => {
    let routed = 0;
    let closing = 0;
    let asked = 0;
    const made = await listener({
      addRoutes: async (app: FastifyInstance) => {
        routed++;
        app.addHook('preClose', async () => {
          closing++;
        });
        app.get('/slow', () => {
          asked++;
          return new Promise(() => undefined);
        });
      },
    });
    await made.open();
    const { url } = made;
    const slow = fetch(`${url}/slow`).catch(() => 'cut off');
    await expect.poll(() => asked).toBe(1);
    await Promise.all([made.close(), made.close()]);
    expect(await slow).toBe('cut off');
    expect([routed, closing]).toEqual([1, 1]);
    await expect(fetch(url)).rejects.toThrow();
    expect(() => made.url).toThrow('not open');
  });
});
