import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { SCREEN_PERMISSIONS } from '../../http/security-headers.ts';
import { contentSecurityPolicy, withNonce } from './page.ts';

/** Links of other sites may lead to the page, not to its files. */
const PAGE = { config: { access: 'page' } } as const;

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quarry</title>
<h1>Quarry runs here, but its screens do not</h1>
<p>The screens are not built: npm run build. Then start this node again.</p>
<p>The command line and the OpenAI API work without them.</p></html>
`;

/**
 * Serves the screens: `/` and the files beside it. They hold no data, so everybody may load them; what they show comes over the
 * contract, which asks who they are. Without the folder, `/` says in words how to build it.
 *
 * @param folder the built renderer; index.html is read once
 */
export async function addPages(app: FastifyInstance, folder: string | undefined): Promise<void> {
  const html = folder && (await readIndex(folder));
  if (!folder || !html) {
    app.get('/', PAGE, (_request, reply) => page(reply.code(503), NOT_BUILT));
    return;
  }
  app.get('/', PAGE, (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    reply.header('content-security-policy', contentSecurityPolicy(nonce));
    reply.header('permissions-policy', SCREEN_PERMISSIONS);
    return page(reply, withNonce(html, nonce));
  });
  await app.register((scope) => addFiles(scope, folder));
}

/** One route per file that is there now: no path of a request is ever looked up on the disk. */
async function addFiles(scope: FastifyInstance, folder: string): Promise<void> {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
  });
  await scope.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['index.html'],
    decorateReply: false,
    cacheControl: false,
    preCompressed: true, // the build writes the copies
    setHeaders: (reply, path) => void reply.header('cache-control', caching(path)),
  });
}

/** The build names assets by their content, so what has been loaded never changes. */
function caching(path: string): string {
  return /[/\\]assets[/\\]/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}

async function readIndex(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, 'index.html'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
