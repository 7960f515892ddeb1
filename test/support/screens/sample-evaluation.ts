import { scoresView } from '../../../src-main/app/evaluation/scores-view.ts';
import { errorView } from '../../../src-main/base/error-view.ts';
import { scoreLines } from '../../../src-main/subnets/quasar/reward/explain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  EvaluationAnswerView,
  EvaluationCellView,
  EvaluationDetails,
  EvaluationFetchEvent,
  EvaluationFile,
  EvaluationFit,
  EvaluationRequest,
  EvaluationView,
  EvaluationWish,
  SuiteView,
} from '../../../src-preload/contract/evaluation.ts';
import { BAND_ENDS, DEPTH_BANDS } from '../../../src-preload/contract/evaluation-numbers.ts';
import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

/** What the screens are told of evaluations. */
export interface ScriptedEvaluation {
  suites: SuiteView[];
  /** The newest first. */
  all: EvaluationDetails[];
  /** What was asked for, the last one last. */
  started: EvaluationRequest[];
  /** `pause 3f82…`, `remove 3f82…` */
  done: string[];
  /** What fits. */
  fit(wish: EvaluationWish): EvaluationFit | Promise<EvaluationFit>;
  files: EvaluationFile[];
  /** What was to be fetched, the last one last. */
  fetched: { suites: string[]; all: boolean }[];
  /** What is told of it, and whether it then goes on until it is stopped. */
  fetch(wish: { suites: string[]; all: boolean }): Iterable<EvaluationFetchEvent>;
  fetchGoesOn: boolean;
  scores: EvaluationScore[];
}

const HOUR = 3_600_000;
export const KINDS = ['fact', 'number', 'name', 'date', 'location', 'quote'];
const MADE: Record<string, string[]> = {
  needle: KINDS.flatMap((kind) => DEPTH_BANDS.map((band) => `${kind}, ${band}`)),
  needles: KINDS,
  'two-hop': ['forward', 'backward'],
  anchors: [''],
  patterns: ['fibonacci', 'prime', 'alternating'],
  scaling: [''],
  places: [''],
  execution: [''],
};
const FILES = [
  ...['narrativeqa', 'qasper', 'multifieldqa_en', 'multifieldqa_zh', 'hotpotqa', '2wikimqa', 'musique', 'dureader'],
  ...['gov_report', 'qmsum', 'multi_news', 'vcsum', 'trec', 'triviaqa', 'samsum', 'lsht', 'passage_count'],
  ...['passage_retrieval_en', 'passage_retrieval_zh', 'lcc', 'repobench-p', 'hotpotqa-distractor', 'govreport'],
];

const SUITES: SuiteView[] = [
  ...Object.entries(MADE).map(([name, variants]) => ({ name, version: '1', variants, isMade: true })),
  ...FILES.map((name) => ({ name, version: null, variants: [''], isMade: false })),
];

/** How long a text is where a model begins to lose what stands in its middle. */
type Memory = Record<(typeof DEPTH_BANDS)[number], number>;
const STRONG: Memory = { beginning: 24_000, early: 12_000, middle: 7_000, late: 14_000, end: 40_000 };
const WEAK: Memory = { beginning: 9_000, early: 4_000, middle: 2_400, late: 6_000, end: 20_000 };

interface Sampled {
  suites: readonly string[];
  lengths: readonly number[];
  memory: Memory;
  /** Tokens that it takes. */
  room: number;
  /** Tokens it reads a second. */
  speed: number;
}

/** As a model answers that remembers so much. */
function cellsOf({ suites, lengths, memory, room, speed }: Sampled): EvaluationCellView[] {
  return suites.flatMap((suite) =>
    (MADE[suite] ?? ['']).flatMap((variant, at) =>
      lengths.flatMap((length) => cellsOfLength(suite, variant, length, at, { memory, room, speed })),
    ),
  );
}

function cellsOfLength(
  suite: string,
  variant: string,
  length: number,
  at: number,
  { memory, room, speed }: Pick<Sampled, 'memory' | 'room' | 'speed'>,
): EvaluationCellView[] {
  const cell = { suite, variant, length };
  if (length > room) {
    const none = { answered: 0, score: 0, band: null, depth: null, firstMs: null, totalMs: null };
    return [{ ...cell, ...none, asked: 2, promptTokensPerSecond: null }];
  }
  const reads = speed / (1 + length / 60_000);
  const times = { firstMs: (1_000 * length) / reads, totalMs: (1_000 * length) / reads + 400 };
  const named = DEPTH_BANDS.find((band) => variant.endsWith(band));
  const bands = named ? [named] : suite === 'execution' || !MADE[suite] ? [null] : DEPTH_BANDS;
  return bands.map((band) => {
    const hardness = suite === 'execution' ? 2.4 : suite === 'anchors' ? 1.2 : 0.8 + 0.06 * (at % 6);
    const share = 1 / (1 + ((length * hardness) / (memory[band ?? 'middle'] ?? 1)) ** 2.2);
    const score = Math.round(2 * 20 * share) / 20;
    const depth = band && BAND_ENDS[band] - 0.05;
    return { ...cell, band, depth, asked: 2, answered: 2, score, ...times, promptTokensPerSecond: reads };
  });
}

const plan = (changes: Partial<EvaluationView['plan']>): EvaluationView['plan'] => ({
  target: { kind: 'local' },
  ...{ suites: ['needle'], lengths: [1_000, 4_000], samples: 2, seed: '5f1d8a0c9be2', ownTexts: false },
  ...changes,
});

const OF_MANY = ['needle', 'needles', 'anchors', 'execution'];
const LENGTHS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

const BIG: EvaluationDetails = {
  ...{ id: '3f8235a09c1d2b4e', createdAt: NOW - 3 * HOUR, endedAt: NOW - HOUR, state: 'done' },
  plan: plan({ suites: OF_MANY, lengths: LENGTHS }),
  ...{ model: 'qwen2.5-7b-instruct-q4_k_m', sha256: 'ab'.repeat(32), texts: 456, done: 456 },
  ...{ seconds: 6_840, secondsLeft: null, error: null, remark: null },
  cells: cellsOf({ suites: OF_MANY, lengths: LENGTHS, memory: STRONG, room: 16_384, speed: 1_450 }),
};

const SMALL: EvaluationDetails = {
  ...{ id: '81b0c2d3e4f50617', createdAt: NOW - 26 * HOUR, endedAt: NOW - 25 * HOUR, state: 'done' },
  plan: plan({ suites: ['needle', 'anchors'], lengths: LENGTHS.slice(0, 5) }),
  ...{ model: 'qwen3-4b-q4_k_m', sha256: 'cd'.repeat(32), texts: 310, done: 310 },
  ...{ seconds: 2_100, secondsLeft: null, error: null, remark: null },
  cells: cellsOf({
    ...{ suites: ['needle', 'anchors'], lengths: LENGTHS.slice(0, 5), memory: WEAK, room: 32_768, speed: 2_300 },
  }),
};

const FILES_ONLY: EvaluationDetails = {
  ...{ id: '9a0b1c2d3e4f5061', createdAt: NOW - 50 * HOUR, endedAt: NOW - 49 * HOUR, state: 'done' },
  plan: plan({ suites: ['narrativeqa', 'lcc'], lengths: [4_000, 8_000], ownTexts: true, seed: 'b' }),
  ...{ model: 'qwen3-4b-q4_k_m', sha256: 'cd'.repeat(32), texts: 8, done: 8 },
  ...{ seconds: 90, secondsLeft: null, error: null, remark: null },
  cells: cellsOf({
    suites: ['narrativeqa', 'lcc'],
    lengths: [4_000, 8_000],
    memory: STRONG,
    room: 32_768,
    speed: 2_300,
  }),
};

const FAILED: EvaluationDetails = {
  ...{ id: '0011223344556677', createdAt: NOW - 75 * HOUR, endedAt: NOW - 74 * HOUR, state: 'failed' },
  plan: plan({ target: { kind: 'mesh', model: 'smollm2-135m-instruct-q4_1' }, lengths: [1_000] }),
  ...{ model: 'smollm2-135m-instruct-q4_1', sha256: null, texts: 60, done: 12, seconds: 40, secondsLeft: null },
  remark: null,
  error: errorView(
    new QuarryError({
      code: 'NOT_RUNNING',
      message: say('node.noEngine'),
      hint: say('node.asMiner'),
    }),
  ),
  cells: [],
};

/** One that is under way: the short texts have been asked about. */
export function running(): EvaluationDetails {
  return {
    ...{ id: 'feedfacecafebeef', createdAt: NOW - 600_000, endedAt: null, state: 'running' },
    plan: plan({ lengths: LENGTHS, samples: 2 }),
    ...{ model: 'qwen2.5-7b-instruct-q4_k_m', sha256: 'ab'.repeat(32), texts: 360, done: 130 },
    ...{ seconds: 580, secondsLeft: 1_260, error: null, remark: null },
    cells: cellsOf({ suites: ['needle'], lengths: LENGTHS.slice(0, 2), memory: STRONG, room: 16_384, speed: 1_450 }),
  };
}

/** Of a model that was asked where something stands, but not for summaries, so that one part of the composite is not measured. */
const SCORES = scoresView(
  scoreLines({
    ...{ answered: 760, unanswered: 152, accuracy: 0.731, reward: 0.731, multiplier: 1, consistency: 0.94, pairs: 380 },
    measured: {
      memory: { value: 0.83, counted: 0.6889, answers: 704 },
      position: { value: 0.62, counted: 0.744, answers: 56 },
      speed: { value: 4.2, counted: 0.0042, answers: 760 },
      scaling: { value: 0.88, counted: 1, answers: 0, lengths: [1_000, 16_000] },
    },
    composite: null,
  }),
);

export function sampleEvaluation(): ScriptedEvaluation {
  return {
    ...{ suites: SUITES, all: structuredClone([BIG, SMALL, FILES_ONLY, FAILED]), started: [], done: [] },
    fit: ({ lengths }) => fitOf(lengths, 8_192),
    ...{ files: publishedFiles(), fetched: [], fetch: () => [], fetchGoesOn: false },
    scores: SCORES,
  };
}

/** As a model says that is loaded with so much room, and has memory for twice as much. */
export function fitOf(lengths: readonly number[], room: number): EvaluationFit {
  const model = 'qwen3-4b-q4_k_m';
  const problemOf = (length: number) => {
    if (length <= room) return null;
    const fits = length <= 2 * room;
    return errorView(
      new QuarryError({
        code: 'CONTEXT_TOO_LONG',
        message: fits
          ? say('evaluations.beyondSetting', { length, room })
          : say('evaluations.beyondMemory', { length, model, needs: 14.2e9, has: 9.1e9 }),
        hint: fits
          ? say('evaluations.fitsIfSet', { settings: [say('fit.withContext', { tokens: length + 64 })] })
          : say('evaluations.fitsIfSet', {
              settings: [say('fit.withContext', { tokens: length + 64 }), say('fit.withCache', { kvCache: 'q8_0' })],
            }),
      }),
    );
  };
  const problems = lengths.map((length) => ({ length, problem: problemOf(length) }));
  return { model, room, lengths: problems, tooShort: [] };
}

/** LongBench has none, HotpotQA is here, and GovReport in part. */
function publishedFiles(): EvaluationFile[] {
  const zip = 'https://huggingface.co/datasets/zai-org/LongBench/resolve/main/data.zip';
  const github = 'https://raw.githubusercontent.com/THUDM/LongBench/2e00731f/LongBench/config';
  const hotpot = 'http://curtis.ml.cmu.edu/datasets/hotpot';
  const missing = { group: 'longbench', required: true, state: 'missing' as const, bytes: null, extra: false };
  const govReport = { group: 'govreport', address: 'https://huggingface.co/datasets/ccdv/govreport-summarization' };
  return [
    ...FILES.slice(0, 21).map((suite) => ({ ...missing, file: `${suite}.jsonl`, suite, address: zip })),
    ...['dataset2prompt.json', 'dataset2maxlen.json'].map((file) => ({
      ...{ ...missing, file, suite: 'longbench', required: false, bytes: 5_437, address: `${github}/${file}` },
    })),
    {
      ...{ ...missing, file: 'hotpot_dev_distractor_v1.json', suite: 'hotpotqa-distractor', state: 'here' as const },
      ...{ group: 'hotpotqa', bytes: 46_320_117, address: `${hotpot}/hotpot_dev_distractor_v1.json` },
    },
    {
      ...{ ...missing, file: 'hotpot_train_v1.1.json', suite: 'hotpotqa-distractor', required: false, extra: true },
      ...{ group: 'hotpotqa', bytes: 566_426_227, address: `${hotpot}/hotpot_train_v1.1.json` },
    },
    { ...missing, ...govReport, file: 'govreport_test.jsonl', suite: 'govreport', state: 'begun' },
    ...['validation', 'train'].map((split) => ({
      ...missing,
      ...govReport,
      file: `govreport_${split}.jsonl`,
      suite: `govreport-${split}`,
      extra: true,
    })),
  ];
}

/** Answers to a cell's questions, as many as it says. */
export function answersOf(
  { suite, variant, length, band, depth, asked, answered, score }: EvaluationCellView,
  text: number,
): EvaluationAnswerView[] {
  return Array.from({ length: asked }, (_, question): EvaluationAnswerView => {
    const about = { text: text + question, question: 0, suite, variant, length, words: 700, depth: band && depth };
    if (answered === 0) {
      const message = say('engine.contextTooLong', { tokens: length, most: 16_384 });
      const error = errorView(new QuarryError({ code: 'CONTEXT_TOO_LONG', message }));
      const none = { promptTokens: null, cachedTokens: null, answerTokens: null, firstMs: null, totalMs: null };
      return { ...about, ...none, question: -1, words: null, answer: null, error, score: 0, at: NOW };
    }
    const worth = Math.max(0, Math.min(1, score - question));
    const answer =
      worth === 1 ? '482913' : worth > 0 ? 'The words are amber lantern gate.' : 'The text does not say that.';
    const counts = { promptTokens: length - 12, cachedTokens: 0, answerTokens: 9, firstMs: 2_800, totalMs: 3_150 };
    return { ...about, ...counts, answer, error: null, score: worth, at: NOW };
  });
}
