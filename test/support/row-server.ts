import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.ts';

/** A web server that answers as Hugging Face's dataset viewer does: `/rows?dataset=…&config=…&split=…&offset=…&length=…`. */
export class RowServer extends LocalServer {
  readonly asked: URLSearchParams[] = [];
  rows: unknown[];
  /** Answers in its place; returns whether it did. @param number of the request, from 0 */
  instead: (response: ServerResponse, number: number) => boolean = () => false;

  constructor(rows: unknown[]) {
    super((request, response) => this.#answer(request, response));
    this.rows = rows;
  }

  get url(): string {
    return this.origin;
  }

  /** A page as it would be, with changes. */
  page(at: number, length: number, changes: object = {}): string {
    const rows = this.rows
      .slice(at, at + length)
      .map((row, index) => ({ row_idx: at + index, row, truncated_cells: [] }));
    const about = { features: [], num_rows_total: this.rows.length, num_rows_per_page: 100, partial: false };
    return JSON.stringify({ ...about, rows, ...changes });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.asked.push(searchParams);
    if (this.instead(response, this.asked.length - 1)) return;
    const isThere = pathname === '/rows' && searchParams.get('dataset') === 'someone/some-rows';
    if (!isThere) return void response.writeHead(404).end('{"error":"no"}');
    const [offset, length] = [Number(searchParams.get('offset')), Number(searchParams.get('length'))];
    response.writeHead(200, { 'content-type': 'application/json' }).end(this.page(offset, length));
  }
}
