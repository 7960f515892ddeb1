import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CustomScheme } from 'electron';
import { CLIP_PATH } from '../../../src-preload/contract/data-limits.ts';
import { CHUNK_PATH, FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { LEARNING_EXPORT_PATH } from '../../../src-preload/contract/limits.ts';
import { ignoring } from '../../base/swallowed.ts';
import { contentSecurityPolicy, withNonce } from '../../server/screens/page.ts';
import { APP_SCHEME, isOwnPage, isTrainerPage } from './origin.ts';

/** To be registered before the app is ready. */
export const APP_SCHEME_PRIVILEGES: CustomScheme = {
  scheme: APP_SCHEME,
  // A video is played while it comes: `stream`.
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
};

const HTML = 'text/html; charset=utf-8';
/** What the build puts out, and nothing else. */
const TYPES: Record<string, string> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** A part of a path: no dot in front, so neither `..` nor a hidden file; nothing encoded. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** What of a node pages reach beside the contract, because it is bytes. */
export interface ByteRoads {
  /** Takes chunks of recordings. */
  takeChunk(request: Request): Promise<Response>;
  /** Gives their videos. */
  giveVideo(request: Request): Promise<Response>;
  /** Gives exported versions of adapters. */
  giveExport(request: Request): Promise<Response>;
  /** Gives clips. */
  giveClip(request: Request): Promise<Response>;
}

/**
 * Answers requests of the app's own scheme with the files of one folder; `/` is its index.html. Recordings come from the node, and go there.
 * @param node the one that is open, if one is
 */
export function serveRenderer(
  folder: string,
  node: () => ByteRoads | undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isOwnPage(request.url)) return refusal(400);
    const { pathname } = new URL(request.url);
    if (request.method === 'POST' && pathname === CHUNK_PATH) return (await node()?.takeChunk(request)) ?? refusal(503);
    if (request.method !== 'GET') return refusal(400);
    if (pathname.startsWith(`${FOCUS_VIDEO_PATH}/`)) return (await node()?.giveVideo(request)) ?? refusal(503);
    if (pathname.startsWith(`${LEARNING_EXPORT_PATH}/`)) return (await node()?.giveExport(request)) ?? refusal(503);
    if (pathname.startsWith(`${CLIP_PATH}/`)) return (await node()?.giveClip(request)) ?? refusal(503);
    const file = await builtFile(folder, pathname === '/' ? '/index.html' : pathname);
    if (!file) return refusal(404);
    const { body, type } = file;
    return type === HTML ? page(body.toString('utf8')) : new Response(body, { headers: headers(type) });
  };
}

/** Its own scripts, and nothing else: it has no styles, loads nothing, and compiles no WebAssembly. */
const TRAINER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers requests of the page that trains on the GPU, with the files of one folder. */
export function serveTrainer(folder: string): (request: Request) => Promise<Response> {
  return async ({ url, method }) => {
    if (!isTrainerPage(url) || method !== 'GET') return refusal(400);
    const { pathname } = new URL(url);
    const file = await builtFile(folder, pathname === '/' ? '/trainer.html' : pathname);
    if (!file) return refusal(404);
    return new Response(file.body, { headers: { ...headers(file.type), 'content-security-policy': TRAINER_POLICY } });
  };
}

/** A file that the build put out; undefined where there is none: a page learns no more than that. */
async function builtFile(
  folder: string,
  pathname: string,
): Promise<{ body: Buffer<ArrayBuffer>; type: string } | undefined> {
  const parts = pathname.slice(1).split('/');
  const type = TYPES[extname(parts.at(-1) ?? '')];
  if (!type || !parts.every((part) => PART.test(part))) return undefined;
  const body = await readFile(join(folder, ...parts)).catch(ignoring('there is no such file, or it cannot be read'));
  return body && { body, type };
}

/** Every page gets a nonce of its own: only the scripts and styles that were built into it run. */
function page(html: string): Response {
  const nonce = randomBytes(16).toString('base64');
  const policy = { 'content-security-policy': contentSecurityPolicy(nonce), 'cache-control': 'no-store' };
  return new Response(withNonce(html, nonce), { headers: { ...headers(HTML), ...policy } });
}

function headers(type: string): Record<string, string> {
  return { ...HEADERS, 'content-type': type };
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: HEADERS });
}
