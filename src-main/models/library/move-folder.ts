import { lstat, readdir, readFile, realpath, rename, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { removeLeftovers, syncFolder, writeAtomically } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { type LibraryLock, LOCK_FILE } from './library-lock.ts';
import { diskFull, failureOf, type LongWork, progressOver } from './long-work.ts';
import { filesIn, type MovedFile, placeMoved, removeCopies, removeMoved } from './moved-files.ts';
import type { Link } from './place-file.ts';

/** How a folder takes the place of another. */
export interface ExchangeOptions {
  link: Link;
  /** Of the folder that moves; held or not. */
  lock: LibraryLock;
}

export interface MoveOptions extends LongWork, ExchangeOptions {
  /** The folder that moves; a link stays in its place, so its path stays right. */
  folder: string;
  /** Where to: absolute; empty or not there yet. */
  to: string;
  freeBytes: (folder: string) => Promise<number>;
}

/** What is under way, beside the folder: so that a process that was killed in the middle is followed by one that knows. */
const journalSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Every file is at both places: from here on there is only forward. */
  placed: z.boolean(),
});
type Journal = z.infer<typeof journalSchema>;

const journalPath = (folder: string) => `${folder}.move.json`;
/** Where the old folder is put while the link takes its place, until its files are deleted. */
const asidePath = (folder: string) => `${folder}.moved`;

/**
 * Moves a folder, to another drive perhaps: links or copies every file, reads copies again, leaves a link in the old
 * place, then deletes the originals. Whenever it is killed, {@link finishMove} finds every file in one place or both.
 * @throws BAD_REQUEST when it cannot go there, DISK_FULL, CANCELLED; everything is as before then
 */
export async function moveFolder(options: MoveOptions): Promise<void> {
  const { folder, signal } = options;
  await endMove(folder, options);
  if (await lstat(asidePath(folder)).catch(ifMissing)) throw asideTaken(folder);
  await makeFolder(folder);
  const from = await realpath(folder);
  const to = await emptyFolder(options.to, from);
  const journal: Journal = { from, to, placed: false };
  await writeJournal(folder, journal);
  try {
    const files = (await filesIn(from)).filter(({ path }) => path !== LOCK_FILE);
    await placeAll(files, journal, options);
    await writeJournal(folder, { ...journal, placed: true });
  } catch (error) {
    await takeBack(folder, journal);
    throw failureOf(error, signal);
  }
  await complete(folder, journal, options);
}

/**
 * Ends a move that was cut off: takes it back while files were being placed, and completes it after that. Where it cannot
 * and the folder is in its place, that is logged and tried again at the next start: either place has every file.
 * @param options.log default: nobody is told
 * @throws BAD_REQUEST where the models lie aside and the folder cannot be given its name: who went on would begin an empty one
 */
export async function finishMove(
  folder: string,
  { log, ...options }: ExchangeOptions & { log?: Pick<Logger, 'warn'> },
): Promise<void> {
  try {
    await endMove(folder, options);
  } catch (err) {
    if (await isStranded(folder)) throw err;
    log?.warn({ err }, 'a move of the models that was cut off could not be ended');
  }
}

async function endMove(folder: string, options: ExchangeOptions): Promise<void> {
  await removeLeftovers(dirname(folder), (file) => file.startsWith(basename(journalPath(folder))));
  const journal = await readJournal(folder);
  if (!journal) return;
  if (!journal.placed) return await takeBack(folder, journal);
  if (!(await isFolder(journal.to))) return await putBack(folder); // the new drive is away: the old place serves meanwhile
  await complete(folder, journal, options);
}

/** What is left to do of a move once every file is at both places. */
async function complete(folder: string, journal: Journal, { link, lock }: ExchangeOptions): Promise<void> {
  await lock.without(async () => {
    await switchOver(folder, journal);
    await clearOld(folder, journal.to, link).catch((error) => {
      throw notCleared(folder, error);
    });
  });
}

/** The folder to move to, made if need be. @throws BAD_REQUEST */
async function emptyFolder(path: string, from: string): Promise<string> {
  if (!isAbsolute(path)) throw badFolder(path, say('library.notAbsolute'));
  if (isInside(path, from)) throw badFolder(path, say('library.inside'));
  try {
    await makeFolder(path);
    const real = await realpath(path);
    if (isInside(real, from)) throw badFolder(path, say('library.inside'));
    if ((await readdir(real)).length > 0) throw badFolder(path, say('library.notEmpty'));
    return real;
  } catch (error) {
    if (error instanceof QuarryError) throw error;
    throw badFolder(path, say('library.unreadable'), error);
  }
}

async function placeAll(files: MovedFile[], journal: Journal, options: MoveOptions): Promise<void> {
  const { from, to } = journal;
  const { link, signal } = options;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (!(await canLink(files, journal, link)) && (await options.freeBytes(to)) < bytes) throw diskFull();
  const onBytes = progressOver(2 * bytes, options.onProgress);
  for (const file of files) {
    signal?.throwIfAborted();
    await placeMoved(file, from, to, { link, signal, onBytes });
  }
  await syncFolder(to);
}

/** Whether files can be in both folders at once without taking room twice: tried with one of them. */
async function canLink(files: MovedFile[], { from, to }: Journal, link: Link): Promise<boolean> {
  const file = files.find(({ symbolic }) => !symbolic);
  if (!file) return true;
  const target = join(to, file.path);
  try {
    await link(join(from, file.path), target);
    await rm(target);
    return true;
  } catch {
    return false; // whatever the reason, they are copied; a copy that fails says why
  }
}

/**
 * Puts the link in the folder's place.
 * @throws BAD_REQUEST when it cannot be; everything is as before then. Where the folder cannot even be put back, the move
 *   stays open: every file is at both places, and the next start completes it
 */
async function switchOver(folder: string, journal: Journal): Promise<void> {
  if ((await realpath(folder).catch(ifMissing)) === journal.to) return;
  const fresh = `${folder}.link`;
  try {
    await rm(fresh, { force: true });
    await symlink(journal.to, fresh, 'junction'); // which Windows allows everybody; elsewhere it is an ordinary link
    if (await isStranded(folder)) await clearPlace(folder);
    else await rename(folder, asidePath(folder));
    await rename(fresh, folder);
  } catch (error) {
    await putBack(folder);
    await rm(fresh, { force: true });
    await writeJournal(folder, { ...journal, placed: false });
    await takeBack(folder, journal);
    throw badFolder(journal.to, say('library.notPlaced', { folder }), error);
  }
  await syncFolder(dirname(folder));
}

/** Deletes the originals; each step can be done again. */
async function clearOld(folder: string, to: string, link: Link): Promise<void> {
  const aside = asidePath(folder);
  const originals = await realpath(aside).catch(ifMissing);
  if (originals !== undefined) await removeMoved(originals, to, { link });
  if ((await lstat(aside).catch(ifMissing))?.isSymbolicLink()) await rm(aside);
  await rm(journalPath(folder), { force: true });
}

async function takeBack(folder: string, { from, to }: Journal): Promise<void> {
  if (await isFolder(to)) await removeCopies(from, to);
  await rm(journalPath(folder), { force: true });
}

/** Gives a folder that was put aside its place again, where the link has not taken it. @throws BAD_REQUEST when it cannot be */
async function putBack(folder: string): Promise<void> {
  if (!(await isStranded(folder))) return;
  try {
    await clearPlace(folder);
    await rename(asidePath(folder), folder);
  } catch (error) {
    throw notPutBack(folder, error);
  }
}

/** Whether the models lie aside and no link leads to them; what is in the folder's place then, somebody made meanwhile. */
async function isStranded(folder: string): Promise<boolean> {
  if (!(await lstat(asidePath(folder)).catch(ifMissing))) return false;
  return !(await lstat(folder).catch(ifMissing))?.isSymbolicLink();
}

/** Deletes an empty folder that somebody made in the place of the one aside. @throws ENOTEMPTY where more is in it */
async function clearPlace(folder: string): Promise<void> {
  const inside = await readdir(folder).catch(ifMissing);
  if (!inside) return;
  if (inside.length === 1) await rm(join(folder, LOCK_FILE), { force: true });
  await rmdir(folder);
}

async function readJournal(folder: string): Promise<Journal | undefined> {
  const text = await readFile(journalPath(folder), 'utf8').catch(ifMissing);
  return text === undefined ? undefined : journalSchema.parse(JSON.parse(text));
}

async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await writeAtomically(journalPath(folder), JSON.stringify(journal));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoring('a drive that does not answer is away')))?.isDirectory() ?? false;
}

/** Whether a path is a folder or in it. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function notPutBack(folder: string, cause: unknown): QuarryError {
  const inTheWay = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');
  const message = say('library.notPutBack', { aside: asidePath(folder), folder });
  const hint = inTheWay ? say('library.makeRoom', { folder }) : say('library.closeProgram');
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'folder' }, { cause });
}

function asideTaken(folder: string): QuarryError {
  const aside = asidePath(folder);
  const message = say('library.asideTaken', { aside });
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('library.moveAside', { aside }), field: 'folder' });
}

function notCleared(folder: string, cause: unknown): QuarryError {
  const message = say('library.notCleared', { folder: asidePath(folder) });
  return new QuarryError(
    {
      code: 'BAD_REQUEST',
      message,
      hint: say('library.clearedLater'),
      field: 'folder',
    },
    { cause },
  );
}

function badFolder(path: string, why: Saying, cause?: unknown): QuarryError {
  return new QuarryError(
    {
      code: 'BAD_REQUEST',
      message: say('library.badFolder', { path, why }),
      hint: say('library.giveEmpty'),
      field: 'folder',
    },
    { cause },
  );
}
