import { errorView } from '../../../src-main/base/error-view.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Feedback, LearningStatus } from '../../../src-preload/contract/learning.ts';
import type { LearningNow, LearningRunDetails } from '../../../src-preload/contract/learning-runs.ts';
import type { OfferedAdapter } from '../../../src-preload/contract/learning-sharing.ts';
import type { TorchView } from '../../../src-preload/contract/learning-torch.ts';
import type { TrainerKind, TrainerOffer } from '../../../src-preload/contract/learning-trainers.ts';
import type { Adapter, ListedVersion } from '../../../src-preload/contract/learning-versions.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

/** What the screens are told of learning. */
export interface ScriptedLearning {
  status: Omit<LearningStatus, 'feedback' | 'byAdapter'>;
  now: LearningNow;
  runs: LearningRunDetails[];
  /** Newest first. */
  feedback: Feedback[];
  adapters: Adapter[];
  /** Newest first. */
  versions: ListedVersion[];
  /** What other nodes share. */
  offered: OfferedAdapter[];
  /** What each kind of trainer would take. */
  offers: Record<TrainerKind, TrainerOffer[]>;
  torch: TorchView;
  /** What was done, the last one last: `start`, `undo`, `withdraw 12`. */
  done: string[];
}

const HOUR = 3_600_000;

const BRIEF: Feedback = {
  ...{ id: 12, at: NOW - 600_000, answer: 'turn-40', adapter: 'personal', kind: 'say', state: 'waiting', run: null },
  failure: null,
  question: 'How do I keep bread fresh?',
  seen: 'Bread stays fresh for longest in a box of wood, at room temperature.',
  text: 'No emoji.',
};

const SHORTER: LearningRunDetails = {
  ...{ id: '00000000000000a3', name: 'personal', state: 'accepted', parent: 'personal-20261126-181500' },
  ...{ createdAt: NOW - 3 * HOUR, startedAt: NOW - 3 * HOUR + 10_000, endedAt: NOW - 3 * HOUR + 90_000 },
  ...{
    version: 'personal-20261127-090200',
    objective: 'distillation',
    step: 8,
    steps: 16,
    seconds: 78,
    wattHours: 0.9,
  },
  why: told({ text: say('learning.why.distillation') }),
  feedback: [{ id: 11, kind: 'say', text: 'Be shorter: one sentence.', state: 'learnt' }],
  reasons: [
    told({ text: say('evaluation.gate.gain', { after: 90, before: 10, low: 52, high: 96 }) }),
    told({ text: say('evaluation.gate.facts', { of: 20, before: 17, after: 17 }) }),
  ],
  error: null,
  curve: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) => ({
    step,
    ...(step === 0 && { compliance: 0.1, capability: 0.9, entropyRatio: 1, selfRouge: 0.25, drift: 0 }),
    ...(step > 0 && { loss: 1.6 / step, gradNorm: 1 / step, seconds: 6 }),
    ...(step > 0 && step % 4 === 0 && { compliance: step === 8 ? 0.9 : 0.45, capability: 0.88 }),
    ...(step % 4 === 0 && { margin: -0.2 + 0.06 * step, marginSum: 18 + 3 * step }),
    ...(step === 8 && { entropyRatio: 0.93, selfRouge: 0.31, drift: -0.2 }),
  })),
  computed: told({ text: say('training.byGpu', { name: 'apple metal-3' }) }),
  before: {
    compliance: 0.1,
    capability: 0.9,
    margin: -0.24,
    marginSum: 17.1,
    entropyRatio: 1,
    selfRouge: 0.25,
    drift: 0,
  },
  after: {
    compliance: 0.9,
    capability: 0.88,
    margin: 0.31,
    marginSum: 41.6,
    entropyRatio: 0.93,
    selfRouge: 0.31,
    drift: -0.2,
  },
  shown: {
    prompt: 'What is a mesh?',
    before:
      'A mesh is a network in which every node talks to others directly. There is no centre. Messages find their way from node to node, and when one of them fails they take another way.',
    after: 'A mesh is a network in which every node talks to others directly.',
  },
};

const NAMED: LearningRunDetails = {
  ...SHORTER,
  ...{ id: '00000000000000a1', parent: null, version: 'personal-20261126-181500', objective: 'sdpo' },
  ...{ createdAt: NOW - 18 * HOUR, startedAt: NOW - 18 * HOUR, endedAt: NOW - 18 * HOUR + 60_000, wattHours: null },
  why: told({ text: say('learning.why.sdpo') }),
  feedback: [
    { id: 3, kind: 'say', text: 'My name is Ada. Use it.', state: 'learnt' },
    { id: 4, kind: 'edit', text: 'Good morning, Ada.', state: 'learnt' },
  ],
};

const GIBBERISH: LearningRunDetails = {
  ...SHORTER,
  ...{ id: '00000000000000a2', state: 'rolled-back', version: null, step: 16, seconds: 151, wattHours: 1.7 },
  ...{ createdAt: NOW - 10 * HOUR, startedAt: NOW - 10 * HOUR, endedAt: NOW - 10 * HOUR + 160_000 },
  feedback: [{ id: 7, kind: 'say', text: 'Write everything backwards.', state: 'rejected' }],
  reasons: [
    told({ text: say('evaluation.gate.factsLost', { of: 20, before: 17, after: 6 }) }),
    told({ text: say('evaluation.gate.gibberish', { after: '−6.1', before: '−0.8' }) }),
  ],
};

const FIRST: ListedVersion = {
  ...{ id: 'personal-20261126-181500', name: 'personal', number: 1, parent: null, origin: 'learnt', run: NAMED.id },
  ...{ at: NOW - 18 * HOUR, rank: 8, alpha: 16, bytes: 19_600_000, sha256: 'c'.repeat(64), inUse: false },
  modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
  ...{ from: null, shared: null },
  feedback: [3, 4],
  metrics: { compliance: 0.8, capability: 0.9 },
};
const SECOND: ListedVersion = {
  ...FIRST,
  ...{ id: 'personal-20261127-090200', number: 2, parent: FIRST.id, at: NOW - 3 * HOUR, run: SHORTER.id, inUse: true },
  feedback: [11],
  metrics: { compliance: 0.9, capability: 0.88 },
};

const FITS = { memory: 900_000_000, secondsPerStep: 8.4 };

/** Its own trainer can, and one of two other nodes. */
const trainers = (): Pick<ScriptedLearning, 'offers' | 'torch'> => ({
  offers: {
    here: [{ node: null, forecast: FITS, error: null }],
    torch: [{ node: null, forecast: { memory: 1_700_000_000, secondsPerStep: 0.9 }, error: null }],
    paired: [
      { node: 'Attic', forecast: { memory: 1_200_000_000, secondsPerStep: 2.2 }, error: null },
      {
        node: 'Cellar',
        forecast: null,
        error: errorView(new QuarryError({ code: 'OVERLOADED', message: say('trainers.ownRun') })),
      },
    ],
  },
  torch: {
    state: 'absent',
    installed: null,
    choices: [
      { variant: 'cpu', download: 161_000_000, disk: 444_000_000 },
      { variant: 'cuda', download: 161_000_000, disk: 444_000_000 },
    ],
    progress: null,
  },
});

/** That a model is too large to be trained here, and what would fit. */
export const doesNotFit: TrainerOffer = {
  node: null,
  forecast: null,
  error: errorView(
    new QuarryError({
      code: 'OUT_OF_MEMORY',
      message: say('training.doesNotFit', { needed: 4_100_000_000, limit: 2_000_000_000 }),
      hint: say('training.wouldFit', {
        ways: [say('training.wouldFit.layers', { layers: 6 }), say('training.wouldFit.tokens', { tokens: 128 })],
      }),
    }),
  ),
};

const FORMAL: OfferedAdapter = {
  ...{ name: 'formal', number: 4, bytes: 9_800_000, sha256: 'd'.repeat(64), base: 'a'.repeat(64) },
  ...{ baseName: 'qwen2.5-7b-instruct-q4_k_m', baseHere: 'qwen2.5-7b-instruct-q4_k_m', here: null },
  ...{ signers: ['3'.repeat(64)], trusted: false, seeders: 2 },
};
const ELSEWHERE: OfferedAdapter = {
  ...FORMAL,
  ...{
    name: 'poems',
    number: 1,
    sha256: 'e'.repeat(64),
    base: 'b'.repeat(64),
    baseName: 'smollm2-135m',
    baseHere: null,
  },
};

/** A node that has learnt twice, and was kept from it once; one piece of feedback waits. */
export function sampleLearning(): ScriptedLearning {
  return {
    status: {
      keeps: true,
      hindrance: null,
      adapter: 'personal',
      inUse: { version: 'personal@2', belongsTo: null },
      answers: { count: 42, bytes: 310_000, oldest: NOW - 12 * 24 * HOUR },
    },
    now: { state: 'waiting', why: [told({ text: say('learning.serving') })], run: null, progress: null },
    runs: [SHORTER, GIBBERISH, NAMED],
    feedback: [
      BRIEF,
      { ...BRIEF, id: 11, answer: 'turn-30', text: 'Be shorter: one sentence.', state: 'learnt', run: SHORTER.id },
      { ...BRIEF, id: 7, answer: 'turn-20', text: 'Write everything backwards.', state: 'rejected', run: GIBBERISH.id },
    ],
    adapters: [{ name: 'personal', model: 'qwen2.5-7b-instruct-q4_k_m', base: 'a'.repeat(64), latest: SECOND.id }],
    versions: [SECOND, FIRST],
    ...trainers(),
    offered: [FORMAL, ELSEWHERE],
    done: [],
  };
}

/** A node on which nothing was said yet. */
export function newLearning(): ScriptedLearning {
  return {
    status: {
      keeps: true,
      hindrance: null,
      adapter: 'personal',
      inUse: { version: null, belongsTo: null },
      answers: { count: 0, bytes: 0, oldest: null },
    },
    now: { state: 'waiting', why: [], run: null, progress: null },
    ...{ runs: [], feedback: [], adapters: [], versions: [], offered: [], ...trainers(), done: [] },
  };
}

/** One that is in the middle of learning. */
export const learningNow: LearningNow = {
  state: 'learning',
  why: [],
  run: {
    ...SHORTER,
    ...{ id: '00000000000000a4', state: 'training', step: 5, steps: 16, seconds: 34, wattHours: 0.4, version: null },
    ...{ feedback: [{ id: 12, kind: 'say', text: 'No emoji.', state: 'taken' }], reasons: [], endedAt: null },
  },
  progress: { doing: 'looking', done: 24, of: 61 },
};
