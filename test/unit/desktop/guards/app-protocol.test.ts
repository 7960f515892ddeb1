import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ByteRoads, serveRenderer, serveTrainer } from '../../../../src-main/desktop/guards/app-protocol.ts';

let root: string;
let serve: (request: Request) => Promise<Response>;
/** Where one is open. */
let node: ByteRoads | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'quarry-pages-'));
  const folder = join(root, 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>');
  await writeFile(join(folder, 'assets', 'index-a_B1.js'), 'export {}');
  await writeFile(join(folder, '.env.js'), 'secret');
  await writeFile(join(folder, 'note.exe'), 'no page needs this');
  await writeFile(join(root, 'outside.js'), 'secret');
  serve = serveRenderer(folder, () => node);
});

afterAll(() => rm(root, { recursive: true, force: true }));

const get = (url: string, init?: RequestInit) => serve(new Request(url, init));

describe('serveRenderer', () => {
  it('serves files of the build with their type', async () => {
    const response = await get('quarry-app://app/assets/index-a_B1.js');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('export {}');
  });

  it('gives every page a nonce of its own, the same in policy and page', async () => {
    const [one, other] = await Promise.all([get('quarry-app://app/'), get('quarry-app://app/?model=x#/models')]);
    const nonce = /nonce="([^"]+)"/.exec(await one.text())?.[1] ?? '';
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(one.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}'`);
    expect(await other.text()).not.toContain(nonce);
  });

  it('allows no inline script, no eval and no other origin', async () => {
    const policy = (await get('quarry-app://app/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
  });

  it.each([
    'quarry-app://app/../outside.js',
    'quarry-app://app/%2e%2e/outside.js',
    'quarry-app://app/..%2foutside.js',
    'quarry-app://app/assets/..%5c..%5coutside.js',
    'quarry-app://app//outside.js',
    'quarry-app://app/.env.js',
    'quarry-app://app/note.exe',
    'quarry-app://app/assets/',
    'quarry-app://app/nothing.js',
  ])('has no %s', async (url) => {
    expect((await get(url)).status).toBe(404);
  });

  it('hands chunks of recordings on to the node, as they came, and nothing else', async () => {
    const chunk = { method: 'POST', headers: { 'x-quarry-recording': 'key' }, body: new Uint8Array([1, 2, 3]) };
    const path = '/focus/chunks?part=0&chunk=7';
    expect((await get(`quarry-app://app${path}`, chunk)).status).toBe(503);
    const taken: unknown[] = [];
    node = {
      takeChunk: async (request) => {
        taken.push([request.url, request.headers.get('x-quarry-recording'), await request.bytes()]);
        return Response.json({ nextChunk: 8 });
      },
      giveVideo: async () => Response.error(),
      giveExport: async () => Response.error(),
      giveClip: async () => Response.error(),
    };
    expect(await (await get(`quarry-app://app${path}`, chunk)).json()).toEqual({ nextChunk: 8 });
    expect((await get(`quarry-app://other${path}`, chunk)).status).toBe(400);
    expect((await get('quarry-app://app/focus', chunk)).status).toBe(400);
    expect((await get(`quarry-app://app${path}`)).status).toBe(404);
    expect(taken).toEqual([[`quarry-app://app${path}`, 'key', new Uint8Array([1, 2, 3])]]);
    node = undefined;
  });

  it('gives videos of recordings from the node, in ranges', async () => {
    const url = 'quarry-app://app/focus/video/ticket';
    expect((await get(url)).status).toBe(503);
    node = {
      takeChunk: async () => Response.error(),
      giveExport: async ({ url: asked }) => new Response(asked),
      giveClip: async ({ url: asked }) => new Response(asked),
      giveVideo: async ({ url: asked, headers }) => new Response(`${asked} ${headers.get('range')}`, { status: 206 }),
    };
    const answer = await get(url, { headers: { range: 'bytes=7-' } });
    expect([answer.status, await answer.text()]).toEqual([206, `${url} bytes=7-`]);
    expect((await get('quarry-app://other/focus/video/ticket')).status).toBe(400);
    const exported = 'quarry-app://app/learning/export/ticket';
    expect(await (await get(exported)).text()).toBe(exported);
    const clip = 'quarry-app://app/data/clip/ticket/poster.jpg';
    expect(await (await get(clip)).text()).toBe(clip);
    node = undefined;
  });

  it('answers only its own origin, and only GET', async () => {
    expect((await get('quarry-app://other/index.html')).status).toBe(400);
    expect((await get('https://app/index.html')).status).toBe(400);
    expect((await get('quarry-app://app/', { method: 'POST' })).status).toBe(400);
  });
});

describe('serveTrainer', () => {
  const page = (url: string, init?: RequestInit) => serveTrainer(join(root, 'trainer'))(new Request(url, init));

  beforeAll(async () => {
    await mkdir(join(root, 'trainer'));
    await writeFile(join(root, 'trainer', 'trainer.html'), '<script type="module" src="./trainer.js"></script>');
    await writeFile(join(root, 'trainer', 'trainer.js'), 'export {}');
  });

  it('serves the page that trains and its scripts, which may load nothing else', async () => {
    const response = await page('quarry-app://trainer/');
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
    expect(policy).not.toMatch(/unsafe|\*|https?:|connect-src/);
    expect((await page('quarry-app://trainer/trainer.js')).status).toBe(200);
  });

  it('answers its own origin alone, and the screens answer theirs', async () => {
    expect((await page('quarry-app://app/')).status).toBe(400);
    expect((await page('https://trainer/')).status).toBe(400);
    expect((await page('quarry-app://trainer/', { method: 'POST' })).status).toBe(400);
    expect((await page('quarry-app://trainer/%2e%2e/outside.js')).status).toBe(404);
    expect((await get('quarry-app://trainer/assets/index-a_B1.js')).status).toBe(400);
  });
});
