import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile as ZipWriter } from 'yazl';
import { say } from '../../../src-preload/contract/saying.ts';
import { takeFromZip, ZipFault } from '../../base/zip-members.ts';
import { invalidAdapter } from '../formats/adapter-error.ts';

/** Entries that are looked at: an adapter’s zip has a handful. */
const MOST_ENTRIES = 256;

/** Writes files into a zip. Numbers hardly shrink: they are stored as they are. @param target not there yet @param at of the files in it, Unix milliseconds */
export async function zipFiles(target: string, folder: string, names: readonly string[], at: number): Promise<void> {
  const zip = new ZipWriter();
  for (const name of names)
    zip.addFile(join(folder, name), name, { compress: false, mtime: new Date(at), mode: 0o100644 });
  const output = zip.outputStream as Readable;
  zip.once('error', (error) => output.destroy(error));
  zip.end();
  await pipeline(output, createWriteStream(target, { flags: 'wx', flush: true }));
}

/**
 * Takes a file out of an untrusted zip, wherever in it it lies.
 * @param target a folder without it
 * @param most bytes that it may have: of a larger one none is written
 * @returns whether it was there
 * @throws ADAPTER_INVALID when the zip is damaged, or has it twice or too large
 */
export async function unzipOne(path: string, target: string, name: string, most: number): Promise<boolean> {
  const isIt = (entry: string) => entry === name || entry.endsWith(`/${name}`);
  const targetOf = (entry: string) => (isIt(entry) ? join(target, name) : undefined);
  try {
    return (await takeFromZip(path, { targetOf, mostBytes: most, mostMembers: MOST_ENTRIES })).size > 0;
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    throw invalidAdapter(say(error.kind === 'tooLarge' ? 'adapters.tooLarge' : 'adapters.zip'), { cause: error });
  }
}
