import { describe, expect, it } from 'vitest';
import { clipLooks } from '../../../../src-main/app/validator/clip-looks.ts';
import type { DeepCheckState } from '../../../../src-preload/contract/data-names.ts';

const of = (right: number, lies: number, unfetched: number) => {
  const looks: DeepCheckState[] = [
    ...Array.from({ length: right }, () => 'right' as const),
    ...Array.from({ length: lies }, () => 'lie' as const),
    ...Array.from({ length: unfetched }, () => 'notFetched' as const),
  ];
  return clipLooks({
    lastChecks: async () =>
      looks.map((deep_check, number) => ({ number, peer: 'm', deep_check, looked_source: 'commons', unseen: null })),
  });
};

describe('looks at clips of miners', () => {
  it.each<[string, [number, number, number], object]>([
    ['nothing was looked at', [0, 0, 0], { status: 'ok', said: { found: { key: 'clipValidation.looks.none' } } }],
    ['a fifth could not be fetched', [35, 5, 10], { status: 'ok' }],
    [
      'more than that could not',
      [35, 4, 11],
      { status: 'warn', advice: expect.stringMatching(/kept from its sources/) },
    ],
    ['few looks say nothing', [0, 0, 9], { status: 'ok' }],
  ])('are told by the doctor: %s', async (_, counts, expected) => {
    expect(await of(...counts).checks.clipLooks()).toMatchObject({ name: 'clips of miners', ...expected });
  });

  it('are counted by what they came to', async () => {
    const [figure] = of(3, 1, 2).figures;
    expect(await figure?.read()).toEqual([
      { labels: { outcome: 'right' }, value: 3 },
      { labels: { outcome: 'lie' }, value: 1 },
      { labels: { outcome: 'differs' }, value: 0 },
      { labels: { outcome: 'notFetched' }, value: 2 },
    ]);
  });
});
