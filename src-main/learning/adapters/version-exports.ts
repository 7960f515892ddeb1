import { open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExportedVersion, ExportForm } from '../../../src-preload/contract/learning-versions.ts';
import { LEARNING_EXPORT_PATH } from '../../../src-preload/contract/limits.ts';
import { KeptExports } from '../../base/kept-exports.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { type Lasts, Tickets } from '../../base/tickets.ts';
import { exportName } from './export-version.ts';
import type { VersionFiles } from './version-files.ts';
import type { Versions } from './versions.ts';

/** Until an exported file has to be taken. */
const TAKEN_WITHIN_MS = 10 * 60_000;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Hands out versions as files: on this computer by their path, to a browser by a ticket. */
export class VersionExports {
  readonly #versions: Versions;
  readonly #files: VersionFiles;
  readonly #tickets: Tickets;
  readonly #kept = new KeptExports();

  /** @param now Unix milliseconds. Default `Date.now` */
  constructor(versions: Versions, files: VersionFiles, now: () => number = Date.now) {
    this.#versions = versions;
    this.#files = files;
    this.#tickets = new Tickets(now, LEARNING_EXPORT_PATH);
  }

  /**
   * Writes a version to a file that whoever asked may take: it is there for ten minutes, until the signal, or until four newer ones wait.
   * @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID, DISK_FULL
   */
  async *export(
    ref: string,
    form: ExportForm,
    signal?: AbortSignal,
    lasts?: Lasts,
  ): AsyncGenerator<ExportedVersion, void, undefined> {
    const folder = await this.#files.makeScratch();
    try {
      const { version } = await this.#versions.folder(ref);
      const name = exportName(version.id, form);
      const path = join(folder, name);
      await this.#versions.export(version.id, form, path);
      const gone = await this.#kept.keep(path);
      yield { version, name, path, download: this.#tickets.give(path, lasts).path, bytes: (await stat(path)).size };
      // The next step is asked for by whoever carries these, before this one has come to whoever takes the file.
      const until = signal ? AbortSignal.any([signal, gone]) : gone;
      await pause(TAKEN_WITHIN_MS, undefined, { signal: until, ref: false }).catch(
        ignoring('it was taken, or nobody wants it any more'),
      );
      await this.#kept.remove(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** `GET /learning/export/<ticket>`. @returns 200; 404 without a valid ticket, 405 */
  async give(request: Request): Promise<Response> {
    if (request.method !== 'GET') return new Response(null, { status: 405, headers: { ...HEADERS, allow: 'GET' } });
    const [, ticket = ''] = new URL(request.url).pathname.split(`${LEARNING_EXPORT_PATH}/`);
    const path = this.#tickets.subjectOf(ticket);
    const file = path === undefined ? undefined : await open(path, 'r').catch(ifMissing);
    if (path === undefined || !file) return new Response(null, { status: 404, headers: HEADERS });
    const { size } = await file.stat();
    const headers = {
      ...HEADERS,
      'content-type': path.endsWith('.zip') ? 'application/zip' : 'application/octet-stream',
      'content-length': String(size),
      // A version's id, as a file's name, has letters, digits, dots, hyphens and underscores.
      'content-disposition': `attachment; filename="${basename(path)}"`,
    };
    return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>, { headers });
  }
}
