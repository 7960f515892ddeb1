import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { MOST_BYTES, MOST_ROW_BYTES, type SourceRow } from './source-row.ts';

const NEWLINE = 0x0a;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes of a row, or that it was longer than one may be. */
export interface RawRow {
  /** Its number in the file, from 1: of a line, or of what a list holds. */
  line: number;
  /** Where it begins, in bytes from the beginning. */
  at: number;
  bytes: Buffer | undefined;
}

/** Cuts what is read into lines, of which none is held that is too long. */
export class Lines {
  #open: Buffer[] = [];
  #length = 0;
  #line = 1;
  #at = 0;
  #left: number;
  readonly #mostRowBytes: number;

  constructor(mostBytes: number, mostRowBytes = MOST_ROW_BYTES) {
    this.#left = mostBytes;
    this.#mostRowBytes = mostRowBytes;
  }

  /** @throws BAD_REQUEST where there is more than a data set may have: what was packed may have no end */
  take(piece: Buffer): RawRow[] {
    this.#left -= piece.length;
    if (this.#left < 0) throw tooLarge();
    const lines: RawRow[] = [];
    let at = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, at)) {
      this.#add(piece.subarray(at, end));
      lines.push(...this.end());
      at = end + 1;
    }
    this.#add(piece.subarray(at));
    return lines;
  }

  /** The line that is open; none where it is empty. */
  end(): RawRow[] {
    const line = this.#line++;
    const at = this.#at;
    const bytes = this.#length > this.#mostRowBytes ? undefined : Buffer.concat(this.#open);
    const isEmpty = bytes?.every((byte) => byte <= 0x20);
    this.#at += this.#length + 1;
    this.#open = [];
    this.#length = 0;
    return isEmpty ? [] : [{ line, at, bytes }];
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#mostRowBytes) this.#open = [];
    else if (bytes.length > 0) this.#open.push(bytes);
  }
}

/** What a row says, looked at before it is parsed: how large it is, and how deep. */
export function rowOf({ line, bytes }: RawRow, mostRowBytes = MOST_ROW_BYTES): SourceRow {
  if (!bytes) return { line, fault: say('datasets.rowTooLong', { most: mostRowBytes }) };
  if (jsonExcess(bytes)) return { line, fault: say('datasets.rowTooMuch') };
  try {
    return { line, value: JSON.parse(UTF8.decode(bytes)) };
  } catch {
    return { line, fault: say('datasets.noJson') }; // it is none, or not even text
  }
}

/** There is more of it than a data set may have. */
export const tooLarge = () =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('datasets.tooLarge', { most: MOST_BYTES }), field: 'path' });
