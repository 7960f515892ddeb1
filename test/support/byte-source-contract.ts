import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type ByteRange, type ByteSource, SourceError } from '../../src-main/models/downloads/byte-source.ts';
import { until } from './until.ts';

/** What becomes of the file at the source once it was opened. */
export type SourceState = 'whole' | 'silent' | 'cut short';

/** A source of {@link CONTENT}, not open yet. */
export interface SourcePlace {
  source: ByteSource;
  /** What the source holds at this moment: connections, files. Nothing when it is closed. */
  held(): number | Promise<number>;
  /** Brings about the state, after the source was opened. */
  spoil(): void | Promise<void>;
  /** Ends what the source reads from. */
  close(): Promise<void>;
}

/** Several blocks of every source, and not a whole number of them. */
export const CONTENT = randomBytes(400_077);
const LENGTH = CONTENT.length;
const never = new AbortController().signal;

/** What every source does, whatever it reads from. */
export function byteSourceContract(make: (state: SourceState) => Promise<SourcePlace>): void {
  const open: SourcePlace[] = [];
  afterEach(async () => {
    for (const { source, close } of open.splice(0)) {
      await source.close();
      await close();
    }
  });

  async function opened(state: SourceState = 'whole'): Promise<SourcePlace> {
    const place = await make(state);
    open.push(place);
    expect((await place.source.open(never)).bytes).toBe(LENGTH);
    await place.spoil();
    return place;
  }

  /** The bytes that came, and why no more did. */
  async function read(
    source: ByteSource,
    range: ByteRange,
    signal = never,
  ): Promise<{ bytes: Buffer; error?: unknown }> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of source.read(range, signal)) pieces.push(piece);
      return { bytes: Buffer.concat(pieces) };
    } catch (error) {
      return { bytes: Buffer.concat(pieces), error };
    }
  }

  const nothingLeft = async ({ source, held }: SourcePlace) => {
    await source.close();
    await until(async () => expect(await held()).toBe(0));
  };

  describe('a range', () => {
    it.each([
      ['the whole file', 0, LENGTH],
      ['the first byte', 0, 1],
      ['the last byte', LENGTH - 1, LENGTH],
      ['two bytes on both sides of a block’s end', 65_535, 65_537],
      ['a part that begins and ends anywhere', 100_001, 333_333],
    ])('is given exactly: %s', async (_what, start, end) => {
      const place = await opened();
      const { bytes, error } = await read(place.source, { start, end });
      expect(error).toBeUndefined();
      expect(bytes.equals(CONTENT.subarray(start, end))).toBe(true);
      await nothingLeft(place);
    });

    it('is given beside others at the same time', async () => {
      const { source } = await opened();
      const starts = Array.from({ length: source.parallel }, (_, index) => index * 90_000);
      const ranges = starts.map((start) => ({ start, end: start + 100_000 }));
      const all = await Promise.all(ranges.map((range) => read(source, range)));
      for (const [index, { bytes }] of all.entries()) {
        const { start = 0, end = 0 } = ranges[index] ?? {};
        expect(bytes.equals(CONTENT.subarray(start, end))).toBe(true);
      }
    });

    it('that goes beyond the end of the file gives what there is, and never more', async () => {
      const { source } = await opened();
      const { bytes, error } = await read(source, { start: LENGTH - 10, end: LENGTH + 500_000 });
      expect(bytes.equals(CONTENT.subarray(LENGTH - 10))).toBe(true);
      if (error) expect(error).toBeInstanceOf(SourceError);
    });

    it('can be left in the middle, and the source be read again', async () => {
      const place = await opened();
      for await (const piece of place.source.read({ start: 0, end: LENGTH }, never)) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect((await read(place.source, { start: 5, end: 10 })).bytes).toEqual(CONTENT.subarray(5, 10));
      await nothingLeft(place);
    });

    it('ends when it is aborted in the middle, with the reason, and the source can be read again', async () => {
      const place = await opened();
      const aborting = new AbortController();
      const reason = new Error('enough');
      const reading = (async () => {
        for await (const _ of place.source.read({ start: 0, end: LENGTH }, aborting.signal)) aborting.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      expect((await read(place.source, { start: 5, end: 10 })).bytes).toEqual(CONTENT.subarray(5, 10));
      await nothingLeft(place);
    });

    it('gives nothing when it was aborted before', async () => {
      const { source } = await opened();
      const { bytes, error } = await read(source, { start: 0, end: 10 }, AbortSignal.abort('enough'));
      expect(bytes).toHaveLength(0);
      expect(error).toBe('enough');
    });
  });

  describe('a source', () => {
    it.each<[SourceState, SourceError['reason'][]]>([
      ['silent', ['lost']],
      ['cut short', ['lost', 'changed']],
    ])('that falls %s gives an error, after good bytes only', async (state, reasons) => {
      const place = await opened(state);
      const { bytes, error } = await read(place.source, { start: 0, end: LENGTH });
      expect(error).toBeInstanceOf(SourceError);
      expect(reasons).toContain((error as SourceError).reason);
      expect(bytes.length).toBeLessThan(LENGTH);
      expect(bytes.equals(CONTENT.subarray(0, bytes.length))).toBe(true);
      await nothingLeft(place);
    });

    it('that is not open, or not any more, gives an error', async () => {
      const place = await make('whole');
      open.push(place);
      const range = { start: 0, end: 10 };
      expect(await read(place.source, range)).toMatchObject({ bytes: Buffer.alloc(0), error: { reason: 'lost' } });
      await place.source.open(never);
      await place.source.close();
      await place.source.close();
      expect(await read(place.source, range)).toMatchObject({ bytes: Buffer.alloc(0), error: { reason: 'lost' } });
      await nothingLeft(place);
    });

    it('that is closed in the middle of a range ends it with an error', async () => {
      const place = await opened();
      let given = 0;
      const reading = (async () => {
        for await (const piece of place.source.read({ start: 0, end: LENGTH }, never)) {
          given += piece.length;
          await place.source.close();
        }
      })();
      await expect(reading).rejects.toMatchObject({ reason: 'lost' });
      expect(given).toBeLessThan(LENGTH);
      await nothingLeft(place);
    });

    it('can be opened again, also after it was closed', async () => {
      const { source } = await opened();
      expect((await source.open(never)).bytes).toBe(LENGTH);
      await source.close();
      expect((await source.open(never)).bytes).toBe(LENGTH);
      expect((await read(source, { start: 5, end: 10 })).bytes).toEqual(CONTENT.subarray(5, 10));
    });
  });
}
