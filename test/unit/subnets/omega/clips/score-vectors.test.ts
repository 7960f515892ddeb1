import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { TextVectors } from '../../../../../src-main/clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../../src-main/clips/models/space-thresholds.ts';
import type { SubmittedClip } from '../../../../../src-main/subnets/omega/clips/rules/clip.ts';
import { submissionScore } from '../../../../../src-main/subnets/omega/clips/rules/submission-score.ts';

type Told = [seen: number[], heard: number[]];
interface ToldClip extends Pick<SubmittedClip, 'from' | 'to' | 'uniqueTokens' | 'textCloseness' | 'distanceToKnown'> {
  video: number[];
  audio: number[] | null;
  description: Told;
  pieces: Told[];
}
interface Case {
  thresholds: SpaceThresholds;
  topic: Told;
  clips: ToldClip[];
  /** null: it does not count. */
  worths: (number | null)[];
  score: number;
}

/** What numpy makes of the formulas: scripts/make-clip-score-vectors.py. */
const CASES: Case[] = (await readFile('test/fixtures/clips/scores.jsonl', 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const textOf = ([seen, heard]: Told): TextVectors => ({
  seen: Float32Array.from(seen),
  heard: Float32Array.from(heard),
});
const clipOf = ({ video, audio, description, pieces, ...about }: ToldClip): SubmittedClip => ({
  ...about,
  seen: Float32Array.from(video),
  heard: audio && Float32Array.from(audio),
  description: textOf(description),
  pieces: pieces.map(textOf),
});

it('submissions are worth what the formulas come to when somebody else reckons them', () => {
  expect(CASES).toHaveLength(100);
  const whys = new Map<string, number>();
  for (const [at, { thresholds, topic, clips, worths, score }] of CASES.entries()) {
    const ours = submissionScore(clips.map(clipOf), textOf(topic), thresholds);
    expect([at, ...ours.clips.map(({ counts }) => counts)]).toEqual([at, ...worths.map((worth) => worth !== null)]);
    for (const [place, one] of ours.clips.entries()) {
      if (one.counts) expect(one.worth).toBeCloseTo(worths[place] as number, 9);
      const why = one.counts ? 'counts' : one.why;
      whys.set(why, (whys.get(why) ?? 0) + 1);
    }
    expect(ours.score).toBeCloseTo(score, 9);
  }
  // Each rule has its say in some of them.
  expect([...whys.keys()].sort()).toEqual(['counts', 'known', 'length', 'repeated', 'stuffed', 'tooMany']);
  for (const count of whys.values()) expect(count).toBeGreaterThanOrEqual(5);
});
