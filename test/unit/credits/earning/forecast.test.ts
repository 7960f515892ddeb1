import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ForecastFacts,
  forecast,
  type ModelSpeed,
  type PastAnswer,
} from '../../../../src-main/credits/earning/forecast.ts';
import { earningRate } from '../../../../src-main/credits/earning/rate.ts';
import { forecastSchema } from '../../../../src-preload/contract/earning.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** Four days of 8 hours: 160 answers with 800 points, of which 100 with 560 points in 20 hours are of `own`. */
const RATE = earningRate([{ serving_ms: 32 * HOUR, answers: 160, points: 800 }], (4 / 7) * WEEK);
const OWN = earningRate([{ serving_ms: 20 * HOUR, answers: 100, points: 560 }], (4 / 7) * WEEK);
/** 3 points for the prompt, 2 for the answer; for speed 1, at twice the speed 3 and at half of it none. */
const ANSWER: PastAnswer = { model: 'own', processingMs: 3_600, promptChars: 200, resultChars: 300 };

/** Off by 15 % at most, or by so much. */
const speed = (tokensPerSecond: number, off = 0.15): ModelSpeed => ({
  tokensPerSecond,
  low: tokensPerSecond * (1 - off),
  high: tokensPerSecond * (1 + off),
});
const facts = (over: Partial<ForecastFacts> = {}): ForecastFacts => ({
  rate: RATE,
  rates: new Map(OWN && [['own', OWN]]),
  answers: Array.from({ length: 50 }, () => ANSWER),
  speeds: new Map([
    ['own', speed(40)],
    ['twice', speed(80)],
    ['half', speed(20, 0.5)],
  ]),
  parallel: 1,
  ...over,
});

describe('a forecast', () => {
  it('of a model that has served is what its hours have brought, for as many as the node serves', () => {
    // 560 points in 20 hours are 28 an hour; 8 hours a day. Of 100 answers, 20 % may be chance.
    expect(forecast('own', facts())).toEqual({
      model: 'own',
      perDay: { low: 179, likely: 224, high: 269 },
      basis: 'receipts',
      assumes: { hoursPerDay: 8, answersPerDay: 40, from: 100, pointsPerAnswer: 5.6 },
      text: 'About 224 points a day with this model, if it serves 8.0 hours a day as in the last week.',
      said: { text: { key: 'earning.forecast.receipts', params: { points: 224, hours: 8 } } },
    });
  });

  it('of another is what the last answers would have brought at its speed', () => {
    // 8 points an answer, 40 answers a day. 15 % slower it is 7 points, faster 8; of 160 answers, 15.8 % may be chance.
    expect(forecast('twice', facts())).toMatchObject({
      perDay: { low: 236, likely: 320, high: 371 },
      basis: 'estimate',
      assumes: { hoursPerDay: 8, answersPerDay: 40, from: 50, pointsPerAnswer: 8, tokensPerSecond: 80 },
      text: 'About 320 points a day with this model, if 40 answers a day like the last ones are asked for.',
    });
    // 5 points an answer; half as fast again 5 and half as fast 5 or 6.
    expect(forecast('half', facts())).toMatchObject({ perDay: { likely: 200 }, assumes: { pointsPerAnswer: 5 } });
  });

  it('has no more answers than there is time for', () => {
    const long = { ...ANSWER, processingMs: 900_000 };
    const slow = forecast('half', facts({ answers: Array.from({ length: 20 }, () => long) }));
    // Half an hour an answer: 16 in 8 hours.
    expect(slow).toMatchObject({ perDay: { likely: 80 }, assumes: { answersPerDay: 16 } });
    const two = forecast('half', facts({ answers: Array.from({ length: 20 }, () => long), parallel: 2 }));
    expect(two).toMatchObject({ assumes: { answersPerDay: 32 } });
  });

  it('goes by the speed where a model has served too little to tell', () => {
    const few = earningRate([{ serving_ms: 2 * HOUR, answers: 19, points: 190 }], WEEK);
    expect(forecast('own', facts({ rates: new Map(few && [['own', few]]) }))).toMatchObject({
      basis: 'estimate',
      assumes: { pointsPerAnswer: 6 },
    });
  });

  it.each([
    ['nothing was earned yet', 'own', { rate: undefined }],
    ['its speed is not known', 'other', {}],
    ['there are too few answers', 'twice', { answers: [ANSWER, ANSWER] }],
    ['nobody knows how fast those were that gave the answers', 'twice', { speeds: new Map([['twice', speed(80)]]) }],
    [
      'it does not run here',
      'none',
      {
        speeds: new Map([
          ['none', speed(0)],
          ['own', speed(40)],
        ]),
      },
    ],
  ] as [string, string, Partial<ForecastFacts>][])('is none where %s', (_, model, over) => {
    expect(forecast(model, facts(over))).toBeUndefined();
  });

  it('never promises more of a slower model, and its range holds what is likely', () => {
    const answer = fc.record({
      model: fc.constant('own'),
      processingMs: fc.integer({ min: 1, max: 100_000 }),
      promptChars: fc.nat(400),
      resultChars: fc.nat(400),
    });
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 10, maxLength: 60 }),
        fc.double({ min: 0.5, max: 400, noNaN: true }),
        fc.double({ min: 1, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (answers, slow, times, off) => {
          const speeds = new Map([
            ['own', speed(40)],
            ['slow', speed(slow, off)],
            ['fast', speed(slow * times, off)],
          ]);
          const [slower, faster] = ['slow', 'fast'].map((name) => forecast(name, facts({ answers, speeds })));
          for (const one of [slower, faster]) {
            const { low, likely, high } = forecastSchema.parse(one).perDay;
            expect(low).toBeGreaterThanOrEqual(0);
            expect(low).toBeLessThanOrEqual(likely);
            expect(likely).toBeLessThanOrEqual(high);
          }
          expect(slower?.perDay.likely).toBeLessThanOrEqual(faster?.perDay.likely ?? 0);
        },
      ),
    );
  });
});
