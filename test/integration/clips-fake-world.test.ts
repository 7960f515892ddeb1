/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cosine } from '../../src-main/base/cosine.ts';
import { clipView } from '../../src-main/clips/library/clip-view.ts';
import { USABLE_LICENCES } from '../../src-preload/contract/data-names.ts';
import {
  type FreshJudge,
  handed,
  type MinedClip,
  type MinedWorld,
  mineFakeWorld,
  toReckon,
} from '../support/clips/mined-world.ts';
import { reckonedWorth } from '../support/clips/reckoned-score.ts';
import { FEW_CLIPS, fakeWorld } from '../support/fake-world/fake-world.ts';
import type { Planted } from '../support/fake-world/plan.ts';

/*
 * All of it, from videos to scores: a real miner makes clips of the fake world, a real validator judges them, and whatever was planted in that world is found. With
 * QUARRY_TEST_CLIPS=200 it is all 200 clips, else twelve, in which each fault comes once.
 */

const COUNT = Number(process.env.QUARRY_TEST_CLIPS ?? FEW_CLIPS);
const world = await fakeWorld(COUNT);
const NEVER = new AbortController().signal;

/** Each clip is fetched, cut and reckoned anew, and the machine may have much else to do. */
const timeout = 180_000 + COUNT * 15_000;

describe.skipIf(!world)(`the fake world of ${COUNT} clips, from its videos to scores`, { timeout }, () => {
  if (!world) return;
  let mined: MinedWorld;
  beforeAll(async () => {
    mined = await mineFakeWorld(world);
  }, timeout);
  afterAll(() => mined?.close());

  const planted = (kind: Planted | null) => mined.clips.filter(({ fake }) => fake.planted === kind);
  const honest = () => mined.clips.filter(({ fake }) => [null, 'silent', 'twoSpeakers'].includes(fake.planted));
  const topicOf = ({ fake }: MinedClip) => fake.topic;
  const originalOf = ({ fake }: MinedClip) => mined.clips.filter(({ row }) => row.video === fake.copyOf);
  const reasonOf = (video: string) => JSON.parse(mined.jobs.get(video)?.reason ?? '{}');
  /** Each in an answer of its own, to a judge who knows nothing yet. */
  async function eachJudged(clips: readonly MinedClip[], judged: (clip: MinedClip, by: FreshJudge) => Promise<void>) {
    for (const clip of clips) {
      await using by = await mined.judge();
      await judged(clip, by);
    }
  }

  it('licences that forbid it, and none, are seen by who searches, and skipped with the reason', async () => {
    const faults = world.clips.filter(({ licence }) => !USABLE_LICENCES.includes(licence));
    expect(faults.length).toBeGreaterThan(1);
    const { found } = await mined.search.page('commons', 'shapes', undefined, NEVER);
    for (const { name, planted: kind } of faults) {
      const key = kind === 'noDerivatives' ? 'clipSources.noDerivatives' : 'clipSources.noLicence';
      expect(mined.jobs.get(name)).toMatchObject({ state: 'skipped', clips: 0, bytes: 0 });
      expect(reasonOf(name).said.text.key).toBe(key);
      const hit = found.find(({ id }) => id === name);
      if (hit) expect(hit.unusable?.said).toMatchObject({ text: { key } });
    }
  });

  it('of files that break off there are no clips but of what is left; the others are set aside with the reason', () => {
    const faults = world.clips.filter((clip) => clip.planted === 'truncated');
    for (const { name, seconds } of faults) {
      const clips = mined.clips.filter(({ row }) => row.video === name);
      for (const { row } of clips) expect(row.to_s).toBeLessThan(0.8 * seconds);
      if (clips.length > 0) continue;
      expect(mined.jobs.get(name)?.state).toBe('skipped');
      expect(reasonOf(name).said.text.key).toMatch(/^clips\.(tooShort|media\.\w+)$/);
    }
  });

  it('of all others there is a clip, whose sound is there where its video has one', () => {
    const usable = world.clips.filter(
      ({ licence, planted: kind }) => USABLE_LICENCES.includes(licence) && kind !== 'truncated',
    );
    for (const { name, sound } of usable) {
      const clips = mined.clips.filter(({ row }) => row.video === name);
      expect(clips.length).toBeGreaterThan(0);
      for (const { row, vectors } of clips)
        expect([name, row.has_sound === 1, vectors.heard !== undefined]).toEqual([
          name,
          sound !== null,
          sound !== null,
        ]);
    }
    expect(planted('silent').length).toBeGreaterThan(0);
  });

  it('two speakers are told from one', () => {
    const spoken = mined.clips.filter(({ fake }) => fake.sound === 'speech' || fake.sound === 'conversation');
    const right = spoken.filter(({ fake, row }) => clipView(row).speakers === (fake.sound === 'conversation' ? 2 : 1));
    expect(planted('twoSpeakers').length).toBeGreaterThan(0);
    expect(right.length / spoken.length).toBeGreaterThan(0.9);
  });

  it('what is said is written down, where there is a model for it', ({ skip }) => {
    if (!mined.hasWords) skip('skipped: the models of speech were not fetched');
    const spoken = mined.clips.filter(({ fake }) => fake.words.length > 0);
    const shares = spoken.map(({ fake, row }) => {
      const said = wordsIn(fake.words.map(({ words }) => words).join(' '));
      const heard = new Set(wordsIn(row.words ?? ''));
      return said.filter((word) => heard.has(word)).length / said.length;
    });
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.6);
  });

  it('honest clips are right under a close look, and worth what the formulas say', async () => {
    expect(honest().length).toBeGreaterThanOrEqual(COUNT / 3);
    await eachJudged(honest(), async (clip, by) => {
      const { score, check } = await by.judge(topicOf(clip), [handed(clip)], { isLookedAt: true });
      const [topic] = await mined.models.texts([topicOf(clip)], NEVER);
      const { closest } = mined.thresholds;
      const worth = reckonedWorth(await toReckon(clip, mined.models), topic as NonNullable<typeof topic>, closest);
      expect([clip.row.video, check]).toEqual([clip.row.video, 'right']);
      expect(score).toBeCloseTo(worth, 6);
      expect(score).toBeGreaterThan(0.005);
    });
  });

  it('an answer of eight is worth the sum of what counts in it', async () => {
    await using by = await mined.judge();
    const answer = honest().slice(0, 8);
    const topic = 'moving shapes';
    const { score, clips } = await by.judge(topic, answer.map(handed));
    const [asked] = await mined.models.texts([topic], NEVER);
    let sum = 0;
    for (const [at, { score: told }] of clips.entries()) {
      const reckoned = await toReckon(answer[at] as MinedClip, mined.models);
      const worth = reckonedWorth(reckoned, asked as NonNullable<typeof asked>, mined.thresholds.closest);
      if (told.uncounted !== null) continue;
      expect(told.worth).toBeCloseTo(worth, 6);
      sum += worth;
    }
    expect(score).toBeCloseTo(Math.max(0.005, sum), 6);
    expect(clips.filter((clip: Told) => clip.score.uncounted !== null).length).toBeLessThanOrEqual(1);
  });

  it('copies are found in the same answer, and beside what somebody else has handed in', async () => {
    expect(planted('duplicate').length).toBeGreaterThan(0);
    await eachJudged(planted('duplicate'), async (copy, by) => {
      const [original] = originalOf(copy);
      if (!original) return; // its licence is another one, or it is damaged
      const together = await by.judge(topicOf(copy), [handed(original), handed(copy)]);
      expect(together.clips.map(whyOf)).toEqual(['clipValidation.uncounted.repeated', undefined]);
      const again = await by.judge(topicOf(copy), [handed(original)]);
      expect(again.clips.map(whyOf)).toEqual(['clipValidation.uncounted.known']);
      expect(again.score).toBe(0.005);
    });
  });

  it('descriptions of everything are stuffed; what passes is worth less than an honest one', async () => {
    let [found, all] = [0, 0];
    await eachJudged(planted('stuffed'), async (clip, by) => {
      const stuffed = handed(clip);
      const { score, clips } = await by.judge(topicOf(clip), [stuffed]);
      all++;
      if (whyOf(clips[0]) === 'clipValidation.uncounted.stuffed') found++;
      await using another = await mined.judge();
      const said = `${clip.fake.title}. ${clip.fake.captions.join(', then ')}`;
      const plain = await another.judge(topicOf(clip), [{ ...stuffed, description: said }]);
      expect(plain.clips.map(whyOf)).toEqual([undefined]);
      expect(score).toBeLessThan(plain.score);
    });
    process.stderr.write(`\nstuffed descriptions that are found: ${found} of ${all}\n`);
    expect(found / all).toBeGreaterThan(0.6);
  });

  it('the vectors of another clip are a lie under a close look', async () => {
    expect(planted('wrongVectors').length).toBeGreaterThan(0);
    await eachJudged(planted('wrongVectors'), async (clip, by) => {
      const other = honest().find(({ vectors }) => apart(clip, vectors.seen) < mined.thresholds.same - 0.1);
      if (!other) throw new Error('There is no other clip.');
      const { seen, heard } = handed(other);
      const { score, check } = await by.judge(topicOf(clip), [{ ...handed(clip), seen, heard }], { isLookedAt: true });
      expect([clip.row.video, score, check]).toEqual([clip.row.video, -5, 'lie']);
    });
  });
});

interface Told {
  score: { uncounted: { said?: { text?: { key?: string } } } | null; worth: number };
}

const whyOf = (clip: Told) => clip.score.uncounted?.said?.text?.key;
const apart = ({ vectors }: MinedClip, other: Float32Array | undefined) =>
  vectors.seen && other ? cosine(vectors.seen, other) : 1;
const wordsIn = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
