import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopFilter } from '../../../../src-main/inference/child/text-stream.ts';

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

/** The text up to the first stop string that is complete when it is read letter by letter. */
function untilStop(text: string, stops: string[]): string {
  for (let end = 1; end <= text.length; end++) {
    const read = text.slice(0, end);
    const complete = stops.filter((stop) => read.endsWith(stop)).map((stop) => end - stop.length);
    if (complete.length > 0) return text.slice(0, Math.min(...complete));
  }
  return text;
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

  it('ends before the one that is complete first, although another began before it', () => {
    expect(run(['b', 'cba'], ['cba'])).toBe('c');
    expect(run(['b', 'cba'], ['c', 'b', 'a'])).toBe('c');
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
        expect(run(stops, pieces)).toBe(untilStop(text, stops));
      }),
    );
  });
});
