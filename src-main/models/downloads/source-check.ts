import type { ByteSource } from './byte-source.ts';
import { refused } from './download-problems.ts';
import type { PartialFile } from './partial-file.ts';

/** What a source has, by its own word. */
export interface Holding {
  source: ByteSource;
  validator: string | undefined;
  /** Of the whole file. */
  length: number;
}

/**
 * Whether what a source has may be the wanted file, and may be put together with what is here.
 * @throws SourceError `gone` when not
 */
export function checkHolding({ source, length }: Holding, partial: PartialFile, maxBytes: number): void {
  const { wanted, bytes: expected } = partial.state;
  if (length > maxBytes) throw refused(source, `it has ${length} bytes, and at most ${maxBytes} are taken`);
  if (length !== (wanted.bytes ?? length)) throw refused(source, `it has ${length} bytes, not ${wanted.bytes}`);
  if (partial.received === 0 || gaveAll(source, partial)) return;
  if (length !== expected) throw refused(source, `it has ${length} bytes, not ${expected}`);
  if (!wanted.sha256) throw refused(source, 'without a SHA-256 the bytes of two sources are not put together');
}

/** Whether a source that gave all that is here may have another file now, so that nothing of it can be used. */
export function isReplaced({ source, validator, length }: Holding, partial: PartialFile): boolean {
  const { wanted, givers, bytes: expected } = partial.state;
  if (partial.received === 0 || !gaveAll(source, partial)) return false;
  if (length !== expected) return true;
  // Where the hash is known, it tells in the end. Else nobody would notice that the file was replaced meanwhile.
  return !wanted.sha256 && (validator === undefined || validator !== givers[source.name]);
}

function gaveAll({ name }: ByteSource, partial: PartialFile): boolean {
  return Object.keys(partial.state.givers).join() === name;
}
