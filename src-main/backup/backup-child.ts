import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { BackupHeader, Books } from '../../src-preload/contract/backup.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { DATA, dataPath } from '../base/data-folder.ts';
import { explainSqliteError } from '../base/sqlite-error.ts';
import { identityFromFile } from '../mesh/transport/identity.ts';
import { failureOf } from '../process/failure.ts';
import { openBackup, readHeader } from './backup-header.ts';
import { booksOf, type Copies, copyDatabases, plaintext, unpack } from './contents.ts';
import { seal, unseal } from './sealed-file.ts';
import { type Report, type Task, taskSchema } from './tasks.ts';

/** Milliseconds between two words on how far it is. */
const TELL_EVERY_MS = 100;

/**
 * Entry of the process that writes a backup or opens one: keys are derived with much memory and time, and files are read in one go, which
 * nobody else should wait for. What it leaves behind when it is killed, those who started it remove.
 */
process.once('message', (message) => {
  void run(taskSchema.parse(message)).then(
    (result) => tell({ result }),
    (error: unknown) => tell({ failed: failureOf(explained(error)) }),
  );
});

async function run(task: Task): Promise<BackupHeader & Books> {
  return task.task === 'create' ? create(task) : await open(task);
}

function create({ dataDir, copies: places, to, password, version, now, kdf }: Extract<Task, { task: 'create' }>) {
  const key = dataPath(dataDir, 'identity');
  const { id: node } = identityFromFile(readFileSync(key, 'utf8'), key);
  try {
    const copies = copyDatabases(dataDir, places);
    const books = booksOf(copies.books, node);
    const { bytes, pieces, close } = plaintext({ dataDir, copies, books }, progress(sizeOf(copies)));
    const file = openSync(to, 'wx', 0o600);
    try {
      seal(file, password, { node, createdAt: now, version, bytes }, pieces, kdf);
      fsyncSync(file);
    } finally {
      close();
      closeSync(file);
    }
    return { ...books, createdAt: now, version, bytes: statSync(to).size };
  } finally {
    for (const copy of Object.values(places)) rmSync(copy, { force: true });
  }
}

async function open({ from, into, password }: Extract<Task, { task: 'open' }>) {
  const file = openBackup(from);
  try {
    const { header, fileBytes } = readHeader(file);
    const { node, createdAt, version } = header;
    const books = await unpack(unseal(file, password), into, node, progress(header.bytes));
    return { ...books, createdAt, version, bytes: fileBytes };
  } finally {
    closeSync(file);
  }
}

const sizeOf = ({ books, results }: Copies) => statSync(books).size + (results ? statSync(results).size : 0);

function progress(total: number): (done: number) => void {
  let toldAt = 0;
  return (done) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell({ done, total });
  };
}

function tell(report: Report): void {
  process.send?.(report);
}

/** What the system says of a full disk or too little memory, as people are told it. */
function explained(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') {
    return new QuarryError({ code: 'DISK_FULL', message: say('backup.diskFull') }, { cause: error });
  }
  if (code === 'ENOMEM' || message === 'crypto_pwhash') {
    return new QuarryError({ code: 'OUT_OF_MEMORY', message: say('backup.memory') }, { cause: error });
  }
  return explainSqliteError(error, DATA.database.name);
}
