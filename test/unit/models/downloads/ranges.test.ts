import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RangeSet } from '../../../../src-main/models/downloads/ranges.ts';

const LENGTH = 24;

describe('RangeSet', () => {
  it('joins ranges that touch', () => {
    const set = new RangeSet();
    set.add({ start: 0, end: 4 });
    set.add({ start: 8, end: 12 });
    set.add({ start: 4, end: 8 });
    expect(set.ranges).toEqual([{ start: 0, end: 12 }]);
  });

  it('is not cut by removing nothing', () => {
    const set = new RangeSet([{ start: 0, end: 12 }]);
    set.remove({ start: 5, end: 5 });
    expect(set.ranges).toEqual([{ start: 0, end: 12 }]);
  });

  it('does what a list of single bytes does', () => {
    const place = fc.nat(LENGTH);
    const step = fc.record({ verb: fc.constantFrom('add' as const, 'remove' as const), a: place, b: place });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const set = new RangeSet();
        const bytes = new Set<number>();
        for (const { verb, a, b } of steps) {
          const range = { start: Math.min(a, b), end: Math.max(a, b) };
          set[verb](range);
          for (let at = range.start; at < range.end; at++) bytes[verb === 'add' ? 'add' : 'delete'](at);
        }
        expect(set.bytes).toBe(bytes.size);
        const listed = set.ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
        expect(listed).toEqual([...bytes].sort((x, y) => x - y));
        const gap = set.firstGap(LENGTH);
        const missing = Array.from({ length: LENGTH }, (_, at) => at).filter((at) => !bytes.has(at));
        expect(gap?.start).toBe(missing[0]);
        if (gap) for (let at = gap.start; at < gap.end; at++) expect(bytes.has(at)).toBe(false);
        if (gap && gap.end < LENGTH) expect(bytes.has(gap.end)).toBe(true);
      }),
    );
  });
});
