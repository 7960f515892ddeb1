import type {
  Clip,
  ClipScore,
  DataAbility,
  DataJob,
  DataSource,
  DataState,
  MinerOfClips,
  SearchHit,
  Submission,
} from '../../../src-preload/contract/data.ts';
import type { CalibrationStep, ModelThresholds } from '../../../src-preload/contract/data-calibration.ts';
import { CLIP_PATH, POSTER_NAME } from '../../../src-preload/contract/data-limits.ts';
import type { ClipModelStep, ClipModelView } from '../../../src-preload/contract/data-models.ts';
import { DESCRIBERS, JOB_STATES, type JobState, type Licence } from '../../../src-preload/contract/data-names.ts';
import type { DataSet, DataSetProgress, TakeDown } from '../../../src-preload/contract/data-set.ts';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TOPIC = 'birds in a garden';
const HOTKEYS = [
  '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy',
  '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw',
  '5CiPPseXPECbkjWCa6MnjNokrgYjMqmKndv2rSnekmSK2DjL',
];
const TOPICS = [TOPIC, 'rivers from above', 'hands that make pottery', 'night trains', 'street music'];
const SPACE = 'siglip2-base+clap-htsat';

/** What the screens are told of clips and of their data set. */
export interface ScriptedClips {
  state: Omit<DataState, 'jobs' | 'now' | 'clips' | 'bytes'>;
  sources: DataSource[];
  hits: SearchHit[];
  /** The newest first. */
  clips: Clip[];
  /** The newest first. */
  jobs: DataJob[];
  submissions: Submission[];
  miners: MinerOfClips[];
  models: ClipModelView[];
  /** Steps of one that is fetched; whoever follows it waits for `goOn` before each but the first. */
  fetched: ClipModelStep[];
  thresholds: ModelThresholds[];
  /** Steps of measuring them; whoever follows it waits for `goOn` before each but the first. */
  calibrated: CalibrationStep[];
  set: DataSet;
  takeDowns: TakeDown[];
  /** Steps of an export and of an upload; whoever follows one waits for `goOn` before each but the first. */
  exported: DataSetProgress[];
  uploaded: DataSetProgress[];
  goOn: Promise<void> | undefined;
  /** `mine birds`, `stop`, `enqueue 2`: the last one last. */
  done: string[];
}

const text = (words: Words) => told({ text: words });
const idOf = (number: number) => number.toString(16).padStart(32, '0');

const TITLES = [
  'Blackbird feeding its young',
  'Great tits at a nest box',
  'A robin sings at dawn',
  'Sparrows bathe in a bowl',
  'Woodpecker on an old apple tree',
  'Swallows collect mud for their nests',
  'A wren builds in the ivy',
  'Goldfinches eat thistle seeds',
];

const SCORE: ClipScore = {
  ...{ worth: 0.112, uncounted: null, descriptionRelevance: 0.58, topicRelevance: 0.64, detail: 0.81, novelty: 0.42 },
  ...{ uniqueTokens: 142, check: 'right' },
};
const TOO_NEAR: ClipScore = {
  ...SCORE,
  ...{ worth: 0, uncounted: text('Too near to another clip of the same submission: 4 % new.') },
  ...{ novelty: 0.04, detail: 0.65, uniqueTokens: 61, check: 'unlooked' },
};

function sampleClip(number: number): Clip {
  const title = TITLES[number % TITLES.length] ?? '';
  const isOwn = number % 5 === 4;
  const licence: Licence = isOwn ? 'own' : number % 3 === 0 ? 'by' : number % 3 === 1 ? 'bySa' : 'publicDomain';
  const file = `File:${title.replaceAll(' ', '_')}_${number}.webm`;
  return {
    ...{
      clip: idOf(number + 1),
      source: isOwn ? 'folder' : 'commons',
      id: isOwn ? `garden/${number}.mp4` : file,
      title,
    },
    ...{ topic: TOPIC, from: 30 * (number % 4), to: 30 * (number % 4) + 12 + (number % 60) },
    description: `${title}, filmed from a few steps away. The light is soft, leaves move in the wind, and the bird is in the middle of the picture most of the time. Behind it a hedge and part of a wooden fence are seen.`,
    describedBy: DESCRIBERS[number % DESCRIBERS.length] ?? 'title',
    describedWith: DESCRIBERS[number % DESCRIBERS.length] === 'model' ? 'qwen3-vl-4b' : null,
    words: number % 4 === 2 ? 'Listen: that is the robin. It sings long before the sun is up.' : null,
    ...{ speakers: number % 4 === 2 ? 1 : null, hasSound: number % 6 !== 5, licence },
    licenceUrl: isOwn || licence === 'publicDomain' ? null : 'https://creativecommons.org/licenses/by-sa/4.0/',
    author: isOwn ? null : 'Ada Example',
    attribution: isOwn ? `${title}, own video` : `«${title}» by Ada Example, CC BY-SA 4.0, Wikimedia Commons`,
    page: isOwn ? null : `https://commons.wikimedia.org/wiki/${file}`,
    ...{ bytes: 1_800_000 + 10_000 * (number % 50), sha256: 'ab'.repeat(32), width: 854, height: 480, space: SPACE },
    createdAt: NOW - number * 7 * MINUTE_MS,
    score: number % 7 === 6 ? null : number % 7 === 3 ? TOO_NEAR : { ...SCORE, worth: 0.06 + 0.01 * (number % 7) },
    ...{ isTakenDown: false, closeness: null },
  };
}

export const sampleClips = (count: number): Clip[] => Array.from({ length: count }, (_, number) => sampleClip(number));

const JOBS: [state: JobState, title: string, more: Partial<DataJob>][] = [
  ['describing', 'Birds of the city park', { done: 0.4, clips: 3 }],
  ['fetching', 'A year in the hedge', { done: 0.72, fetched: { bytes: 18_000_000, of: 25_000_000 } }],
  ['waiting', 'Feeding place in winter', {}],
  ['waiting', 'Nest box with a camera', {}],
  ['failed', 'Hummingbirds in slow motion', { reason: text(say('clipSources.tooSlow', { host: 'archive.org' })) }],
  ['skipped', 'Test picture', { reason: text(say('clips.nothingToCut')) }],
  ['done', 'Blackbirds in May', { clips: 5 }],
  ['done', 'The robin', { clips: 2 }],
];

function sampleJob(at: number): DataJob {
  const [state, title, more] = JOBS[at % JOBS.length] ?? ['waiting', '', {}];
  return {
    ...{ source: at % 3 === 1 ? 'archive' : 'commons', id: `File:${title}.webm`, number: 40 - at, title, topic: TOPIC },
    ...{ state, done: null, fetched: null, clips: 0, reason: null, createdAt: NOW - at * 9 * MINUTE_MS },
    ...{ changedAt: NOW - at * 8 * MINUTE_MS, ...more },
  };
}

/** How many are so far each. */
export function countJobs(jobs: readonly DataJob[]): Record<JobState, number> {
  const counts = JOB_STATES.map((state) => [state, jobs.filter((job) => job.state === state).length]);
  return Object.fromEntries(counts);
}

const SOURCES: DataSource[] = [
  {
    ...{ kind: 'folder', isOn: true, lacks: text(say('clipSources.noFolders')), terms: null },
    ...{ askedAt: null, fault: null },
  },
  {
    kind: 'archive',
    isOn: true,
    lacks: null,
    terms: text(say('clipSources.termsArchive')),
    askedAt: NOW - HOUR_MS,
    fault: null,
  },
  {
    kind: 'commons',
    isOn: true,
    lacks: null,
    terms: text(say('clipSources.termsCommons')),
    askedAt: NOW - 2 * MINUTE_MS,
    fault: null,
  },
  {
    ...{
      kind: 'peertube',
      isOn: true,
      lacks: null,
      terms: text(say('clipSources.termsPeertube')),
      askedAt: NOW - HOUR_MS,
    },
    fault: text(say('clipSources.tooSlow', { host: 'tube.example.org' })),
  },
  {
    ...{ kind: 'ytdlp', isOn: false, lacks: text(say('clipSources.noProgram')), askedAt: null, fault: null },
    terms: text(say('clipSources.termsProgram')),
  },
];

const ABILITIES: DataAbility[] = [
  { ability: 'media', isReady: true, by: 'ffmpeg 7.1', lost: null, hint: null },
  { ability: 'pictures', isReady: true, by: 'SigLIP 2 base (Apache-2.0)', lost: null, hint: null },
  { ability: 'sounds', isReady: true, by: 'CLAP (BSD-2-Clause)', lost: null, hint: null },
  { ability: 'texts', isReady: true, by: 'SigLIP 2 base (Apache-2.0)', lost: null, hint: null },
  {
    ...{ ability: 'scores', isReady: false, by: null, lost: text(say('clipModels.lost.scores')) },
    hint: text(say('clipModels.measure')),
  },
  {
    ...{ ability: 'speech', isReady: false, by: null, lost: text(say('clipModels.lost.speech')) },
    hint: text(say('clipModels.fetch')),
  },
  {
    ...{ ability: 'speakers', isReady: false, by: null, lost: text(say('clipModels.lost.speakers')) },
    hint: text(say('clipModels.fetch')),
  },
  {
    ...{ ability: 'captions', isReady: false, by: null },
    lost: text(say('clipModels.lost.captions')),
    hint: text(say('clipModels.captions.none')),
  },
];

function hit(title: string, more: Partial<SearchHit> = {}): SearchHit {
  return {
    ...{ source: 'commons', id: `File:${title}.webm`, title, licence: 'bySa', author: 'Ada Example' },
    description: `${title}. Filmed with a long lens in the early morning.`,
    licenceUrl: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution: `«${title}» by Ada Example, CC BY-SA 4.0, Wikimedia Commons`,
    page: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.webm`,
    ...{ seconds: 184, bytes: 24_000_000, unusable: null, isKnown: false, ...more },
  };
}

const NO_DERIVATIVES = {
  licenceUrl: 'https://creativecommons.org/licenses/by-nd/4.0/',
  attribution: '«A film about storks» by Ada Example, CC BY-ND 4.0, Wikimedia Commons',
};

const HITS: SearchHit[] = [
  hit('Blackbird in the rain'),
  hit('Great tits at the feeder', { licence: 'by', seconds: 61 }),
  hit('Blackbirds in May', { isKnown: true }),
  hit('A film about storks', {
    ...NO_DERIVATIVES,
    ...{ licence: 'byNd', seconds: 3_720, bytes: 810_000_000 },
    unusable: text(say('clipSources.noDerivatives', { licence: 'CC BY-ND 4.0' })),
  }),
  hit('Untitled 17', {
    ...{ licence: 'unknown', licenceUrl: null, author: null, seconds: null, bytes: null },
    unusable: text(say('clipSources.noLicence')),
  }),
  ...Array.from({ length: 40 }, (_, number) => hit(`Garden, day ${number + 1}`, { seconds: 20 + number })),
];

function sampleSubmission(number: number): Submission {
  const isSent = number % 2 === 0;
  const clips = sampleClips(4).map(({ source, id, clip, from, to, description, score }) => ({
    ...{ source, id, clip: isSent ? clip : null, from, to, description, score },
  }));
  const lie: ClipScore = { ...SCORE, worth: 0, check: 'lie', uncounted: text('The video does not show that.') };
  const isLie = number % 5 === 3;
  return {
    ...{ number, role: isSent ? 'sent' : 'received', kind: number % 7 === 6 ? 'sounds' : 'videos' },
    ...{ at: NOW - (40 - number) * HOUR_MS, with: HOTKEYS[number % 3] ?? '', topic: TOPICS[number % 5] ?? '' },
    score: isLie ? -5 : number % 4 === 2 ? null : 0.31 + 0.02 * (number % 9),
    reason: isLie ? text('One of its clips is a lie: all of it counts against the miner.') : null,
    clips: isLie ? clips.map((clip, at) => (at === 1 ? { ...clip, score: lie } : clip)) : clips,
  };
}

const MINERS: MinerOfClips[] = HOTKEYS.map((miner, at) => ({
  ...{ miner, submissions: 31 - 9 * at, clips: 240 - 80 * at, meanScore: 0.41 - 0.13 * at, lies: at === 2 ? 3 : 0 },
  ...{ meanDescriptionRelevance: 0.61 - 0.1 * at, meanTopicRelevance: 0.66 - 0.12 * at },
  ...{ meanNovelty: at === 2 ? null : 0.44 - 0.05 * at, lastAt: NOW - at * HOUR_MS },
}));

const model = (
  name: string,
  title: string,
  more: Pick<ClipModelView, 'kind' | 'licence' | 'isHere' | 'roughBytes'>,
) => ({
  ...{ name, title, description: `${title}, in one sentence.`, isChosen: true, ...more },
});
const MODELS: ClipModelView[] = [
  model('siglip2-base', 'SigLIP 2 base', {
    kind: 'pictures',
    licence: 'Apache-2.0',
    isHere: true,
    roughBytes: 412_000_000,
  }),
  model('clap-htsat', 'CLAP HTSAT', { kind: 'sounds', licence: 'Apache-2.0', isHere: true, roughBytes: 163_000_000 }),
  model('silero-vad', 'Silero VAD', { kind: 'voice', licence: 'MIT', isHere: false, roughBytes: 2_300_000 }),
  model('whisper-tiny', 'Whisper tiny', { kind: 'words', licence: 'MIT', isHere: false, roughBytes: 104_000_000 }),
];

const modelStep = (file: number, received: number): ClipModelStep => ({
  ...{ file, files: 3, received: (file - 1) * 90_000_000 + received, roughBytes: 104_000_000 },
  download: {
    ...{ name: `whisper-tiny.${file}`, state: 'downloading', bytes: 90_000_000, received, bytesPerSecond: 4_000_000 },
    ...{ secondsLeft: 14, sources: ['hub.example'], problem: null, nextTryAt: null },
  },
});

const PICTURES = { kind: 'pictures', name: 'siglip2-base' } as const;
const SOUNDS = { kind: 'sounds', name: 'clap-htsat' } as const;
const THRESHOLDS: ModelThresholds[] = [
  {
    ...PICTURES,
    thresholds: { same: 0.947, novel: 0.118, unrelated: 0.062, closest: 0.181 },
    measured: { by: 112, at: NOW - 70 * HOUR_MS },
  },
  { ...SOUNDS, thresholds: null, measured: null },
];

const CALIBRATED: CalibrationStep[] = [
  { type: 'progress', done: 0, of: 150, secondsLeft: null },
  { type: 'progress', done: 48, of: 150, secondsLeft: 245 },
  {
    type: 'done',
    models: [
      {
        ...{ ...PICTURES, clips: 150, reason: null },
        thresholds: { same: 0.951, novel: 0.104, unrelated: 0.058, closest: 0.176 },
      },
      {
        ...{ ...SOUNDS, clips: 31, thresholds: null },
        reason: text(say('clipCalibration.fewSounds', { clips: 31, least: 50 })),
      },
    ],
  },
];

function sampleSet(): DataSet {
  return {
    folder: '/home/ada/.quarry/data-set',
    shards: [
      {
        ...{ name: 'videos-00002.parquet', kind: 'videos', rows: 512, bytes: 3_100_000, sha256: 'cd'.repeat(32) },
        ...{ createdAt: NOW - 3 * HOUR_MS, uploadedAt: null, uploadedTo: null, takenDown: 0 },
      },
      {
        ...{ name: 'videos-00001.parquet', kind: 'videos', rows: 512, bytes: 2_900_000, sha256: 'ef'.repeat(32) },
        ...{ createdAt: NOW - 90 * HOUR_MS, uploadedAt: NOW - 80 * HOUR_MS },
        ...{ uploadedTo: 'ada/garden-clips', takenDown: 4 },
      },
      {
        ...{ name: 'sounds-00001.parquet', kind: 'sounds', rows: 128, bytes: 640_000, sha256: '01'.repeat(32) },
        ...{ createdAt: NOW - 95 * HOUR_MS, uploadedAt: NOW - 80 * HOUR_MS },
        ...{ uploadedTo: 'ada/garden-clips', takenDown: 0 },
      },
    ],
    ...{ waiting: { videos: 187, sounds: 12 }, least: { videos: 512, sounds: 128 } },
    destination: { endpoint: 'https://huggingface.co', repository: 'ada/garden-clips', isPrivate: true },
  };
}

const NEW_FILE = { name: 'videos-00003.parquet', rows: 185, bytes: 1_200_000 };
const LEFT_OUT = [{ why: text(say('dataSet.takenDown')), rows: 2 }];

function steps(first: DataSetProgress['step'], then: DataSetProgress['step'], of: number, url: string | null) {
  const nothing = { files: [], leftOut: [], url: null };
  return [
    { ...nothing, step: first, done: 0, of: null },
    { ...nothing, step: then, done: of / 4, of },
    { step: 'done' as const, done: of, of, files: [NEW_FILE], leftOut: LEFT_OUT, url },
  ] satisfies DataSetProgress[];
}

export function sampleData(): ScriptedClips {
  return {
    state: {
      mining: 'working',
      order: { topic: TOPIC, sources: ['archive', 'commons'], most: 100, made: 31 },
      ...{ fault: null, clipsVersion: 0, reckoning: null },
      ...{ diskBudget: 20_000_000_000, space: SPACE, abilities: ABILITIES },
    },
    sources: structuredClone(SOURCES),
    hits: HITS,
    clips: sampleClips(48),
    jobs: Array.from({ length: 32 }, (_, at) => sampleJob(at)),
    submissions: Array.from({ length: 12 }, (_, at) => sampleSubmission(12 - at)),
    miners: MINERS,
    models: structuredClone(MODELS),
    fetched: [modelStep(1, 0), modelStep(1, 34_000_000), modelStep(2, 60_000_000)],
    thresholds: structuredClone(THRESHOLDS),
    calibrated: CALIBRATED,
    set: sampleSet(),
    takeDowns: [
      {
        ...{ source: 'commons', id: 'File:My_balcony.webm', at: NOW - 50 * HOUR_MS, clips: 4 },
        reason: 'Its author wrote on 12 November and wants it out.',
      },
    ],
    exported: steps('reading', 'writing', 200, null),
    uploaded: steps('looking', 'uploading', 4_300_000, 'https://huggingface.co/datasets/ada/garden-clips'),
    ...{ goOn: undefined, done: [] },
  };
}

/** Before anything was looked for. */
export function noData(): ScriptedClips {
  const sample = sampleData();
  return {
    ...sample,
    state: { ...sample.state, mining: 'off', order: null },
    ...{ hits: [], clips: [], jobs: [], submissions: [], miners: [], takeDowns: [] },
    set: { ...sample.set, shards: [], waiting: { videos: 0, sounds: 0 }, destination: null },
  };
}

/** A picture of a clip that tells it from others, where that is asked for; undefined for all other paths. */
export function pictureOf(path: string): string | undefined {
  const [, id] = new RegExp(`^${CLIP_PATH}/([0-9a-f]{32})/${POSTER_NAME}$`).exec(path) ?? [];
  if (id === undefined) return undefined;
  const hue = (Number.parseInt(id.slice(-4), 16) * 47) % 360;
  const ball = `<circle cx="${30 + (hue % 100)}" cy="52" r="14" fill="hsl(${(hue + 150) % 360} 55% 38%)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><rect width="160" height="90" fill="hsl(${hue} 40% 74%)"/><rect y="64" width="160" height="26" fill="hsl(${hue} 30% 48%)"/>${ball}</svg>`;
}
