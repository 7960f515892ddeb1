import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { withoutControls } from '../../base/foreign-text.ts';
import { makeFile, type TakenTo } from './take-file.ts';

/** Writes what may be gigabytes to standard output: waits for whoever reads it. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/**
 * Writes a text that has strangers' words in it. A file or a pipe gets it as it is; on a terminal nothing in it steers that.
 * @param to a file. Default: standard output
 * @throws as {@link makeFile}; what the pieces throw
 */
export async function writePieces(pieces: AsyncIterable<string>, to?: TakenTo): Promise<void> {
  if (to) {
    await makeFile(to, (temporary) => pipeline(pieces, createWriteStream(temporary, { flags: 'wx', flush: true })));
    return;
  }
  const shown = process.stdout.isTTY ? withoutControls : (text: string) => text;
  for await (const piece of pieces) await writeOut(shown(piece));
}
