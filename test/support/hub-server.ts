import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubFileFixture {
  path: string;
  /** Its bytes, where it can be downloaded. */
  from?: string;
  /** Of one that is only listed. */
  bytes?: number;
}

export interface HubFixture {
  id: string;
  downloads?: number;
  likes?: number;
  lastModified?: string;
  gated?: false | 'auto' | 'manual';
  tags?: string[];
  gguf?: { total: number; architecture: string; context_length: number };
  files?: HubFileFixture[];
}

interface Asked {
  path: string;
  authorization: string | undefined;
}

export const HUB_TOKEN = 'hf_test-token';
const COMMIT = 'c0ffee'.repeat(7).slice(0, 40);

/**
 * A web server that answers as the Hub does: `/api/models` with cursors in the header Link, `/api/models/ID?blobs=true`, and
 * `/ID/resolve/COMMIT/FILE`, which sends on to where the bytes are; gated files only with {@link HUB_TOKEN}.
 */
export class HubServer {
  readonly asked: Asked[] = [];
  models: HubFixture[];
  /** Answers in place of the Hub; returns whether it did. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Where bytes are: another server, as the Hub's are. Default: this one. */
  cdn: string | undefined;
  readonly #server: Server;

  constructor(models: HubFixture[]) {
    this.models = models;
    this.#server = createServer((request, response) => {
      this.asked.push({ path: request.url ?? '', authorization: request.headers.authorization });
      if (!this.instead(request, response)) this.#answer(request, response);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const [, id = '', path] =
      /^(?:\/api\/models|\/cdn)?\/([^/]+\/[^/]+)(?:\/resolve\/[^/]+\/(.+))?$/.exec(pathname) ?? [];
    const model = this.models.find((one) => one.id === id);
    const file = model?.files?.find((one) => one.path === decodeURIComponent(path ?? ''));
    const known = request.headers.authorization === `Bearer ${HUB_TOKEN}`;
    if (pathname === '/api/models') this.#list(searchParams, response);
    else if (!model) refuse(response, 401, 'RepoNotFound');
    else if (pathname.startsWith('/api/')) json(response, { ...summary(model), ...details(model) });
    else if (!file?.from) refuse(response, 404, 'EntryNotFound');
    else if (pathname.startsWith('/cdn/')) send(file.from, request, response);
    else if (model.gated && !known) refuse(response, 401, 'GatedRepo');
    else response.writeHead(302, { location: `${this.cdn ?? this.url}/cdn${pathname}` }).end();
  }

  #list(params: URLSearchParams, response: ServerResponse): void {
    const words = (params.get('search') ?? '').toLowerCase();
    const by = params.get('sort') as 'downloads' | 'likes' | 'lastModified';
    const limit = Number(params.get('limit'));
    const from = Number(Buffer.from(params.get('cursor') ?? '', 'base64').toString() || 0);
    const found = this.models.filter(({ id }) => id.toLowerCase().includes(words));
    const sorted = found.toSorted((a, b) => ((a[by] ?? 0) < (b[by] ?? 0) ? 1 : -1));
    if (sorted.length > from + limit) {
      const next = new URLSearchParams(params);
      next.set('cursor', Buffer.from(String(from + limit)).toString('base64'));
      response.setHeader('link', `<${this.url}/api/models?${next}>; rel="next"`);
    }
    json(response, sorted.slice(from, from + limit).map(summary));
  }
}

function summary({ id, downloads = 0, likes = 0, lastModified, gated = false, tags = [], gguf }: HubFixture) {
  return { _id: '6', id, downloads, likes, lastModified, gated, tags, private: false, gguf };
}

function details({ id, files = [] }: HubFixture) {
  const siblings = files.map(({ path, from, bytes = from ? statSync(from).size : 0 }) => ({
    rfilename: path,
    size: bytes,
    blobId: 'b'.repeat(40),
    lfs: { sha256: from ? sha256(readFileSync(from)) : sha256(`${id}/${path}`), size: bytes, pointerSize: 135 },
  }));
  return { sha: COMMIT, author: id.split('/')[0], siblings: [{ rfilename: 'README.md', size: 1_200 }, ...siblings] };
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'x-error-code': code }).end('{"error":"no"}');
}

function send(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
  const { size } = statSync(path);
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const [start, end] = [Number(first ?? 0), Math.min(size - 1, last ? Number(last) : size - 1)];
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': end - start + 1,
    ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    etag: '"one"',
  });
  createReadStream(path, { start, end }).pipe(response);
}
