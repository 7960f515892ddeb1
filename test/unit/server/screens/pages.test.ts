import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy, withNonce } from '../../../../src-main/server/screens/page.ts';
import { openServer, raw } from '../../../support/server-harness.ts';

let folder: string;
let pages: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-pages-'));
  pages = join(folder, 'renderer');
  await mkdir(join(pages, 'assets'), { recursive: true });
  const html = '<!doctype html><script type="module" nonce="__CSP_NONCE__" src="/assets/index-1a2b.js"></script>';
  await writeFile(join(pages, 'index.html'), `${html}<meta property="csp-nonce" nonce="__CSP_NONCE__">`);
  await writeFile(join(pages, 'assets', 'index-1a2b.js'), 'start();');
  await writeFile(join(pages, 'icon.svg'), '<svg/>');
  await writeFile(join(pages, '.hidden'), 'for nobody');
  await writeFile(join(folder, 'secret.txt'), 'for nobody');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The status of a path as it stands: a client library would tidy it up. */
async function statusOf(url: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const text = Buffer.concat(await socket.toArray()).toString();
  expect(text).not.toContain('for nobody');
  return text.split(' ')[1] ?? '';
}

describe('the page', () => {
  it('has a nonce of its own at every response, the one that its policy names', async () => {
    const { url } = await openServer({ pages });
    const [first, second] = [await raw(url), await raw(url)];
    for (const { status, headers, text } of [first, second]) {
      const nonce = /'nonce-([\w+/=]{24})'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none';
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toBe(contentSecurityPolicy(nonce));
      expect(text.match(/nonce="([^"]+)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`]);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(first.text).not.toBe(second.text);
  });

  it('may load and reach its own origin only', () => {
    const policy = Object.fromEntries(
      contentSecurityPolicy('n0nce')
        .split('; ')
        .map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    );
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self' 'nonce-n0nce'",
      'style-src': "'self' 'nonce-n0nce'",
      'img-src': "'self' data: blob:",
      'media-src': "'self' blob:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(withNonce('a __CSP_NONCE__ b __CSP_NONCE__', 'x')).toBe('a x b x');
  });

  it('needs no token, nor do its files: they hold no data', async () => {
    const { url } = await openServer({ pages, token: 'a token of some length' });
    for (const path of ['/', '/assets/index-1a2b.js', '/icon.svg']) expect((await raw(url + path)).status).toBe(200);
    expect((await raw(`${url}/v1/models`)).status).toBe(401);
  });

  it('answers HEAD', async () => {
    const { url } = await openServer({ pages });
    for (const path of ['/', '/assets/index-1a2b.js']) {
      const answer = await raw(url + path, { method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    }
  });

  it('has compressed copies for browsers that take them', async () => {
    await writeFile(join(pages, 'assets/large-1a2b.js'), 'start();');
    await writeFile(join(pages, 'assets/large-1a2b.js.br'), brotliCompressSync('start();'));
    const { url } = await openServer({ pages });
    const asset = `${url}/assets/large-1a2b.js`;
    const { headers } = await raw(asset, { headers: { 'accept-encoding': 'br' } });
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await raw(asset)).text).toBe('start();');
  });

  it('has files that browsers keep, because their names change with their content', async () => {
    const { url } = await openServer({ pages });
    const asset = await raw(`${url}/assets/index-1a2b.js`);
    expect([asset.text, asset.headers['content-type']]).toEqual([
      'start();',
      expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
    ]);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await raw(`${url}/icon.svg`)).headers['cache-control']).toBe('public, max-age=3600');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets\\..\\..\\secret.txt',
    '/.hidden',
    '/index.html',
    '/assets/',
    '/assets',
    '//etc/passwd',
    '/assets/%00',
  ])('has no file %s', async (path) => {
    const { url } = await openServer({ pages });
    expect(['400', '403', '404']).toContain(await statusOf(url, path));
  });

  it('leaves unknown paths to the API, which answers in JSON', async () => {
    const { url } = await openServer({ pages });
    const answer = await raw(`${url}/earnings`);
    expect([answer.status, answer.json.error.code]).toEqual([404, 'unknown_url']);
  });
});

describe('screens that are not built', () => {
  it.each([
    ['no folder', () => undefined],
    ['an empty path', () => join(folder, 'nowhere')],
    ['a file', () => join(folder, 'secret.txt')],
  ])('are told of in words: %s', async (_, path) => {
    const { url } = await openServer({ pages: path() });
    const answer = await raw(url);
    expect([answer.status, answer.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('The screens are not built: npm run build');
    expect((await raw(`${url}/v1/models`)).status).toBe(200);
  });
});

describe('every answer', () => {
  it.each(['/', '/assets/index-1a2b.js', '/session', '/healthz', '/v1/models', '/nowhere'])(
    'tells browsers to be careful with it: %s',
    async (path) => {
      const { url } = await openServer({ pages });
      const { headers } = await raw(url + path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining(`camera=(), display-capture=(${path === '/' ? 'self' : ''})`),
      });
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it('lets none but the page with the screens record, and that one nothing but screen and microphone', async () => {
    const { url } = await openServer({ pages });
    const allowed = async (path: string) => {
      const policy = String((await raw(url + path)).headers['permissions-policy']);
      return policy.split(', ').filter((ability) => !ability.endsWith('=()'));
    };
    expect(await allowed('/')).toEqual(['display-capture=(self)', 'microphone=(self)']);
    expect(await allowed('/session')).toEqual([]);
    expect(await allowed('/icon.svg')).toEqual([]);
  });

  it('a refusal, too', async () => {
    const { url } = await openServer();
    const { status, headers } = await raw(url, { headers: { host: 'evil.example' } });
    expect([status, headers['x-frame-options']]).toEqual([403, 'DENY']);
  });
});
