import { describe, expect, it } from 'vitest';
import { CELLS } from '../../../src-main/cli/evaluation/columns.ts';
import { accuracyOf, summedCells } from '../../../src-preload/contract/evaluation-cells.ts';
import { tokensOf, tokensText } from '../../../src-preload/contract/token-length.ts';
import { comparedSum, differencesOf, inCommon } from '../../../src-renderer/pages/evaluation/compare/compared.ts';
import { cellsCsv, cellsMarkdown } from '../../../src-renderer/pages/evaluation/export/cells-table.ts';
import { mapPicture } from '../../../src-renderer/pages/evaluation/export/map-picture.ts';
import { missingFor, packsOf } from '../../../src-renderer/pages/evaluation/files/packs.ts';
import { cellAfter } from '../../../src-renderer/pages/evaluation/map/grid-keys.ts';
import {
  contrast,
  heatColour,
  heatInk,
  luminance,
  type Scheme,
} from '../../../src-renderer/pages/evaluation/map/heat.ts';
import {
  kindOf,
  kindsOf,
  needleMap,
  suitesOf,
  usedLength,
} from '../../../src-renderer/pages/evaluation/map/map-cells.ts';
import { namesTarget, sizeOf } from '../../../src-renderer/pages/evaluation/new/draft.ts';
import { verdictOf } from '../../../src-renderer/pages/evaluation/result/verdict.ts';
import { sampleEvaluation } from '../../support/screens/sample-evaluation.ts';

const [big, small] = sampleEvaluation().all;
if (!big || !small) throw new Error('The sample has too few evaluations.');

const CELL = {
  ...{ suite: 'needle', variant: 'number, early', length: 1_000, asked: 2, answered: 2, score: 1 },
  ...{ band: 'beginning' as const, depth: 0.09, firstMs: 100, totalMs: 200, promptTokensPerSecond: 1_000 },
};

describe('cells of an evaluation', () => {
  it('count together by their answers, and by how long they took to read', () => {
    const slow = { ...CELL, answered: 6, asked: 7, score: 6, firstMs: 500, promptTokensPerSecond: 200 };
    const sum = summedCells([CELL, slow]);
    expect(sum).toMatchObject({ asked: 9, answered: 8, score: 7, firstMs: 400 });
    // 200 tokens in 0.2 s, and 600 in 3 s
    expect(sum.promptTokensPerSecond).toBeCloseTo(800 / 3.2);
    expect(accuracyOf(sum)).toBe(7 / 8);
    expect(summedCells([])).toMatchObject({ asked: 0, firstMs: null, promptTokensPerSecond: null });
    expect(accuracyOf(summedCells([]))).toBeUndefined();
  });

  it('stand in a map by the depth in their name, else by the one that was measured', () => {
    const { lengths, rows } = needleMap(big.cells, 'needle', null);
    expect(lengths).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(rows.map(({ band }) => band)).toEqual(['beginning', 'early', 'middle', 'late', 'end']);
    expect(rows[2]?.spots[2]).toMatchObject({ state: 'scored', sum: { answered: 12 } });
    expect(rows[2]?.spots[2]?.variants).toHaveLength(6);
    const [early] = needleMap([CELL], 'needle', 'number').rows.slice(1);
    expect(early?.spots[0]?.sum.answered).toBe(2);
    expect(kindOf('number, early')).toBe('number');
    expect(kindsOf(big.cells, 'needle')).toHaveLength(6);
    expect(kindsOf(big.cells, 'anchors')).toEqual([]);
    expect(suitesOf(big.cells, big.plan.suites, true)).toEqual(['needle', 'needles', 'anchors']);
  });

  it('have no room at any depth of a text that is too long, and are not asked where nothing came yet', () => {
    const { rows } = needleMap(big.cells, 'anchors', null, [16_000, 32_000, 64_000]);
    expect(rows.map(({ spots }) => spots.map(({ state }) => state))).toEqual(
      Array.from({ length: 5 }, () => ['scored', 'noRoom', 'none']),
    );
  });

  it('tell up to which length half is right, without a gap', () => {
    const at = (length: number, score: number) => ({ ...CELL, length, score });
    const unfit = (length: number) => ({ ...at(length, 0), answered: 0 });
    const enough = [at(1_000, 2), at(2_000, 1)];
    expect(usedLength([...enough, at(4_000, 0.9), at(8_000, 2)])).toEqual({
      length: 2_000,
      next: { length: 4_000, accuracy: 0.45 },
    });
    expect(usedLength([unfit(500), at(1_000, 0.5)])).toEqual({
      length: undefined,
      next: { length: 1_000, accuracy: 0.25 },
    });
    expect(usedLength([unfit(500), ...enough, unfit(4_000)])).toEqual({
      length: 2_000,
      next: { length: 4_000, accuracy: undefined },
    });
    expect(usedLength(enough)).toEqual({ length: 2_000, next: undefined });
    expect(usedLength([])).toEqual({ length: undefined, next: undefined });
  });
});

describe('colours of the map', () => {
  const shares = Array.from({ length: 101 }, (_, percent) => percent / 100);

  it.each([
    ['light', -1],
    ['dark', 1],
  ] as const)(
    'are ordered by their lightness alone, and what stands on them can be read: %s',
    (scheme: Scheme, sign) => {
      const steps = shares.map((share) => luminance(heatColour(share, scheme)));
      expect(steps.slice(1).every((step, at) => sign * (step - (steps[at] ?? 0)) > 0)).toBe(true);
      for (const share of shares) {
        expect(contrast(heatInk(share, scheme), heatColour(share, scheme))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('are those of the ends beyond them', () => {
    expect(heatColour(-1, 'light')).toBe(heatColour(0, 'light'));
    expect(heatColour(2, 'dark')).toBe(heatColour(1, 'dark'));
  });
});

describe('keys in the map', () => {
  const size = { rows: 5, columns: 6 };
  const press = (key: string, row: number, column: number, ctrlKey = false) =>
    cellAfter({ key, ctrlKey }, { row, column }, size);

  it('lead from cell to cell, and not out of it', () => {
    expect(press('ArrowDown', 1, 2)).toEqual({ row: 2, column: 2 });
    expect(press('ArrowLeft', 1, 0)).toBeUndefined();
    expect(press('ArrowDown', 4, 0)).toBeUndefined();
    expect(press('Home', 3, 4)).toEqual({ row: 3, column: 0 });
    expect(press('End', 3, 4, true)).toEqual({ row: 4, column: 5 });
    expect(press('x', 0, 0)).toBeUndefined();
  });
});

describe('lengths', () => {
  it('are read as people write them, within bounds', () => {
    expect(['1k', '1.5M', '1,5m', ' 12 K', '2048'].map(tokensOf)).toEqual([1_000, 1_500_000, 1_500_000, 12_000, 2_048]);
    expect(['', 'k', '12 miles', '499', '2.1M', '-4k'].map(tokensOf)).toEqual(Array(6).fill(undefined));
  });

  it('are written short', () => {
    expect([500, 1_000, 1_500, 124_000, 1_500_000, 2_048].map((tokens) => tokensText(tokens))).toEqual([
      '500',
      '1k',
      '1.5k',
      '124k',
      '1.5M',
      '2048',
    ]);
    expect(tokensText(1_500_000, ',')).toBe('1,5M');
  });

  it('make what will be read', () => {
    expect(
      sizeOf({ suites: ['needle', 'anchors'], lengths: [1_000, 4_000], samples: 2 }, (name) =>
        name === 'needle' ? 30 : 1,
      ),
    ).toEqual({ texts: 124, tokens: 310_000 });
  });
});

describe('a comparison', () => {
  it('is of what all were asked, and says what was not the same', () => {
    expect(inCommon([big, small])).toEqual({
      suites: ['needle', 'anchors'],
      lengths: [1_000, 2_000, 4_000, 8_000, 16_000],
    });
    expect(differencesOf([big, small])).toEqual(['model', 'suites', 'lengths']);
    expect(differencesOf([big, big])).toEqual([]);
    expect(comparedSum(big, ['needle'], 4_000).accuracy).toBeGreaterThan(
      comparedSum(small, ['needle'], 4_000).accuracy ?? 1,
    );
    expect(inCommon([])).toEqual({ suites: [], lengths: [] });
  });
});

describe('an answer', () => {
  it('is right, partly right, wrong, or none', () => {
    const of = (answer: string | null, score: number) => verdictOf({ answer, score }).verdict;
    expect([of('a', 1), of('a', 0.4), of('a', 0), of(null, 0)]).toEqual(['right', 'partly', 'wrong', 'unanswered']);
  });
});

describe('what is saved', () => {
  it('has a line for each cell, and a table for people', () => {
    const lines = cellsCsv(big).trim().split('\r\n');
    expect(lines).toHaveLength(1 + big.cells.length);
    expect(lines[0]).toBe(CELLS.map(([head]) => head).join(','));
    const wide = cellsMarkdown({ ...big, model: 'a|b' });
    expect(wide).toContain('| Questions | 1k | 2k | 4k | 8k | 16k | 32k |');
    expect(wide).toMatch(/\| execution \| .* no room \|/);
    expect(wide).toContain(`Seed: \`${big.plan.seed}\``);
  });

  it('is a picture in which nothing that a model calls itself is markup', () => {
    const { rows, lengths } = needleMap(big.cells, 'needle', null);
    const words = { title: '<script>&"', about: 'a', rows: 'b', columns: 'c', noRoom: 'no room' };
    const { svg, width } = mapPicture(
      words,
      lengths.map(String),
      rows.map(({ band, spots }) => ({ name: band, spots })),
    );
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
    expect(svg.match(/<rect/g)).toHaveLength(1 + 30);
    expect(width).toBeGreaterThan(560);
  });
});

describe('published files', () => {
  const packs = packsOf(sampleEvaluation().files);

  it('are shown as they are fetched: what is published together, and what few want, each alone', () => {
    expect(packs.map(({ key, suite, files, state, bytes }) => [key, suite, files.length, state, bytes])).toEqual([
      ['longbench', 'longbench', 23, 'missing', null],
      ['hotpotqa', 'hotpotqa-distractor', 1, 'here', 46_320_117],
      ['hotpot_train_v1.1.json', 'hotpotqa-distractor', 1, 'missing', 566_426_227],
      ['govreport', 'govreport', 1, 'begun', null],
      ['govreport_validation.jsonl', 'govreport-validation', 1, 'missing', null],
      ['govreport_train.jsonl', 'govreport-train', 1, 'missing', null],
    ]);
    expect(packs[0]?.wish.suites).toContain('longbench');
    expect(packs[2]?.wish).toEqual({ suites: ['hotpotqa-distractor'], all: true });
  });

  it('are missing for questions that have nothing to come out of, not where the others would only make them better', () => {
    const named = (...suites: string[]) => missingFor(packs, suites).map(({ key }) => key);
    expect(named('needle', 'hotpotqa-distractor')).toEqual([]);
    expect(named('hotpotqa', 'lcc')).toEqual(['longbench']);
    expect(named('govreport')).toEqual(['govreport']);
    const prompts = sampleEvaluation().files.map((file) =>
      file.required ? { ...file, state: 'here' as const } : file,
    );
    expect(missingFor(packsOf(prompts), ['lcc', 'hotpotqa-distractor'])).toEqual([]);
  });
});

it('names a server by an address without anything else in it', () => {
  const named = (url: string) => namesTarget({ target: { kind: 'address', url } });
  expect(named('http://127.0.0.1:8000/v1')).toBe(true);
  for (const wrong of ['', 'gpu.lan', 'http://', 'ftp://a/v1', 'http://me:it@a/v1', 'http://a/v1?key=it']) {
    expect([wrong, named(wrong)]).toEqual([wrong, false]);
  }
  expect(namesTarget({ target: { kind: 'mesh' } })).toBe(true);
});
