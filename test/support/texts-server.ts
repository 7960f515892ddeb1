import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { LocalServer } from './local-server.ts';

/** A web server with published files, in the way that the Hub and its server of data sets have them: at their paths, ranges and all; and rows of a table. */
export class TextsServer extends LocalServer {
  /** What was asked for, in order: the path, with the range where there was one. */
  readonly asked: string[] = [];
  readonly files = new Map<string, Buffer>();
  rows: unknown[] = [];
  /** Cuts the connection of the next answer after so many bytes. */
  cutAfter: number | undefined;
  /** Fields that are told to be cut off in every row. */
  cutCells: string[] = [];
  /** Called with each request; what it returns is waited for. */
  before: (path: string) => Promise<void> | undefined = () => undefined;

  constructor() {
    super((request, response) => void this.#answer(request, response));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const { range } = request.headers;
    this.asked.push(pathname === '/rows' ? `rows ${searchParams.get('offset')}` : `${pathname} ${range ?? ''}`);
    await this.before(pathname);
    if (pathname === '/rows') return this.#page(searchParams, response);
    const file = this.files.get(pathname);
    if (!file) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    const [start, end] = [Number(first ?? 0), Math.min(file.length, last ? Number(last) + 1 : file.length)];
    response.writeHead(first === undefined ? 200 : 206, {
      'content-length': end - start,
      ...(first !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${file.length}` }),
      etag: '"one"',
    });
    const body = file.subarray(start, end);
    if (this.cutAfter === undefined || body.length <= this.cutAfter) return void response.end(body);
    response.write(body.subarray(0, this.cutAfter), () => response.destroy());
    this.cutAfter = undefined;
  }

  #page(query: URLSearchParams, response: ServerResponse): void {
    const [offset, length] = [Number(query.get('offset')), Number(query.get('length'))];
    const rows = this.rows.slice(offset, offset + length);
    const page = rows.map((row, at) => ({ row_idx: offset + at, row, truncated_cells: this.cutCells }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ num_rows_total: this.rows.length, rows: page }));
  }
}

/** The bytes of a zip. */
export async function zipOf(members: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(members)) zip.addBuffer(Buffer.from(bytes), name, { compress: true });
  zip.end();
  return await buffer(zip.outputStream.pipe(new PassThrough()));
}
