import { expect, it } from 'vitest';
import { clipScorer } from '../../../../../src-main/app/parts/data/clip-scorer.ts';
import type { ClipToScore } from '../../../../../src-main/clips/library/ports.ts';
import type { StoredClip } from '../../../../../src-main/store/clips/clips.ts';
import { IMAGEBIND } from '../../../../../src-main/subnets/omega/clips/rules/thresholds.ts';
import { WORLD_MODELS } from '../../../../support/clip-world.ts';

const SIGNAL = new AbortController().signal;
const clip = (id: string, seen: Float32Array | undefined, changed: Partial<StoredClip> = {}): ClipToScore => ({
  row: {
    ...{ clip: id, source: 'commons', video: id, from_s: 0, to_s: 20, description: `about ${id}`, licence: 'by' },
    ...changed,
  } as StoredClip,
  vectors: seen ? { seen } : {},
});
const clips = [
  clip('one', Float32Array.of(1, 0)),
  clip('same', Float32Array.of(1, 0)),
  clip('short', Float32Array.of(0, 1), { to_s: 4 }),
  clip('unknown', undefined),
];

it('scores clips as one submission, and says why one does not count', async () => {
  const { score, reason, clips: views } = await clipScorer(() => IMAGEBIND).score('cats', clips, WORLD_MODELS, SIGNAL);
  expect([reason, score && score > 0.005]).toEqual([null, true]);
  expect(views.map(({ clip: id, score: one }) => [id, one?.uncounted?.said?.text?.key ?? 'counts'])).toEqual([
    ['one', 'clipValidation.uncounted.repeated'],
    ['same', 'counts'],
    ['short', 'clipValidation.uncounted.length'],
    ['unknown', 'clips.notInSpace'],
  ]);
});

it('says what validators would not count, and scores the rest without it', async () => {
  const others = [
    clip('own', Float32Array.of(1, 0), { source: 'folder', licence: 'own' }),
    clip('forbidden', Float32Array.of(1, 0), { licence: 'byNd' }),
    clip('late', Float32Array.of(1, 0), { from_s: 290, to_s: 310 }),
  ];
  const one = clip('one', Float32Array.of(1, 0));
  const scorer = clipScorer(() => IMAGEBIND);
  const { score, clips: views } = await scorer.score('cats', [...others, one], WORLD_MODELS, SIGNAL);
  expect(views.map(({ score: view }) => view?.uncounted?.said?.text?.key.split('.').at(-1))).toEqual([
    ...['own', 'licence', 'reach', undefined],
  ]);
  expect(score).toBe((await scorer.score('cats', [one], WORLD_MODELS, SIGNAL)).score);
});

it('scores nothing where nobody has measured the models', async () => {
  const scored = await clipScorer(() => null).score('cats', clips, WORLD_MODELS, SIGNAL);
  expect([scored.score, scored.reason?.said?.text?.key]).toEqual([null, 'clips.notMeasured']);
  expect(scored.clips.every(({ score }) => score?.uncounted)).toBe(true);
});
