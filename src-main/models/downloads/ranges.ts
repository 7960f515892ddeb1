import type { ByteRange } from './byte-source.ts';

/** A set of bytes of a file, as few ranges as possible, in order. Meant for dozens of ranges, not thousands. */
export class RangeSet {
  #ranges: ByteRange[];

  /** @param ranges in order, with a gap between each and the next */
  constructor(ranges: readonly ByteRange[] = []) {
    this.#ranges = ranges.map(({ start, end }) => ({ start, end }));
  }

  /** How many bytes are in it. */
  get bytes(): number {
    return this.#ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** A copy of its ranges. */
  get ranges(): ByteRange[] {
    return this.#ranges.map(({ start, end }) => ({ start, end }));
  }

  add({ start, end }: ByteRange): void {
    if (start >= end) return;
    const touching = this.#ranges.filter((range) => range.start <= end && range.end >= start);
    const merged = {
      start: Math.min(start, ...touching.map((range) => range.start)),
      end: Math.max(end, ...touching.map((range) => range.end)),
    };
    const before = this.#ranges.filter((range) => range.end < start);
    const after = this.#ranges.filter((range) => range.start > end);
    this.#ranges = [...before, merged, ...after];
  }

  remove({ start, end }: ByteRange): void {
    if (start >= end) return;
    this.#ranges = this.#ranges
      .flatMap((range) => [
        { start: range.start, end: Math.min(range.end, start) },
        { start: Math.max(range.start, end), end: range.end },
      ])
      .filter((range) => range.start < range.end);
  }

  clear(): void {
    this.#ranges = [];
  }

  /** The first bytes below `length` that are not in it. */
  firstGap(length: number): ByteRange | undefined {
    const [first, second] = this.#ranges;
    const start = first?.start === 0 ? first.end : 0;
    const next = first?.start === 0 ? second : first;
    return start < length ? { start, end: Math.min(length, next?.start ?? length) } : undefined;
  }
}
