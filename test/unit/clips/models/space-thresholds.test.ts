import { expect, it } from 'vitest';
import { thresholdsOf } from '../../../../src-main/clips/models/space-thresholds.ts';

type Found = Parameters<typeof thresholdsOf>[0];
const seen = { same: 0.9, novel: 0.2, unrelated: 0.1, closest: 0.3 };
const heard = { same: 0.8, novel: 0.4, unrelated: 0.2, closest: 0.5 };
const of = (pictures: typeof seen | null, sounds?: typeof heard | null) =>
  thresholdsOf({
    pictures: { manifest: { thresholds: pictures } },
    sounds: sounds === undefined ? null : { manifest: { thresholds: sounds } },
  } as Found);

it('pictures alone are held to their own thresholds', () => {
  expect(of(seen)).toEqual(seen);
});

it('of pictures with sounds nothing is a lie, or far, that one of both lets be', () => {
  expect(of(seen, heard)).toEqual({ same: 0.8, novel: 0.2, unrelated: (0.1 + 0.2) / 2, closest: 0.5 });
});

it('where one of both was not measured, there are none', () => {
  expect([of(null), of(seen, null), of(null, heard), thresholdsOf({ pictures: null, sounds: null })]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
