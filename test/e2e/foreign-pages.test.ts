import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { os } from '@orpc/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type Harness, openServer, raw } from '../support/server-harness.ts';

/**
 * What a web page of another origin can make a browser send that is logged in to a node whose API is open to this computer. A
 * node must do nothing of it, and the page must not see an answer.
 */
const PAGES = resolve(import.meta.dirname, '../../out/renderer');

/** Runs in the foreign page: each way to send something, by name, with what came of it that a page could see. */
const WAYS = `
const node = new URLSearchParams(location.search).get('node');
const body = '{"json":{}}';
const outcome = (start) => new Promise((resolve) => {
  setTimeout(resolve, 30_000, 'silence');
  start(resolve);
});
const element = (name, attributes) => outcome((resolve) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.onload = () => resolve(name === 'img' || name === 'script' ? 'loaded' : 'nothing to see');
  made.onerror = () => resolve('failed');
  document.body.append(made);
});
const form = (url, method, enctype) => outcome((resolve) => {
  const target = document.createElement('iframe');
  target.name = 'f' + Math.random();
  document.body.append(target);
  const made = Object.assign(document.createElement('form'), { action: url, method, enctype, target: target.name });
  made.append(Object.assign(document.createElement('input'), { name: '{"json":{"a":"', value: '"}}' }));
  document.body.append(made);
  target.onload = () => resolve(target.contentDocument ? 'read' : 'nothing to see');
  made.submit();
});
const fetched = async (url, init) => {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    return response.type === 'opaque' && text === '' ? 'nothing to see' : 'read ' + response.status;
  } catch {
    return 'failed'; // which is what is asked
  }
};
const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
const text = { method: 'POST', body };
const ways = {
  head: (url) => fetched(url, { method: 'HEAD', mode: 'no-cors' }),
  'head without referrer': (url) => fetched(url, { method: 'HEAD', mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  'head, kept alive': (url) => fetched(url, { method: 'HEAD', mode: 'no-cors', keepalive: true }),
  'head with CORS': (url) => fetched(url, { method: 'HEAD' }),
  get: (url) => fetched(url, { mode: 'no-cors' }),
  'get with a body in the address': (url) => fetched(url + '?data=' + encodeURIComponent(body), { mode: 'no-cors' }),
  'get with CORS': (url) => fetched(url),
  post: (url) => fetched(url, { ...text, mode: 'no-cors' }),
  'post of nothing': (url) => fetched(url, { method: 'POST', mode: 'no-cors' }),
  'post without referrer': (url) => fetched(url, { ...text, mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  'post of JSON': (url) => fetched(url, json),
  'post with cookies': (url) => fetched(url, { ...text, mode: 'no-cors', credentials: 'include' }),
  delete: (url) => fetched(url, { method: 'DELETE' }),
  beacon: async (url) => (navigator.sendBeacon(url, body) ? 'nothing to see' : 'failed'),
  'beacon of JSON': async (url) => {
    const sent = navigator.sendBeacon(url, new Blob([body], { type: 'application/json' }));
    return sent ? 'nothing to see' : 'failed';
  },
  image: (url) => element('img', { src: url }),
  script: (url) => element('script', { src: url }),
  module: (url) => element('script', { src: url, type: 'module' }),
  stylesheet: (url) => element('link', { href: url, rel: 'stylesheet' }),
  prefetch: (url) => element('link', { href: url, rel: 'prefetch' }),
  video: (url) => element('video', { src: url }),
  object: (url) => element('object', { data: url }),
  frame: (url) => element('iframe', { src: url }),
  'form by get': (url) => form(url, 'get', ''),
  'form of text': (url) => form(url, 'post', 'text/plain'),
  'form of fields': (url) => form(url, 'post', 'application/x-www-form-urlencoded'),
  'form of parts': (url) => form(url, 'post', 'multipart/form-data'),
  events: (url) => outcome((resolve) => {
    const source = new EventSource(url);
    source.onopen = () => resolve('read');
    source.onerror = () => resolve('failed');
  }),
  socket: (url) => outcome((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onopen = () => resolve('read');
    socket.onerror = () => resolve('failed');
  }),
};
const paths = ['/rpc/act', '/rpc/ws', '/enter?code=AAAAAAAAAAAAAAAAAAAAAA', '/v1/models', '/v1/chat/completions', '/session', '/metrics', '/healthz'];
async function tryAll() {
  const seen = {};
  for (const [name, way] of Object.entries(ways)) {
    await Promise.all(paths.map(async (path) => (seen[name + ' ' + path] = await way(node + path))));
  }
  return seen;
}
`;

const chromium = findChromium();
let browser: Browser;
let elsewhere: Server;
let page: Page;
let node: Harness;
/** What the node was made to do. */
let done: string[];

beforeAll(async () => {
  if (chromium) browser = await launchChromium(chromium);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  done = [];
  const note = <Answer>(what: string, answer: Answer): Answer => {
    done.push(what);
    return answer;
  };
  const act = os.handler(() => note('acted', 'done'));
  node = await openServer({
    pages: PAGES,
    contract: { act },
    models: () => note('told its models', []),
    route: () => note('looked for a model', undefined),
    health: () => note('told its health', { ok: true }),
  });
  elsewhere = createServer((request, response) => {
    const link = `<a id="link" href="${node.url}/">Open Quarry</a>`;
    const act = `<a id="act" href="${node.url}/rpc/act">Start mining</a>`;
    const script = request.url?.startsWith('/plain') ? '' : `<script>${WAYS}</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><body>${link}${act}${script}</body>`);
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  page = await (await browser.newContext()).newPage();
  await page.goto(node.server.entry().url);
});

afterEach(async () => {
  await page?.context().close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
});

const port = () => (elsewhere.address() as AddressInfo).port;

describe.skipIf(!chromium)('a web page elsewhere', () => {
  it.each([
    ['another port of this computer, which browsers call the same site', '127.0.0.1'],
    ['another site', 'localhost'],
  ])('makes a node do nothing and reads nothing of it: %s', async (_, host) => {
    await page.goto(`http://${host}:${port()}/?node=${encodeURIComponent(node.url)}`);
    const seen: Record<string, string> = await page.evaluate('tryAll()');
    expect(Object.keys(seen).length).toBeGreaterThan(220);
    // Nor do its guesses make the person wait at whose computer it was opened.
    expect((await raw(`${node.url}/enter?code=wrong`)).headers.location).toBe('/?link=over');
    await page.goto(node.url);
    expect(await page.evaluate(`fetch('/session').then((answer) => answer.json())`)).toMatchObject({ loggedIn: true });
    expect(Object.entries(seen).filter(([, what]) => what !== 'failed' && what !== 'nothing to see')).toEqual([]);
    expect(done).toEqual([]);
  });

  it('leads to the screens by a link, which work, and to nothing else', async () => {
    await page.goto(`http://localhost:${port()}/plain`);
    await page.click('#act');
    await page.getByText('wrong_origin').waitFor();
    expect(done).toEqual([]);
    await page.goto(`http://localhost:${port()}/plain`);
    await page.click('#link');
    await page.locator('#root > *').first().waitFor({ state: 'attached' });
    const own = `Promise.all([
      fetch('/session').then(({ status }) => status),
      fetch('/v1/models').then(({ status }) => status),
      fetch('/rpc/act', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status),
      new Promise((opened) => (new WebSocket(location.origin.replace('http', 'ws') + '/rpc/ws').onopen = () => opened('open'))),
    ])`;
    // What its cookie opens is the WebSocket; the contract over HTTP is for programs with a token.
    expect(await page.evaluate(own)).toEqual([200, 200, 401, 'open']);
    expect(done.sort()).toEqual(['told its models']);
  });
});
