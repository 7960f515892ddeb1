import { describe, expect, it } from 'vitest';
import { ENTRY_KINDS } from '../../../src-main/store/credits/entry-kinds.ts';
import de from '../../../src-renderer/i18n/de/earnings.json' with { type: 'json' };
import en from '../../../src-renderer/i18n/en/earnings.json' with { type: 'json' };
import { countRows, csvFileName, gatherCsv } from '../../../src-renderer/pages/earnings/ledger/csv.ts';
import { isKnownKind } from '../../../src-renderer/pages/earnings/ledger/kinds.ts';
import { EVERYTHING, toFilter } from '../../../src-renderer/pages/earnings/ledger/ledger-filter.ts';
import { totalAndBest } from '../../../src-renderer/pages/earnings/overview/day-measure.ts';
import { sourceShares } from '../../../src-renderer/pages/earnings/overview/source-shares.ts';

describe('the days', () => {
  it('finds the sum and the best day, the first of equals', () => {
    const days = [1, 5, 5, -2].map((points, at) => ({ at, points, requests: 0, spent: 0 }));
    expect(totalAndBest(days, 'points')).toEqual({ total: 9, best: days[1] });
    expect(totalAndBest([], 'points')).toEqual({ total: 0, best: undefined });
  });
});

describe('the filter of the ledger', () => {
  it('asks for everything when nothing is chosen', () => {
    expect(toFilter(EVERYTHING)).toEqual({});
  });

  it('takes both days in, by the clock of this computer', () => {
    expect(toFilter({ kinds: ['earn'], from: '2026-11-20', to: '2026-11-21' })).toEqual({
      kinds: ['earn'],
      from: new Date(2026, 10, 20).getTime(),
      to: new Date(2026, 10, 22).getTime(),
    });
  });

  it('allows a single day, and refuses an end before the beginning', () => {
    expect(toFilter({ kinds: [], from: '2026-11-21', to: '2026-11-21' })).toBeDefined();
    expect(toFilter({ kinds: [], from: '2026-11-21', to: '2026-11-20' })).toBeUndefined();
  });
});

describe('the export', () => {
  it('counts rows, and no line that ends inside quotes', () => {
    expect(countRows('1,a\n2,"two\nlines"\n3,"a ""word"""\n')).toBe(3);
  });

  it('gathers every piece and tells how far it is', async () => {
    async function* pieces() {
      yield 'number,memo\n';
      yield '1,ä\n2,b\n';
    }
    const told: unknown[] = [];
    const file = await gatherCsv(pieces(), new AbortController().signal, (progress) => told.push(progress));
    expect(await file.text()).toBe('number,memo\n1,ä\n2,b\n');
    expect(told).toEqual([
      { rows: 0, bytes: 12 },
      { rows: 2, bytes: 21 },
    ]);
  });

  it('gives no file once it is cancelled, and lets the stream go', async () => {
    const control = new AbortController();
    let left = false;
    async function* pieces() {
      try {
        for (;;) yield 'row\n';
      } finally {
        left = true;
      }
    }
    const gathered = gatherCsv(pieces(), control.signal, ({ rows }) => {
      if (rows === 3) control.abort();
    });
    await expect(gathered).rejects.toThrow('aborted');
    expect(left).toBe(true);
  });

  it('names the file by the calendar of this computer', () => {
    expect(csvFileName(new Date(2026, 0, 5, 0, 30))).toBe('quarry-ledger-2026-01-05.csv');
  });
});

describe('sources of points', () => {
  const none = { penalties: -3, uncounted: { pairCap: 9, tooOld: 0 } };

  it('shares out what was added; penalties and what did not count stay out of it', () => {
    const shares = sourceShares({ speed: 30, complexity: 10, quality: 10, bonuses: 50, ...none });
    expect(shares.map(({ share }) => share)).toEqual([0.3, 0.1, 0.1, 0.5]);
  });

  it('is nothing of nothing', () => {
    const shares = sourceShares({ speed: 0, complexity: 0, quality: 0, bonuses: 0, ...none });
    expect(shares.every(({ share }) => share === 0)).toBe(true);
  });
});

describe('texts', () => {
  it.each([...ENTRY_KINDS])('names and explains entries of kind %s', (kind) => {
    expect(isKnownKind(kind)).toBe(true);
    expect(en.kind[kind]).toEqual({ name: expect.any(String), meaning: expect.any(String) });
    expect(Object.keys(de.kind)).toContain(kind);
  });
});
