import { type RawRow, tooLarge } from '../../../../validation/datasets/lines.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
/** The mark that some editors put before UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Cuts a file that is one JSON list into what the list holds, of which nothing is held that is too long: some of these files are larger than a text
 * may be. Where the list begins otherwise, is not closed, or something follows it, that is a row that is no JSON.
 */
export class ListItems {
  #open: Buffer[] = [];
  #length = 0;
  #line = 1;
  /** Bytes before the piece that is looked at. */
  #before = 0;
  /** Where the open item began. */
  #at = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #wasClosed = false;
  readonly #mostBytes: number;
  readonly #mostRowBytes: number;

  constructor(mostBytes: number, mostRowBytes: number) {
    this.#mostBytes = mostBytes;
    this.#mostRowBytes = mostRowBytes;
  }

  /** @throws BAD_REQUEST where there is more than a data set may have */
  take(piece: Buffer): RawRow[] {
    if (this.#before + piece.length > this.#mostBytes) throw tooLarge();
    const items: RawRow[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const mark = this.#read(piece[at] as number);
      if (mark === undefined) continue;
      this.#add(piece.subarray(from, at));
      items.push(...this.#close(mark === 'next'));
      from = at + 1;
      this.#at = this.#before + from;
    }
    this.#add(piece.subarray(from));
    this.#before += piece.length;
    return items;
  }

  /** What is left over; a list that is not closed has one more, that is nothing: a part of the file is missing. */
  end(): RawRow[] {
    return this.#wasClosed ? this.#close(false) : [...this.#close(false), ...this.#close(true)];
  }

  /** What a byte means to the list itself: that it begins or ends, or that its next item does. */
  #read(byte: number): 'begin' | 'next' | 'end' | undefined {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return undefined;
    }
    if (byte === QUOTE) this.#inText = true;
    else if (byte === 0x5b || byte === 0x7b) return this.#down(byte);
    else if (byte === 0x5d || byte === 0x7d) return this.#up();
    else if (byte === COMMA && this.#depth === 1) return 'next';
    return undefined;
  }

  #down(byte: number): 'begin' | undefined {
    return this.#depth++ === 0 && byte === 0x5b && !this.#wasClosed ? 'begin' : undefined;
  }

  /** What was never opened is closed by nothing: it is a row of its own, that is no JSON. */
  #up(): 'next' | 'end' | undefined {
    if (this.#depth === 0) return 'next';
    if (--this.#depth > 0) return undefined;
    this.#wasClosed = true;
    return 'end';
  }

  /** @param isThere there has to be one, if only an empty one */
  #close(isThere: boolean): RawRow[] {
    const isTooLong = this.#length > this.#mostRowBytes;
    const bytes = isTooLong ? undefined : Buffer.concat(this.#open);
    const row = { line: this.#line, at: this.#at, bytes };
    this.#open = [];
    this.#length = 0;
    if (!isThere && bytes?.every((byte) => byte <= SPACE || BYTE_ORDER_MARK.includes(byte))) return [];
    this.#line++;
    return [row];
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#mostRowBytes) this.#open = [];
    else if (bytes.length > 0) this.#open.push(bytes);
  }
}
