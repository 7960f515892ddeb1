import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fetchLimits } from '../../../../../../src-main/clips/reading/fetch-limits.ts';
import type { FetchOptions } from '../../../../../../src-main/clips/sources/source.ts';
import type { ClipsTask } from '../../../../../../src-main/subnets/omega/clips/checking/clips-task.ts';
import { judgeVideos } from '../../../../../../src-main/subnets/omega/clips/checking/judge-videos.ts';
import { ClipLook } from '../../../../../../src-main/subnets/omega/clips/checking/look-closely.ts';
import { videosEnvironment } from '../../../../../../src-main/subnets/omega/clips/checking/videos-environment.ts';
import { IMAGEBIND } from '../../../../../../src-main/subnets/omega/clips/rules/thresholds.ts';
import type { HandedClip } from '../../../../../../src-main/subnets/omega/clips/synapse/entries.ts';
import { pose } from '../../../../../../src-main/validation/challenge.ts';
import type { Environment } from '../../../../../../src-main/validation/environment.ts';
import type { Submission } from '../../../../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { described, honestClip, videosText } from '../../../../../support/handed-in.ts';
import {
  clipChecking,
  clipVectors,
  listeners,
  mixed,
  models,
  random,
  SPACE,
  source,
  textVectors,
} from '../../../../../support/judged-clips.ts';

const TOPIC = 'owls night';
let keys = 0;
const task = (changed: Partial<ClipsTask> = {}): ClipsTask => ({
  ...{ wanted: { of: 'videos', topic: TOPIC, count: 8 }, key: `${keys++}`.padStart(32, '0'), isDrawn: false, place: 0 },
  ...changed,
});
/** As many videos of owls as are wanted, which nobody has handed in before. */
let videos = 0;
const honest = (count = 8) => Array.from({ length: count }, () => honestClip(`owls night tree moon:${videos++}`));
const looked = task({ isDrawn: true });

async function judged(clips: readonly HandedClip[], how: Partial<ClipsTask> = {}, world = clipChecking()) {
  const { ports, submissions } = await world;
  const judgement = await judgeVideos(ports, task(how), videosText(clips), { party: 'miner' });
  const [[submission], [look]] = [await submissions.list({ rows: 1 }), await submissions.lastChecks(1)];
  const kept = submission && (JSON.parse(submission.clips) as Submission['clips']);
  return { ...judgement, kept, submission: submission && { ...look, ...submission } };
}

describe('an honest answer', () => {
  it('is worth what its clips are, looked at or not', async () => {
    const clips = honest();
    const unlooked = await judged(clips);
    const checked = await judged(clips, looked);
    expect(unlooked.score).toBeGreaterThan(0.25);
    expect(checked.score).toBe(unlooked.score);
    expect(unlooked.reason).toMatchObject({ key: 'clipValidation.judged', params: { clips: 8, counted: 8 } });
    expect(unlooked.submission).toMatchObject({ role: 'received', peer: 'miner', deep_check: 'unlooked', counted: 8 });
    expect(checked.submission?.deep_check).toBe('right');
    expect(checked.kept?.map(({ score }) => score?.check)).toEqual(['right', ...Array(7).fill('unlooked')]);
  });

  it('is fetched as far as its miner has to fetch it: else its source might give another part of it', async () => {
    const { folder, ports } = await clipChecking();
    const asked: unknown[] = [];
    const watched = {
      look: source.look,
      fetch: async (id: string, to: string, options: FetchOptions) => {
        asked.push({ mostSeconds: options.mostSeconds, mostBytes: options.mostBytes });
        return await source.fetch(id, to, options);
      },
    };
    const look = new ClipLook({ source: () => watched, media: ports.media, folder });
    await judgeVideos({ ...ports, look }, task({ isDrawn: true }), videosText(honest(1)), { party: 'miner' });
    expect(asked).toEqual([fetchLimits('commons')]);
  });

  it('leaves no file behind', async () => {
    const world = clipChecking();
    await judged(honest(), looked, world);
    expect(await readdir((await world).folder)).toEqual([]);
  });

  it('leaves none behind either where a fetch was broken off, however much lies beside it', async () => {
    const { folder, ports } = await clipChecking();
    const late = {
      look: source.look,
      fetch: async (_: string, to: string) => {
        for (const end of ['', '.note', '.webm.part']) await writeFile(`${to}${end}`, 'a part');
        throw new QuarryError({ code: 'DOWNLOAD_FAILED', message: 'It broke off.', retryable: true });
      },
    };
    const look = new ClipLook({ source: () => late, media: ports.media, folder });
    await judgeVideos({ ...ports, look }, task({ isDrawn: true }), videosText(honest(1)), { party: 'miner' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is worth more where its words are about the topic, too', async () => {
    const [one] = honest(1);
    const fits = async (words: string) =>
      (await judged([{ ...one!, description: described(words, 200) }])).kept?.[0]?.score?.topicRelevance ?? 0;
    expect((await fits(TOPIC)) - (await fits('bread oven'))).toBeGreaterThan(0.1); // a sixth at the most
  });

  it('of one clip is worth an eighth', async () => {
    const [one] = honest();
    const { score } = await judged([one!]);
    expect(score).toBeCloseTo((await judged(honest())).score / 8, 1);
  });
});

describe('is shown to lie, whichever clip it was that was looked at:', () => {
  const first = (lie: Partial<HandedClip>) => {
    const [one, ...others] = honest();
    return [{ ...one!, ...lie }, ...others];
  };
  const toWords = (clip: HandedClip, by: number) => mixed([1, clip.seen], [by, textVectors(TOPIC).seen]);
  it.each<[string, () => HandedClip[], string]>([
    ['made up vectors', () => first({ seen: random('made up') }), 'clipValidation.lie.seen'],
    [
      'those of another video',
      () => first({ seen: clipVectors('owls night:x', { from: 10, to: 40 }).seen }),
      'clipValidation.lie.seen',
    ],
    [
      'those of another stretch',
      () => first(pick(clipVectors(`owls night tree moon:${videos}`, { from: 100, to: 130 }))),
      'clipValidation.lie.seen',
    ],
    ['another sound', () => first({ heard: random('loud') }), 'clipValidation.lie.heard'],
    ['a sound that is left out', () => first({ heard: null }), 'clipValidation.lie.hasSound'],
    [
      'a sound that is not there',
      () => [honestClip('owls night:silent', { heard: random('h') })],
      'clipValidation.lie.noSound',
    ],
    ['an end behind the end', () => first({ from: 190, to: 230 }), 'clipValidation.lie.end'],
    [
      'an end behind the end of a video of which nobody says how long it is',
      () => [honestClip('owls night:untold', { from: 190, to: 230 })],
      'clipValidation.lie.end',
    ],
    [
      'a stretch of which nobody could make a clip',
      () => [honestClip('owls night:unkeyed', { seen: random('made up') })],
      'clipValidation.lie.tooLong',
    ],
    [
      'vectors that are bent to the topic',
      () => honest().map((clip) => ({ ...clip, seen: toWords(clip, 0.3) })),
      'clipValidation.lie.bent',
    ],
    [
      'vectors that are bent to the description',
      () => {
        const clip = honestClip('bread oven:bent');
        return [{ ...clip, seen: mixed([1, clip.seen], [0.3, textVectors(clip.description).seen]) }];
      },
      'clipValidation.lie.bent',
    ],
  ])('%s', async (_, clips, why) => {
    const { score, reason, submission, kept } = await judged(clips(), looked);
    expect({ score, reason }).toMatchObject({
      score: -5,
      reason: { key: 'clipValidation.lie', params: { why: { key: why } } },
    });
    expect(submission).toMatchObject({ deep_check: 'lie', score: -5 });
    expect(kept?.[0]?.score?.check).toBe('lie');
  });

  it('and none of its clips is known afterwards', async () => {
    const world = clipChecking();
    await judged(first({ seen: random('made up') }), looked, world);
    expect((await world).kept.size).toBe(0);
  });
});

const pick = ({ seen }: { seen: Float32Array }) => ({ seen });

describe('does not count, and says why:', () => {
  it.each<[string, () => HandedClip, string]>([
    [
      'a clip of other models',
      () => honestClip('owls night:s', { space: 'other@1' }),
      'clipValidation.uncounted.space',
    ],
    [
      'with vectors of another length than those of these models, which no index takes',
      () => honestClip('owls night:v', { seen: random('short').slice(0, 8) }),
      'clipValidation.uncounted.space',
    ],
    [
      'with a sound of another length',
      () => honestClip('owls night:w', { heard: random('short').slice(0, 8) }),
      'clipValidation.uncounted.space',
    ],
    [
      'of a licence that lets nothing be cut',
      () => honestClip('owls night:l', { licence: 'byNd' }),
      'clipValidation.uncounted.licence',
    ],
    [
      'of somebody’s own folder',
      () => honestClip('owls night:f', { source: 'folder' }),
      'clipValidation.uncounted.own',
    ],
    [
      'of a source that is not asked',
      () => honestClip('owls night:y', { source: 'ytdlp' }),
      'clipValidation.uncounted.reach',
    ],
    [
      'later than five minutes',
      () => honestClip('owls night:m', { from: 290, to: 310 }),
      'clipValidation.uncounted.reach',
    ],
    ['too short', () => honestClip('owls night:k', { from: 10, to: 14 }), 'clipValidation.uncounted.length'],
    [
      'with a stuffed description',
      () =>
        honestClip('owls night:p', {
          description: Array.from({ length: 7 }, (_, at) => `${'x'.repeat(at + 1)} `.repeat(60)).join(''),
        }),
      'clipValidation.uncounted.stuffed',
    ],
  ])('%s', async (_, clip, why) => {
    const { kept, score } = await judged([clip(), ...honest(7)]);
    expect(kept?.[0]?.score).toMatchObject({ worth: 0, uncounted: { said: { text: { key: why } } } });
    expect(kept?.[1]?.score?.uncounted).toBeNull();
    expect(score).toBeGreaterThan(0.2);
  });

  it('what is there twice, and what others have handed in', async () => {
    const world = clipChecking();
    const [one, other] = honest(2);
    const twice = await judged([one!, one!], {}, world);
    expect(twice.kept?.map(({ score }) => score?.uncounted?.said?.text?.key)).toEqual([
      'clipValidation.uncounted.repeated',
      undefined,
    ]);
    const copy = await judged([one!, other!], {}, world);
    expect(copy.kept?.map(({ score }) => score?.uncounted?.said?.text?.key)).toEqual([
      'clipValidation.uncounted.known',
      undefined,
    ]);
  });

  it('a description of more pieces than anybody reads, whatever they say', async () => {
    const [one] = honest(1);
    const { kept } = await judged([{ ...one!, description: 'owls '.repeat(50 * 60 + 1) }]);
    expect(kept?.[0]?.score?.uncounted?.said?.text?.key).toBe('clipValidation.uncounted.stuffed');
  });

  it('and takes nothing from those behind it: each has what it is worth itself', async () => {
    const [near, far] = [honestClip('owls night:near'), honestClip('bread oven:far')];
    const worths = async (...clips: HandedClip[]) => (await judged(clips)).kept?.map(({ score }) => score?.worth);
    const alone = (await worths(near, far)) ?? [];
    expect(alone[0]).toBeGreaterThan(2 * (alone[1] ?? 0));
    const barred = honestClip('owls night:barred', { licence: 'byNd' });
    expect(await worths(barred, near, barred, far)).toEqual([0, alone[0], 0, alone[1]]);
  });

  it('and who has nothing else has the least', async () => {
    expect(await judged([honestClip('owls night:z', { licence: 'unknown' })], looked)).toMatchObject({
      ...{ score: 0.005, reason: { key: 'clipValidation.noneCounts' } },
    });
    expect(await judged([])).toMatchObject({ score: 0.005, reason: { key: 'clipValidation.none' } });
  });
});

describe('what cannot be fetched', () => {
  it.each([
    ['gone', 'gone'],
    ['blocked', 'blocked'],
    ['closed', 'blocked'],
    ['forbidden', 'licence'],
    ['broken', 'gone'],
    ['uncut', 'gone'],
  ])('is punished by nobody: %s', async (name, unseen) => {
    const { score, submission } = await judged([honestClip(`owls night:${name}`), ...honest(7)], looked);
    expect(score).toBeGreaterThan(0.25);
    expect(submission).toMatchObject({ deep_check: 'notFetched', unseen });
  });

  it('is also what its source says is there, and is not in what came: that may be the fault of whoever sent it', async () => {
    const clip = honestClip('owls night:halved', { from: 90, to: 120 });
    const { score, submission } = await judged([clip, ...honest(7)], looked);
    expect([score > 0.25, submission?.deep_check]).toEqual([true, 'notFetched']);
  });

  it('counts nothing once it has happened again and again, while others’ clips can be fetched, until one can', async () => {
    const world = clipChecking();
    const { ports } = await world;
    const as = async (party: string, id: string, isDrawn = true) => {
      const clips = [honestClip(`${id}:${videos++}`)];
      return (await judgeVideos(ports, task({ isDrawn }), videosText(clips), { party })).score;
    };
    for (let at = 0; at < 12; at++) await as('honest', 'owls night');
    for (let at = 0; at < 3; at++) expect(await as('hidden', 'owls night gone')).toBeGreaterThan(0.02);
    expect(await as('hidden', 'owls night gone', false)).toBe(0.005);
    expect(await as('hidden', 'owls night', false)).toBeGreaterThan(0.02); // it is looked at, and is right
    expect(await as('honest', 'owls night gone')).toBeGreaterThan(0.02);
  });

  it('is not known afterwards where it counts nothing: nobody else is to lose by what is made up', async () => {
    const world = clipChecking();
    const { ports } = await world;
    const as = async (party: string, clip: HandedClip) =>
      (await judgeVideos(ports, task({ isDrawn: true }), videosText([clip]), { party })).score;
    for (let at = 0; at < 12; at++) await as('honest', honestClip(`owls night:${videos++}`));
    for (let at = 0; at < 3; at++) await as('hidden', honestClip(`owls night gone:${videos++}`));
    const aimedAt = honestClip(`owls night:${videos++}`);
    expect(await as('hidden', { ...aimedAt, id: 'owls night gone:copy' })).toBe(0.005);
    expect(await as('honest', aimedAt)).toBeGreaterThan(0.02);
  });

  it('is found out also where several do so: who is looked at most often does not speak for everybody', async () => {
    const { ports } = await clipChecking();
    const as = async (party: string, id: string, isDrawn: boolean) => {
      const clips = [honestClip(`${id}:${videos++}`)];
      return (await judgeVideos(ports, task({ isDrawn }), videosText(clips), { party })).score;
    };
    const earned: number[] = [];
    for (let round = 0; round < 40; round++) {
      for (let at = 0; at < 7; at++) await as(`honest ${at}`, 'owls night', (round + at) % 10 === 0);
      for (let at = 0; at < 3; at++) earned.push(await as(`hidden ${at}`, 'owls night gone', (round + at) % 10 === 0));
    }
    const late = earned.slice(-30);
    expect(late.filter((score) => score > 0.005)).toEqual([]);
  });

  it('is no miner’s fault where nobody’s from the same source can be, whatever comes from others', async () => {
    const { ports } = await clipChecking();
    const as = async (party: string, id: string, source: SourceKind) => {
      const clips = [honestClip(`${id}:${videos++}`, { source })];
      return (await judgeVideos(ports, task({ isDrawn: true }), videosText(clips), { party })).score;
    };
    for (let at = 0; at < 12; at++) await as(`miner ${at}`, 'owls night', 'commons');
    for (let at = 0; at < 6; at++) {
      expect(await as('one', 'owls night blocked', 'archive')).toBeGreaterThan(0.02);
      expect(await as('other', 'owls night blocked', 'archive')).toBeGreaterThan(0.02);
    }
  });

  it('is no miner’s fault where nobody’s can be', async () => {
    const { ports } = await clipChecking();
    const blocked = async (party: string) => {
      const clips = [honestClip(`owls night blocked:${videos++}`)];
      return (await judgeVideos(ports, task({ isDrawn: true }), videosText(clips), { party })).score;
    };
    for (let at = 0; at < 12; at++) await blocked(`miner ${at}`);
    for (let at = 0; at < 6; at++) expect(await blocked('one')).toBeGreaterThan(0.02);
  });
});

describe('from a server that may be anybody’s', () => {
  const other = (changed: Partial<HandedClip> = {}) =>
    honestClip(`owls night:${videos++}`, { source: 'peertube', ...changed });

  it('another clip than was said is no lie, since its owner may have changed it: nothing of the answer counts, or is known', async () => {
    const world = clipChecking();
    const { score, reason, submission, kept } = await judged([other({ seen: random('another') })], looked, world);
    const why = { params: { why: { key: 'clipValidation.lie.seen' } } };
    expect({ score, reason }).toMatchObject({ score: 0.005, reason: { key: 'clipValidation.differs', ...why } });
    expect(submission).toMatchObject({ deep_check: 'differs', looked_source: 'peertube' });
    expect(kept?.[0]?.score?.check).toBe('differs');
    expect((await world).kept.size).toBe(0);
  });

  it('nor is one of a site that gives each program, and each country, another file', async () => {
    const world = clipChecking().then(({ ports, ...rest }) => {
      const look = new ClipLook({ source: () => source, media: ports.media, folder: rest.folder });
      return { ...rest, ports: { ...ports, look } };
    });
    const { score, submission } = await judged([other({ source: 'ytdlp', seen: random('another') })], looked, world);
    expect({ score, check: submission?.deep_check }).toEqual({ score: 0.005, check: 'differs' });
  });

  it.each([
    ['may have been another one when the clip was made, so it proves no lie', 'owls night renewed 3', 0.005],
    ['is a lie where that was long ago', 'owls night renewed 45', -5],
  ])('a video of which its source says that it was changed %s', async (_, video, worth) => {
    const clip = other({ source: 'archive', id: `${video}:${videos++}`, seen: random('another') });
    const { score, reason, submission } = await judged([clip], looked);
    expect(score).toBe(worth);
    expect(submission?.deep_check).toBe(worth < 0 ? 'lie' : 'differs');
    if (worth > 0) expect(reason).toMatchObject({ key: 'clipValidation.changed', params: { days: 30 } });
  });

  it('a clip that is right is worth as much as from elsewhere', async () => {
    const { score, submission } = await judged([other()], looked);
    expect(score).toBeGreaterThan(0.02);
    expect(submission?.deep_check).toBe('right');
  });

  it('clips that are other ones again and again have each answer looked at, which counts where its clip is right', async () => {
    const { ports } = await clipChecking();
    const as = async (party: string, clip: HandedClip, isDrawn: boolean) =>
      (await judgeVideos(ports, task({ isDrawn }), videosText([clip]), { party })).score;
    for (let at = 0; at < 4; at++) await as(`honest ${at}`, honestClip(`owls night:${videos++}`), true);
    expect(await as('liar', other({ seen: random('another') }), false)).toBeGreaterThan(0.02);
    for (let at = 0; at < 3; at++) await as('liar', other({ seen: random('another') }), true);
    expect(await as('liar', other({ seen: random('another') }), false)).toBe(0.005);
    expect(await as('liar', other(), false)).toBeGreaterThan(0.02);
  });
});

it('what is judged once more, as after a kill, takes the place of what was kept, and is worth the same', async () => {
  const { ports, submissions, kept } = await clipChecking();
  const [clips, same] = [honest(), task()];
  const first = await judgeVideos(ports, same, videosText(clips), { party: 'miner' });
  const again = await judgeVideos(ports, same, videosText(clips), { party: 'miner' });
  expect(again.score).toBe(first.score);
  expect(kept.size).toBe(8);
  await judgeVideos(ports, same, videosText(clips.slice(0, 3)), { party: 'miner' });
  expect(kept.size).toBe(3); // what is kept no more is known no more
  await judgeVideos(ports, same, videosText(clips), { party: 'miner' });
  expect(await submissions.list({ rows: 10 })).toHaveLength(1);
  expect(await submissions.miners()).toMatchObject([{ miner: 'miner', submissions: 1, clips: 8, lies: 0 }]);
});

it('a replay keeps nothing', async () => {
  const { ports, submissions, kept } = await clipChecking();
  await judgeVideos(ports, task(), videosText(honest()));
  expect([await submissions.list({ rows: 10 }), kept.size]).toEqual([[], 0]);
});

it('poses the same for ever, looks at one answer in ten, and tells nothing of that', async () => {
  const { ports } = await clipChecking();
  const environment = videosEnvironment(ports) as Environment<ClipsTask>;
  const [one, other] = [await pose(environment, 'usual', 'c0ffee'), await pose(environment, 'usual', 'c0ffee')];
  expect(other.ask).toEqual(one.ask);
  expect(one.ask).toMatchObject({ kind: 'clips', wanted: { of: 'videos', count: 8 } });
  expect(one.version).toMatch(/^2\.[0-9a-f]{12}$/);
  const { SeededRandom } = await import('../../../../../../src-main/validation/seeded-random.ts');
  const drawn = Array.from(
    { length: 2_000 },
    (_, at) => environment.pose(new SeededRandom(`${at}`), 'usual') as ClipsTask,
  );
  const share = drawn.filter(({ isDrawn }) => isDrawn).length / drawn.length;
  expect(share).toBeGreaterThan(0.07);
  expect(share).toBeLessThan(0.13);
  expect(new Set(drawn.map(({ key }) => key)).size).toBe(2_000);
  for (const { key } of drawn.slice(0, 20)) expect(JSON.stringify([one.prompt, one.ask])).not.toContain(key);
});

it.each([
  '',
  'null',
  '{"list":[1],"said":[],"vectors":[]}',
  '{"list":{},"said":[],"vectors":[]}',
  `{"list":[${'0,'.repeat(100)}0],"said":[],"vectors":[]}`,
])('whatever comes is judged: %s', async (answer) => {
  const { ports } = await clipChecking();
  expect(await judgeVideos(ports, looked, answer, { party: 'miner' })).toMatchObject({ score: 0 });
});

it('no model reads what does not count anyway: sixty-four long descriptions would take it minutes', async () => {
  const read: string[] = [];
  const watched = {
    ...models,
    texts: async (texts: readonly string[]) => {
      read.push(...texts);
      return texts.map(textVectors);
    },
  };
  const use = async () => ({ models: watched, listeners, thresholds: IMAGEBIND });
  const world = clipChecking({ judge: { space: SPACE, use } });
  const clips = [honestClip('owls night:brief', { from: 10, to: 14 }), ...honest(20)];
  const { kept } = await judged(clips, {}, world);
  expect(kept?.map(({ score }) => score?.uncounted?.said?.text?.key)).toEqual([
    'clipValidation.uncounted.length',
    ...Array(8).fill(undefined),
    ...Array(12).fill('clipValidation.uncounted.tooMany'),
  ]);
  expect(read.filter((text) => text === clips[1]!.description)).toHaveLength(8);
});

it('a description is measured by its words, whatever is sent for it', async () => {
  const clips = honest().map((clip) => ({ ...clip, described: random('lie') }));
  expect((await judged(clips, looked)).score).toBeGreaterThan(0.25);
  const off = honest().map((clip) => ({ ...clip, description: described('cars') }));
  expect((await judged(off)).score).toBeLessThan(0.2);
});
