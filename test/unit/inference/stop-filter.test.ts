import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopFilter } from '../../../src-main/inference/stop-filter.ts';

function run(stops: string[], pieces: string[]): string {
  const filter = new StopFilter(stops);
  let shown = '';
  for (const piece of pieces) {
    const { text, stopped } = filter.push(piece);
    shown += text;
    if (stopped) return shown;
  }
  return shown + filter.flush();
}

describe('StopFilter', () => {
  it('lets text through at once when it cannot be the beginning of a stop string', () => {
    expect(new StopFilter(['END']).push('some text')).toEqual({ text: 'some text', stopped: false });
  });

  it('holds back what may be the beginning of a stop string', () => {
    const filter = new StopFilter(['END']);
    expect(filter.push('some E')).toEqual({ text: 'some ', stopped: false });
    expect(filter.push('asy')).toEqual({ text: 'Easy', stopped: false });
  });

  it('ends before a stop string that comes in pieces', () => {
    expect(run(['END'], ['one E', 'N', 'D two'])).toBe('one ');
  });

  it('ends before the first of several', () => {
    expect(run(['xx', 'b'], ['aabxx'])).toBe('aa');
  });

  it('gives back what it held when the text ends there', () => {
    expect(run(['END'], ['the E', 'N'])).toBe('the EN');
  });

  it('finds a stop string that overlaps a false start', () => {
    expect(run(['aab'], ['a', 'a', 'a', 'b'])).toBe('a');
  });

  it('shows the same however the text is cut, and never a part of a stop string', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
    const stop = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(letters, fc.array(stop, { maxLength: 3 }), fc.integer({ min: 1, max: 5 }), (text, stops, size) => {
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
        const ends = stops.map((found) => text.indexOf(found)).filter((at) => at >= 0);
        expect(run(stops, pieces)).toBe(text.slice(0, ends.length > 0 ? Math.min(...ends) : undefined));
      }),
    );
  });
});
