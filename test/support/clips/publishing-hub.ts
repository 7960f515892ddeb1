import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ignoring } from '../../../src-main/base/swallowed.ts';

export const TOKEN = 'any-token';
const NAME = '[\\w.-]+/[\\w.-]+';
const sha = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().min(1);

/** What the hub's client sends, to the field: whatever else it sends is refused, and a test fails. */
const CREATE = z.strictObject({
  ...{ name: z.string(), organization: z.string(), type: z.literal('dataset') },
  visibility: z.enum(['private', 'public']),
});
const PREUPLOAD = z.strictObject({
  files: z.array(z.strictObject({ path, size: z.int().min(0), sample: z.base64().max(700) })).min(1),
});
const BATCH = z.strictObject({
  ...{ operation: z.literal('upload'), transfers: z.tuple([z.literal('basic'), z.literal('multipart')]) },
  ...{ hash_algo: z.literal('sha_256'), ref: z.strictObject({ name: z.literal('main') }) },
  objects: z.array(z.strictObject({ oid: sha, size: z.int() })).min(1),
});
const COMMIT = z.discriminatedUnion('key', [
  z.strictObject({
    key: z.literal('header'),
    value: z.strictObject({ summary: z.string(), description: z.string().optional() }),
  }),
  z.strictObject({
    key: z.literal('lfsFile'),
    value: z.strictObject({ path, algo: z.literal('sha256'), size: z.int(), oid: sha }),
  }),
  z.strictObject({
    key: z.literal('file'),
    value: z.strictObject({ path, content: z.base64(), encoding: z.literal('base64') }),
  }),
  z.strictObject({ key: z.literal('deletedFile'), value: z.strictObject({ path }) }),
]);

type Entry = { bytes: Buffer; lfs: boolean };

/**
 * A web server that takes data sets as the Hub does: repositories, `preupload`, LFS objects by `basic`, commits of lines of JSON, and the listing. It holds whoever asks to what
 * the protocol says.
 */
export class PublishingHub {
  /** `GET /api/…`, in order. */
  readonly asked: string[] = [];
  readonly repositories = new Map<string, { isPrivate: boolean; files: Map<string, Entry>; commits: string[] }>();
  /** By their hash: they stay, whether or not a commit has them. */
  readonly objects = new Map<string, Buffer>();
  /** What was refused for its form. */
  readonly faults: string[] = [];
  /** Answers in place of the Hub; returns whether it did. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** Where large files are sent; default: this server. */
  storage: string | undefined;
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request, response).catch(ignoring('whoever asked has gone'));
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  files(repository: string): Record<string, Buffer> {
    const files = this.repositories.get(repository)?.files ?? new Map<string, Entry>();
    return Object.fromEntries([...files].map(([name, { bytes }]) => [name, bytes]));
  }

  /** How often files were sent. */
  get sent(): number {
    return this.asked.filter((one) => one.startsWith('PUT')).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.asked.push(`${method} ${pathname}`);
    if (await this.instead(request, response)) return;
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const isStorage = pathname.startsWith('/storage/');
    if (isStorage === (headers.authorization !== undefined))
      return this.#refuse(response, 400, 'a token where none belongs');
    if (!isStorage && headers.authorization !== `Bearer ${TOKEN}`)
      return json(response, 401, { error: 'Invalid token' });
    const [, name = ''] = new RegExp(`(${NAME}?)(?:\\.git/|/tree/|/preupload/|/commit/)`).exec(pathname) ?? [];
    try {
      if (isStorage) return this.#store(pathname, body, response);
      if (pathname === '/api/repos/create') return this.#create(CREATE.parse(JSON.parse(String(body))), response);
      const repository = this.repositories.get(name);
      if (!repository) return json(response, 404, { error: 'Repository not found' });
      if (pathname.endsWith('/tree/main')) return this.#list(name, response);
      if (pathname.endsWith('/preupload/main'))
        return this.#preupload(PREUPLOAD.parse(JSON.parse(String(body))), response);
      if (pathname.endsWith('/info/lfs/objects/batch'))
        return this.#batch(BATCH.parse(JSON.parse(String(body))), response);
      if (!pathname.endsWith('/commit/main')) return json(response, 404, {});
      const lines = String(body)
        .split('\n')
        .map((line) => COMMIT.parse(JSON.parse(line)));
      this.#commit(name, lines, response);
    } catch (error) {
      this.#refuse(response, 400, String(error));
    }
  }

  #refuse(response: ServerResponse, status: number, fault: string): void {
    this.faults.push(fault);
    json(response, status, { error: fault });
  }

  #create({ organization, name, visibility }: z.infer<typeof CREATE>, response: ServerResponse): void {
    const id = `${organization}/${name}`;
    if (this.repositories.has(id)) {
      json(response, 409, { error: 'You already created this dataset repo' });
      return;
    }
    this.repositories.set(id, { isPrivate: visibility === 'private', files: new Map(), commits: [] });
    json(response, 200, { url: `${this.url}/datasets/${id}`, id });
  }

  #list(name: string, response: ServerResponse): void {
    const files = [...(this.repositories.get(name)?.files ?? [])];
    const list = files.map(([at, { bytes, lfs }]) => ({
      ...{ type: 'file', path: at, size: bytes.length, oid: gitName(bytes) },
      ...(lfs && { lfs: { oid: hashOf(bytes), size: bytes.length, pointerSize: 134 } }),
    }));
    json(response, 200, [{ type: 'directory', path: 'default', size: 0, oid: '0'.repeat(40) }, ...list]);
  }

  #preupload({ files }: z.infer<typeof PREUPLOAD>, response: ServerResponse): void {
    const modes = files.map((file) => ({
      path: file.path,
      uploadMode: file.path.endsWith('.parquet') ? 'lfs' : 'regular',
    }));
    json(response, 200, { files: modes });
  }

  #batch({ objects }: z.infer<typeof BATCH>, response: ServerResponse): void {
    const href = (oid: string) => `${this.storage ?? this.url}/storage/${oid}`;
    const answers = objects.map(({ oid, size }) => ({
      ...{ oid, size },
      ...(!this.objects.has(oid) && { actions: { upload: { href: href(oid), header: {} } } }),
    }));
    json(response, 200, { transfer: 'basic', objects: answers });
  }

  #store(pathname: string, body: Buffer, response: ServerResponse): void {
    const oid = pathname.split('/').at(-1) ?? '';
    if (hashOf(body) !== oid) throw new Error('other bytes than their hash says');
    this.objects.set(oid, body);
    response.writeHead(200).end();
  }

  #commit(name: string, lines: z.infer<typeof COMMIT>[], response: ServerResponse): void {
    const repository = this.repositories.get(name);
    for (const { key, value } of lines) {
      if (key === 'header') repository?.commits.push(value.summary);
      if (key === 'file')
        repository?.files.set(value.path, { bytes: Buffer.from(value.content, 'base64'), lfs: false });
      if (key === 'deletedFile' && !repository?.files.delete(value.path)) throw new Error('no such file');
      if (key !== 'lfsFile') continue;
      const bytes = this.objects.get(value.oid);
      if (bytes?.length !== value.size) throw new Error('no such object');
      repository?.files.set(value.path, { bytes, lfs: true });
    }
    json(response, 200, { commitOid: 'c0ffee'.repeat(7).slice(0, 40), commitUrl: `${this.url}/c`, success: true });
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const gitName = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
