import { describe, expect, it } from 'vitest';
import type { TextVectors } from '../../../../../src-main/clips/models/clip-models.ts';
import type { SubmittedClip } from '../../../../../src-main/subnets/omega/clips/rules/clip.ts';
import { detailFactor } from '../../../../../src-main/subnets/omega/clips/rules/detail.ts';
import { notNew } from '../../../../../src-main/subnets/omega/clips/rules/novelty.ts';
import { descriptionRelevance, topicRelevance } from '../../../../../src-main/subnets/omega/clips/rules/relevance.ts';
import { isStuffed } from '../../../../../src-main/subnets/omega/clips/rules/stuffing.ts';
import { submissionScore } from '../../../../../src-main/subnets/omega/clips/rules/submission-score.ts';
import { IMAGEBIND } from '../../../../../src-main/subnets/omega/clips/rules/thresholds.ts';

/** A vector of length 1 in a plane, so that the cosine to `at(0)` is the one that is named. */
const near = (cosine: number) => new Float32Array([cosine, Math.sqrt(1 - cosine ** 2), 0]);
const degrees = (angle: number) => near(Math.cos((angle * Math.PI) / 180));
const text = (seen: number, heard: number): TextVectors => ({ seen: near(seen), heard: near(heard) });

function clip(changed: Partial<SubmittedClip> = {}): SubmittedClip {
  return {
    ...{ from: 10, to: 40, seen: near(1), heard: near(1), description: text(0.4, 0.2), pieces: [text(0.4, 0.2)] },
    ...{ uniqueTokens: 300, textCloseness: 0.6, distanceToKnown: 1 },
    ...changed,
  };
}

describe('how well a description fits its clip', () => {
  it('is 0.65 the picture and 0.35 the sound', () => {
    expect(descriptionRelevance(clip(), 1)).toBeCloseTo(0.65 * 0.4 + 0.35 * 0.2, 6);
  });
  it('is the picture’s alone where there is no sound', () => {
    expect(descriptionRelevance(clip({ heard: null }), 1)).toBeCloseTo(0.4, 6);
  });
});

describe('how well a clip fits the topic', () => {
  it('is the mean of picture, sound and the squared closeness of the texts, which counts a half at the most', () => {
    const topic = text(0.5, 0.3);
    expect(topicRelevance(clip(), topic, 1)).toBeCloseTo((0.5 + 0.3 + 0.36) / 3, 6);
    expect(topicRelevance(clip({ textCloseness: 0.9 }), topic, 1)).toBeCloseTo((0.5 + 0.3 + 0.5) / 3, 6);
    expect(topicRelevance(clip({ heard: null }), topic, 1)).toBeCloseTo((0.5 + 0.36) / 3, 6);
  });
});

describe('closeness that hardly any clip has', () => {
  it('counts as the closest there is', () => {
    expect(descriptionRelevance(clip({ description: text(0.9, 0.2) }), 0.5)).toBeCloseTo(0.65 * 0.5 + 0.35 * 0.2, 6);
    expect(topicRelevance(clip(), text(0.9, 0.9), 0.5)).toBeCloseTo((0.5 + 0.5 + 0.36) / 3, 6);
  });
});

describe('what a description’s length counts', () => {
  it('is 0.65 up to 100 different tokens, 1 from 300 on, and grows with the logarithm between them', () => {
    expect([0, 100, 300, 5_000].map(detailFactor)).toEqual([0.65, 0.65, 1, 1]);
    expect(detailFactor(Math.sqrt(100 * 300))).toBeCloseTo(1 - 0.35 / 2, 9);
  });
});

describe('what is not new', () => {
  const distinct = (angle: number) => ({ vector: degrees(angle), distanceToKnown: 1 });
  it('is what comes once more, of which the last one stays', () => {
    const clips = [0, 5, 90].map((angle) => distinct(angle));
    expect(notNew(clips, IMAGEBIND)).toEqual(['repeated', undefined, undefined]);
  });
  it('is what is near to one that is left after it, not to one that goes itself', () => {
    // 20° apart are 0.94: not the same, but not new beside each other either. The one in the middle goes first.
    const clips = [0, 20, 37].map((angle) => distinct(angle));
    expect(notNew(clips, IMAGEBIND)).toEqual([undefined, 'repeated', undefined]);
  });
  it('is what others have handed in, where that is known', () => {
    const clips = [0.05, 0.1, null].map((distanceToKnown, at) => ({ ...distinct(at * 60), distanceToKnown }));
    expect(notNew(clips, IMAGEBIND)).toEqual(['known', undefined, undefined]);
  });
});

describe('a description', () => {
  const pieces = (...closeness: number[]) => closeness.map((one) => text(one, one));
  it('is stuffed with more than five pieces about something else', () => {
    const own = pieces(0.15, 0.15);
    expect(isStuffed(clip({ pieces: [...own, ...pieces(0.1, 0.1, 0.1, 0.1, 0.1)] }), IMAGEBIND)).toBe(false);
    expect(isStuffed(clip({ pieces: [...own, ...pieces(0.1, 0.1, 0.1, 0.1, 0.1, 0.1)] }), IMAGEBIND)).toBe(true);
  });
  it('is stuffed with sixteen pieces that say little beside the best', () => {
    const low = (count: number) => [...pieces(0.5), ...Array.from({ length: count }, () => text(0.2, 0.2))];
    expect([15, 16].map((count) => isStuffed(clip({ pieces: low(count) }), IMAGEBIND))).toEqual([false, true]);
  });
  it('is stuffed with more than fifty pieces, whatever they say', () => {
    const many = (count: number) => Array.from({ length: count }, () => text(0.5, 0.5));
    expect([50, 51].map((count) => isStuffed(clip({ pieces: many(count) }), IMAGEBIND))).toEqual([false, true]);
  });
});

describe('a submission', () => {
  const topic = text(0.5, 0.3);
  it('is worth what its clips are together, and says by what', () => {
    const { score, clips } = submissionScore([clip(), clip({ seen: degrees(90) })], topic, IMAGEBIND);
    const [described, asked] = [0.65 * 0.4 + 0.35 * 0.2, (0.5 + 0.3 + 0.36) / 3];
    const worth = (0.7 * described + 1.3 * asked) / 16;
    expect(clips[0]).toMatchObject({ counts: true, detail: 1 });
    expect((clips[0] as { worth: number }).worth).toBeCloseTo(worth, 6);
    expect(score).toBeCloseTo(worth + (clips[1] as { worth: number }).worth, 6);
  });
  it('says of each clip why it does not count', () => {
    const unlike = (at: number, changed: Partial<SubmittedClip> = {}) => {
      const video = new Float32Array(20);
      video[at] = 1;
      const one = (seen: number) => {
        const vector = new Float32Array(20);
        vector[at] = seen;
        vector[19] = Math.sqrt(1 - seen ** 2);
        return { seen: vector, heard: vector };
      };
      return clip({ seen: video, heard: video, description: one(0.4), pieces: [one(0.4)], ...changed });
    };
    const wide = { seen: new Float32Array(20), heard: new Float32Array(20) };
    const clips = [
      unlike(0, { from: 0, to: 4.9 }),
      unlike(1, { from: 0, to: 120.1 }),
      unlike(2, { pieces: Array.from({ length: 51 }, () => wide) }),
      unlike(3, { distanceToKnown: 0 }),
      ...[4, 4, 5, 6, 7, 8, 9].map((at) => unlike(at)),
    ];
    const why = submissionScore(clips, wide, IMAGEBIND).clips.map((one) => (one.counts ? 'counts' : one.why));
    expect(why).toEqual([
      ...['length', 'length', 'stuffed', 'known', 'repeated'],
      ...['counts', 'counts', 'counts', 'counts', 'counts', 'tooMany'],
    ]);
  });
  it('is worth a little where nothing counts', () => {
    expect(submissionScore([], topic, IMAGEBIND).score).toBe(0.005);
    expect(submissionScore([clip({ to: 11 })], topic, IMAGEBIND).score).toBe(0.005);
  });
});
