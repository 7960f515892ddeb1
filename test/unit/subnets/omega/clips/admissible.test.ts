import { describe, expect, it } from 'vitest';
import {
  barredBecause,
  isOfSpace,
  type ToAdmit,
} from '../../../../../src-main/subnets/omega/clips/rules/admissible.ts';
import { LICENCES, USABLE_LICENCES } from '../../../../../src-preload/contract/data-names.ts';

const clip: ToAdmit = { source: 'commons', licence: 'by', from: 10, to: 60 };
const why = (changed: Partial<ToAdmit>, kind: 'videos' | 'sounds' = 'videos', asks?: (source: string) => boolean) =>
  barredBecause({ ...clip, ...changed }, kind, asks)?.key.replace('clipValidation.uncounted.', '');

describe('a clip, before anybody looks at it,', () => {
  it('may count, and a sound', () => {
    expect([why({}), why({}, 'sounds')]).toEqual([undefined, undefined]);
  });

  it.each<[string, Partial<ToAdmit>, string]>([
    ['of an own folder', { source: 'folder', licence: 'own' }, 'own'],
    ['of an own folder, whatever licence is told of it', { source: 'folder', licence: 'by' }, 'own'],
    ['that is own, wherever it is said to be', { licence: 'own' }, 'own'],
    ['that may not be cut', { licence: 'byNd' }, 'licence'],
    ['of which nobody has said it', { licence: 'unknown' }, 'licence'],
    ['later than five minutes', { from: 290, to: 301 }, 'reach'],
  ])('does not count: %s', (_, changed, reason) => {
    expect([why(changed), why({ ...changed }, 'sounds')]).toEqual([reason, reason]);
  });

  it('counts where its source is asked', () => {
    expect([why({ source: 'ytdlp' }), why({ source: 'ytdlp' }, 'videos', (source) => source === 'commons')]).toEqual([
      undefined,
      'reach',
    ]);
  });

  it.each([
    ['videos', 4.9, 'length'],
    ['videos', 5, undefined],
    ['videos', 120, undefined],
    ['videos', 120.1, 'length'],
    ['sounds', 44.9, 'soundLength'],
    ['sounds', 45, undefined],
    ['sounds', 80, undefined],
    ['sounds', 80.1, 'soundLength'],
  ] as const)('of %s with %d seconds: %s', (kind, seconds, reason) => {
    expect(why({ from: 0, to: seconds }, kind)).toBe(reason);
  });

  it('counts under each licence that lets it be passed on, and is not own', () => {
    const counting = LICENCES.filter((licence) => why({ licence }) === undefined);
    expect(counting).toEqual(USABLE_LICENCES.filter((licence) => licence !== 'own'));
  });
});

describe('vectors', () => {
  const [two, three] = [new Float32Array(2), new Float32Array(3)];
  const judge = { space: 'a', vectors: [two, three] };
  it.each([
    ['of the same models', { space: 'a', vectors: [two, three] }, true],
    ['without a sound', { space: 'a', vectors: [two, null] }, true],
    ['of others', { space: 'b', vectors: [two, three] }, false],
    ['of nobody says which', { space: null, vectors: [two, three] }, false],
    ['of another length', { space: 'a', vectors: [three, three] }, false],
    ['with a sound of another length', { space: 'a', vectors: [two, two] }, false],
  ])('%s', (_, told, is) => {
    expect(isOfSpace(told, judge)).toBe(is);
  });

  it('are not held to a model that is not there', () => {
    expect(isOfSpace({ space: 'a', vectors: [two, two] }, { space: 'a', vectors: [two, null] })).toBe(true);
  });
});
