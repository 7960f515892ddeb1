import { describe, expect, it } from 'vitest';
import type { SpaceThresholds } from '../../../../../../src-main/clips/models/space-thresholds.ts';
import type {
  CheckingPorts,
  ClipJudge,
} from '../../../../../../src-main/subnets/omega/clips/checking/checking-ports.ts';
import type { ClipsTask } from '../../../../../../src-main/subnets/omega/clips/checking/clips-task.ts';
import { judgeSounds } from '../../../../../../src-main/subnets/omega/clips/checking/judge-sounds.ts';
import { soundsEnvironment } from '../../../../../../src-main/subnets/omega/clips/checking/sounds-environment.ts';
import { IMAGEBIND } from '../../../../../../src-main/subnets/omega/clips/rules/thresholds.ts';
import type { HandedSound } from '../../../../../../src-main/subnets/omega/clips/synapse/entries.ts';
import type { Submission } from '../../../../../../src-preload/contract/data.ts';
import { honestSound, soundsText } from '../../../../../support/handed-in.ts';
import {
  clipChecking,
  listeners,
  mixed,
  models,
  random,
  SPACE,
  TURNS,
  textVectors,
} from '../../../../../support/judged-clips.ts';

const TOPIC = 'owls night';
let number = 0;
const task = (place = 0): ClipsTask => ({
  ...{ wanted: { of: 'sounds', topic: TOPIC, count: 4 }, key: `${number++}`.padStart(32, '0'), isDrawn: false, place },
});
const honest = (count = 4) => Array.from({ length: count }, () => honestSound(`owls night:${number++}`));

async function judged(sounds: readonly HandedSound[], world = clipChecking()) {
  const { ports, submissions } = await world;
  const judgement = await judgeSounds(ports, task(), soundsText(sounds), { party: 'miner' });
  const [submission] = await submissions.list({ rows: 1 });
  return { ...judgement, submission, kept: JSON.parse(submission?.clips ?? '[]') as Submission['clips'] };
}

const using = (changed: Partial<ClipJudge>): Partial<CheckingPorts> => ({
  judge: {
    space: SPACE,
    use: async () => ({ models, listeners, thresholds: IMAGEBIND, ...changed }),
  },
});

it('honest sounds are worth who speaks, how long, how well, and how near to the topic they are', async () => {
  const { score, reason, submission } = await judged(honest());
  expect(reason).toMatchObject({ key: 'clipValidation.listened', params: { error: 0 } });
  expect(score).toBeGreaterThan(0.6 + 0.1 * (240 / 320) + 0.1);
  expect(submission).toMatchObject({ kind: 'sounds', deep_check: 'right', counted: 4 });
});

it('who says wrongly who speaks has less, by how wrong that is', async () => {
  const one = { ...honest(1)[0]!, turns: TURNS.map((turn) => ({ ...turn, speaker: 'a' })) };
  const none = { ...honest(1)[0]!, turns: [] };
  const [right, alone, silent] = [await judged(honest(1)), await judged([one]), await judged([none])];
  expect(right.score - alone.score).toBeCloseTo(0.6 * 0.5, 2);
  expect(right.score - silent.score).toBeCloseTo(0.6, 2);
});

it('who says that all speak at once, but for a moment, is not right about the rest', async () => {
  const [one] = honest(1);
  const turns = ['x', 'y'].map((speaker) => ({ from: 0, to: 60, speaker }));
  const both = { ...one!, turns: [{ from: 0, to: 4, speaker: 'x' }, ...turns.map((turn) => ({ ...turn, from: 4 }))] };
  const [right, cheat] = [await judged(honest(1)), await judged([both])];
  expect(right.score - cheat.score).toBeGreaterThan(0.25);
});

it('a sound with numbers of another length than those of these models does not count', async () => {
  const { kept, score } = await judged([{ ...honest(1)[0]!, heard: random('short').slice(0, 8) }, ...honest(3)]);
  expect(kept[0]?.score?.uncounted).toMatchObject({ said: { text: { key: 'clipValidation.uncounted.space' } } });
  expect(score).toBeGreaterThan(0.6);
});

it('of silence nobody has that he was right about who speaks', async () => {
  const world = clipChecking(
    using({ listeners: { ...listeners, speakers: { turns: async () => [] }, voice: { spans: async () => [] } } }),
  );
  const { score } = await judged([{ ...honest(1)[0]!, turns: [] }], world);
  expect(score).toBeLessThan(0.2);
});

describe('is a lie:', () => {
  it.each<[string, () => HandedSound, string]>([
    [
      'a vector of another sound',
      () => honestSound('owls night:o', { heard: random('other') }),
      'clipValidation.lie.heard',
    ],
    ['a vector that is bent', () => bent(honestSound('owls night:b')), 'clipValidation.lie.bent'],
    [
      'a sound that is not there',
      () => honestSound('owls night:silent', { heard: random('x') }),
      'clipValidation.lie.noSound',
    ],
    ['a stretch of which nobody could make one', () => honestSound('owls night:unkeyed'), 'clipValidation.lie.tooLong'],
    ['one behind the end', () => honestSound('owls night:e', { from: 180, to: 240 }), 'clipValidation.lie.end'],
  ])('%s', async (_, sound, why) => {
    const { score, reason, submission, kept } = await judged([sound()]);
    expect({ score, reason }).toMatchObject({ score: -5, reason: { params: { why: { key: why } } } });
    expect(submission?.deep_check).toBe('lie');
    expect(kept[0]?.score?.worth).toBe(0); // what a lie costs is the submission’s, and no part of what a sound is worth
  });
});

const bent = (sound: HandedSound) => ({
  ...sound,
  heard: mixed([1, sound.heard], [0.3, textVectors(TOPIC).heard as Float32Array]),
});

it('what cannot be fetched is no lie, and has shown nothing of who speaks', async () => {
  for (const id of ['owls night gone', 'owls night blocked', 'owls night broken']) {
    const { score, reason, submission } = await judged([honestSound(id)]);
    expect(score).toBeGreaterThan(0.005);
    expect(score).toBeLessThan(0.2);
    expect(reason).toMatchObject({ key: 'clipValidation.unheard' });
    expect(submission?.deep_check).toBe('notFetched');
  }
});

it.each<[string, Partial<HandedSound>, string]>([
  ['too short', { from: 0, to: 44 }, 'clipValidation.uncounted.soundLength'],
  ['too long', { from: 0, to: 81 }, 'clipValidation.uncounted.soundLength'],
  ['of other models', { space: 'other' }, 'clipValidation.uncounted.space'],
  ['of no open licence', { licence: 'unknown' }, 'clipValidation.uncounted.licence'],
  ['out of reach', { source: 'ytdlp' }, 'clipValidation.uncounted.reach'],
])('does not count: %s', async (_, changed, why) => {
  const { kept, score } = await judged([honestSound('owls night:u', changed)]);
  expect(kept[0]?.score?.uncounted?.said?.text?.key).toBe(why);
  expect(score).toBe(0.005);
});

it('the same twice, known ones and a fifth one do not count', async () => {
  const world = clipChecking();
  const [one, ...others] = honest(5);
  const first = await judged([one!, one!, ...others], world);
  const why = ({ kept }: typeof first) => kept.map(({ score }) => score?.uncounted?.said?.text?.key.split('.').at(-1));
  expect(why(first)).toEqual(['repeated', undefined, undefined, undefined, 'tooMany', 'tooMany']);
  expect(why(await judged([one!, ...honest(1)], world))).toEqual(['known', undefined]);
});

it('no sound counts as closer to the topic than sounds are', async () => {
  const closest = 0.3;
  const { kept } = await judged(honest(), clipChecking(using({ thresholds: { ...IMAGEBIND, closest } })));
  expect(kept.map(({ score }) => score?.topicRelevance)).toEqual(Array(4).fill(closest));
});

it('is held to what was measured of sounds, and not of pictures', async () => {
  const [loose, strict] = [
    { ...IMAGEBIND, novel: 1.5 },
    { ...IMAGEBIND, same: 1 },
  ];
  const judging = (thresholds: SpaceThresholds, soundThresholds: SpaceThresholds) =>
    judged(honest(2), clipChecking(using({ thresholds, soundThresholds })));
  const why = async (one: ReturnType<typeof judging>) =>
    (await one).kept.map(({ score }) => score?.uncounted?.said?.text?.key.split('.').at(-1));
  expect(await why(judging(loose, IMAGEBIND))).toEqual([undefined, undefined]);
  expect(await why(judging(IMAGEBIND, loose))).toEqual(['repeated', undefined]);
  expect((await judging(strict, IMAGEBIND)).submission?.deep_check).toBe('right');
  expect((await judging(IMAGEBIND, strict)).submission?.deep_check).toBe('lie');
});

it('what is judged once more is not known by itself', async () => {
  const { ports, submissions } = await clipChecking();
  const [sounds, same] = [soundsText(honest()), task()];
  const scores: number[] = [];
  for (let time = 0; time < 2; time++) scores.push((await judgeSounds(ports, same, sounds, { party: 'miner' })).score);
  expect(scores[1]).toBe(scores[0]);
  expect(await submissions.list({ rows: 10 })).toMatchObject([{ counted: 4 }]);
});

it.each(['', '{}', '{"list":[{}],"said":[[]],"vectors":[[]]}'])('whatever comes is judged: %s', async (answer) => {
  const { ports } = await clipChecking();
  expect(await judgeSounds(ports, task(), answer, {})).toMatchObject({ score: 0 });
});

it('without anything that hears it is not asked', async () => {
  const { ports } = await clipChecking(using({ listeners: { voice: null, words: null, speakers: null } }));
  await expect(soundsEnvironment(ports).prepare?.()).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    hint: expect.stringContaining('models of sounds'),
  });
  const { ports: deaf } = await clipChecking(using({ models: { ...models, hears: false } }));
  await expect(soundsEnvironment(deaf).prepare?.()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  const { ports: able } = await clipChecking();
  await soundsEnvironment(able).prepare?.();
});
