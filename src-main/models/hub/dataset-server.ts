import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { backOffMs } from '../../base/back-off.ts';
import { SourceError } from '../downloads/byte-source.ts';
import type { HttpClient } from '../downloads/http-client.ts';
import { explainDatasetError, isPassing } from './dataset-errors.ts';
import { HubNonsense, HubTooMuch } from './hub-errors.ts';
import { askForJson, checked } from './hub-json.ts';

export interface DatasetServerOptions {
  /** https://datasets-server.huggingface.co, or another server with the same paths. */
  endpoint: string;
  client: Pick<HttpClient, 'get'>;
  /** Milliseconds in which a page has to be complete. Default 60,000. */
  deadlineMs?: number;
  /** Milliseconds after a first failure; doubles with each further one, up to ten times as long. Default 500. */
  firstRetryMs?: number;
}

/** A part of a data set, as its page names it. */
export interface DatasetPart {
  /** `owner/name`. */
  dataset: string;
  config: string;
  split: string;
}

/** Some rows, in their order. */
export interface DatasetPage {
  rows: { at: number; value: unknown /** Fields that the server has cut off. */; cut: string[] }[];
  /** Of all pages. */
  total: number;
}

/** What the API gives at most. */
const PAGE_ROWS = 100;
const MOST_BYTES = 16 << 20;
/** Tries of one page (Affine, upload-dataset: 5, after 0.5 s to 5 s). */
const TRIES = 5;
const LONGEST_WAIT = 10;
/** A server may not send us away for longer. */
const MOST_PATIENCE_MS = 60_000;

const pageSchema = z.object({
  num_rows_total: z.int().min(0).max(1e12),
  rows: boundedArray(
    z.object({
      row_idx: z.int().min(0).max(1e12),
      row: z.unknown(),
      /** Fields whose values were too long for the server. */
      truncated_cells: boundedArray(z.string().max(1_000), 1_000).optional(),
    }),
    PAGE_ROWS,
  ),
});

/** Asks a server that speaks the API of Hugging Face's dataset viewer for rows. Whatever it says is hostile: bounded in time and size, and checked. */
export class DatasetServer {
  readonly #options: DatasetServerOptions;
  readonly #endpoint: string;

  constructor(options: DatasetServerOptions) {
    this.#options = options;
    this.#endpoint = options.endpoint.replace(/\/+$/, '');
  }

  /**
   * The rows of a part, page by page, in their order and without a gap.
   * @param from number of the first one, from 0
   * @throws UNAUTHORIZED, RATE_LIMIT, DOWNLOAD_FAILED, PROTOCOL; the signal's reason
   */
  async *pages(part: DatasetPart, signal?: AbortSignal, from = 0): AsyncGenerator<DatasetPage, void, undefined> {
    let at = from;
    let rows = PAGE_ROWS;
    let total: number | undefined;
    try {
      do {
        const page = await this.#page(part, { at, rows }, signal).catch((error: unknown) => {
          if (error instanceof HubTooMuch && rows > 1) return undefined;
          throw error;
        });
        if (!page)
          rows = Math.max(1, Math.floor(rows / 10)); // its rows are long ones
        else {
          checkPage(page, { at, rows, total });
          total = page.total;
          at += page.rows.length;
          yield page;
        }
      } while (at < (total ?? at + 1));
    } catch (error) {
      signal?.throwIfAborted();
      throw explainDatasetError(error, { ...part, host: new URL(this.#endpoint).host });
    }
  }

  async #page(part: DatasetPart, wanted: { at: number; rows: number }, signal?: AbortSignal): Promise<DatasetPage> {
    const { firstRetryMs: firstMs = 500 } = this.#options;
    for (let failures = 1; ; failures++) {
      try {
        return await this.#ask(part, wanted, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (failures === TRIES || !isPassing(error)) throw error;
        const asked = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
        const waitMs = backOffMs(failures, { firstMs, longestMs: LONGEST_WAIT * firstMs });
        await sleep(Math.max(waitMs, Math.min(asked, MOST_PATIENCE_MS)), undefined, { signal });
      }
    }
  }

  async #ask(
    { dataset, config, split }: DatasetPart,
    { at, rows }: { at: number; rows: number },
    signal?: AbortSignal,
  ): Promise<DatasetPage> {
    const { client, deadlineMs = 60_000 } = this.#options;
    const query = new URLSearchParams({ dataset, config, split, offset: String(at), length: String(rows) });
    const url = new URL(`${this.#endpoint}/rows?${query}`);
    const { json } = await askForJson(client, url, { mostBytes: MOST_BYTES, deadlineMs, signal });
    const page = checked(pageSchema, json);
    return {
      total: page.num_rows_total,
      rows: page.rows.map(({ row_idx: at, row: value, truncated_cells: cut = [] }) => ({ at, value, cut })),
    };
  }
}

/** A server that gives rows twice, leaves some out, or never comes to an end. @throws HubNonsense */
function checkPage(
  { rows, total }: DatasetPage,
  wanted: { at: number; rows: number; total: number | undefined },
): void {
  if (wanted.total !== undefined && wanted.total !== total) throw new HubNonsense('it has other rows than before');
  const due = Math.min(wanted.rows, total - wanted.at);
  if (rows.length > due || (rows.length === 0 && due > 0)) throw new HubNonsense('another number of rows');
  if (rows.some((row, at) => row.at !== wanted.at + at)) throw new HubNonsense('other rows than those asked for');
}
