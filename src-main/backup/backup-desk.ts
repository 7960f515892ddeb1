import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { BackupHeader, OpenedBackup } from '../../src-preload/contract/backup.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { BACKUP_PIECE_BYTES } from '../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { dataPath } from '../base/data-folder.ts';
import { ifMissing } from '../base/swallowed.ts';
import { Turns } from '../base/turns.ts';
import { type Db, openDatabase } from '../store/database.ts';
import { WebSessionStore } from '../store/web-sessions.ts';
import { type BackupTools, createBackup, stageBackup, workFile } from './backup.ts';
import { isBackup, showBackup } from './backup-header.ts';
import { decideRestore, discardStaged, stagingOf } from './restore.ts';

/** Bytes of the largest backup that is taken from a page. */
const MOST_BYTES = 64 * 1024 ** 3;

export interface BackupDeskOptions {
  dataDir: string;
  db: Db;
  tools: BackupTools;
}

/** Backups for the screens: files come and go in pieces, since a page has no path. One thing after the other. */
export class BackupDesk {
  readonly #options: BackupDeskOptions;
  readonly #brought: string;
  readonly #turns = new Turns();
  #opened = false;

  constructor(options: BackupDeskOptions) {
    this.#options = options;
    this.#brought = workFile(options.dataDir, 'brought');
  }

  /** A backup of this node, in pieces. @throws as createBackup */
  async *create(password: string, signal?: AbortSignal): AsyncGenerator<{ bytes: number; piece: string }, void> {
    const { dataDir, tools } = this.#options;
    const to = workFile(dataDir, randomUUID()); // two windows may do so at once
    try {
      const { bytes } = await this.#turns.take(() => createBackup({ dataDir, to, password }, { ...tools, signal }));
      for await (const piece of createReadStream(to, { highWaterMark: BACKUP_PIECE_BYTES })) {
        yield { bytes, piece: (piece as Buffer).toString('base64') };
      }
    } finally {
      await rm(to, { force: true });
    }
  }

  /** @throws BAD_REQUEST for what is no backup, comes out of order, or is too long */
  upload(at: number, piece: string): Promise<{ bytes: number }> {
    return this.#turns.take(async () => {
      const bytes = Buffer.from(piece, 'base64');
      if (at === 0 && !isBackup(bytes)) throw refused(say('backup.noBackup'));
      if (at + bytes.length > MOST_BYTES) throw refused(say('backup.tooLarge'));
      const file = await open(this.#brought, at === 0 ? 'w' : 'r+', 0o600).catch(ifMissing);
      if (!file) throw refused(say('backup.notInOrder'));
      try {
        if ((await file.stat()).size !== at) throw refused(say('backup.notInOrder'));
        await file.write(bytes, 0, bytes.length, at);
      } finally {
        await file.close();
      }
      return { bytes: at + bytes.length };
    });
  }

  /** @throws BAD_REQUEST where what was brought is no backup */
  async show(): Promise<BackupHeader> {
    return showBackup(this.#brought);
  }

  /** @throws as stageBackup */
  open(password: string): Promise<OpenedBackup> {
    const { dataDir, tools } = this.#options;
    return this.#turns.take(async () => {
      this.#opened = false;
      const opened = await stageBackup({ dataDir, from: this.#brought, password }, tools);
      this.#opened = true;
      return opened;
    });
  }

  /**
   * Decides for what was opened. The next start of the node puts it into its place.
   * @param now Unix milliseconds
   */
  decide(now: number): Promise<void> {
    const { dataDir } = this.#options;
    return this.#turns.take(async () => {
      if (!this.#opened) throw refused(say('backup.nothingOpened'));
      await this.#keepLogins();
      await decideRestore(dataDir, now);
      this.#opened = false;
      await rm(this.#brought, { force: true });
    });
  }

  discard(): Promise<void> {
    return this.#turns.take(async () => {
      this.#opened = false;
      await discardStaged(this.#options.dataDir);
      await rm(this.#brought, { force: true });
    });
  }

  /** How large the books and the results are: about as large is a backup. */
  async databaseBytes(): Promise<number> {
    const { dataDir } = this.#options;
    const books = await stat(dataPath(dataDir, 'database'));
    const results = await stat(dataPath(dataDir, 'results')).catch(ifMissing);
    return books.size + (results?.size ?? 0);
  }

  /** Who is logged in here stays logged in: it is the same computer. */
  async #keepLogins(): Promise<void> {
    const { dataDir, db } = this.#options;
    const sessions = await new WebSessionStore(db).load();
    const other = await openDatabase(dataPath(stagingOf(dataDir), 'database'));
    try {
      await new WebSessionStore(other).save(sessions);
    } finally {
      await other.destroy();
    }
  }
}

const refused = (message: Saying) => new QuarryError({ code: 'BAD_REQUEST', message, field: 'file' });
