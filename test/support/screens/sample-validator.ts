import { weights } from '../../../src-main/app/validator/weigh-view.ts';
import type { MinerMean } from '../../../src-main/store/results/score-tally.ts';
import type { SubnetPlace } from '../../../src-main/validation/scoring/weigh-results.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { EnvironmentView, WeighRequest, WeightsView } from '../../../src-preload/contract/validator.ts';
import type {
  ExportedResult,
  OpenedResult,
  ReplayView,
  ResultView,
} from '../../../src-preload/contract/validator-results.ts';
import type {
  AskedMiner,
  EndpointView,
  MinerHotkeyView,
  RunStateView,
} from '../../../src-preload/contract/validator-run.ts';
import { NOW } from './sample-data.ts';

const DAY_MS = 86_400_000;
const TASKS = ['abd', 'ded', 'elr', 'hvm', 'sat'] as const;

/** A miner of the sample: what it is called, its model, and of each task how many of how many answers were right. */
interface SampleMiner {
  miner: string;
  kind: AskedMiner['kind'] | 'local';
  model: string;
  uid: number | null;
  count: number;
  percent: readonly [abd: number, ded: number, elr: number, hvm: number, sat: number];
}

const KEYS = ['a41c', '7d93', 'e02f', '19bb', 'c87e'].map(
  (begin, at) => `${begin}${'0123456789abcdef'.repeat(4).slice(0, 56)}${['7e02', 'c1b8', '55a9', 'd4f0', '0a36'][at]}`,
);
const HOTKEY = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

/** Which stand for miners at addresses and on the mesh. */
const HOTKEYS = [
  '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy',
];

const MINERS: readonly SampleMiner[] = [
  {
    miner: KEYS[0] ?? '',
    kind: 'mesh',
    model: 'qwen3-14b-sat-r3',
    uid: null,
    count: 368,
    percent: [57, 66, 71, 74, 91],
  },
  { miner: KEYS[1] ?? '', kind: 'mesh', model: 'affine-8b-v12', uid: null, count: 421, percent: [57, 55, 70, 75, 84] },
  {
    miner: 'endpoint/coder-7b',
    kind: 'endpoint',
    model: 'coder-7b-grpo',
    uid: null,
    count: 264,
    percent: [49, 79, 48, 52, 61],
  },
  { miner: HOTKEY, kind: 'axon', model: '', uid: 117, count: 458, percent: [52, 54, 66, 71, 86] },
  { miner: KEYS[3] ?? '', kind: 'mesh', model: 'affine-8b-v11', uid: null, count: 192, percent: [40, 41, 52, 69, 58] },
  {
    miner: 'endpoint/llama-base',
    kind: 'endpoint',
    model: 'llama-8b-base',
    uid: null,
    count: 309,
    percent: [37, 44, 40, 33, 49],
  },
  {
    miner: 'local/qwen3-4b-q4_k_m',
    kind: 'local',
    model: 'qwen3-4b-q4_k_m',
    uid: null,
    count: 42,
    percent: [44, 50, 52, 47, 63],
  },
];

export const sampleEnvironments: EnvironmentView[] = [
  { name: 'sat', version: '1', levels: ['usual', 'easy', 'medium', 'hard'], isUsual: true },
  { name: 'hvm', version: '1', levels: ['usual', 'hard', 'classic'], isUsual: true },
  { name: 'ded', version: '1', levels: ['usual'], isUsual: true },
  { name: 'abd', version: '1', levels: ['usual'], isUsual: true },
  { name: 'elr', version: '1', levels: ['usual'], isUsual: true },
];

export const sampleMeans: readonly MinerMean[] = MINERS.flatMap(({ miner, count, percent }, place) =>
  TASKS.map((environment, at): MinerMean => {
    const mean = (percent[at] ?? 0) / 100;
    return {
      environment,
      version: '1',
      level: 'usual',
      miner,
      count,
      mean,
      meanSquare: mean,
      zeros: 0,
      negatives: 0,
      block: null,
      since: NOW - (9 - place) * DAY_MS,
    };
  }),
);

/** By the real rules, out of the sample. */
export function sampleWeights(
  { means, endpoints, hotkeys, standings }: SampleValidator,
  request: WeighRequest,
): Promise<WeightsView> {
  const standingOf = (miner: string) => standings[miner];
  const named = [...hotkeysOf(endpoints), ...hotkeys];
  return weights({ means: async () => [...means] }, request, { signers: [], standingOf, hotkeys: named });
}

/** Which stand for miners at addresses of their own. */
export const hotkeysOf = (endpoints: readonly EndpointView[]): MinerHotkeyView[] =>
  endpoints.flatMap(({ name, hotkey }) => (hotkey ? [{ miner: `endpoint/${name}`, hotkey }] : []));

const lost = say('validation.axon.failed', { status: 503, message: 'overloaded' });

export const sampleRun: RunStateView = {
  status: 'running',
  since: NOW - 7_260_000,
  environments: [...TASKS],
  inFlight: 12,
  answered: 1_248,
  failed: 36,
  notReached: 7,
  takenOver: 0,
  atBound: 0,
  miners: MINERS.filter(({ kind }) => kind !== 'local').map(({ miner, kind, model, uid, count, percent }, place) => ({
    ...{ miner, kind: kind as AskedMiner['kind'], model, uid, inFlight: place < 5 ? 2 : 0 },
    answered: count,
    score: (count * percent.reduce((sum, one) => sum + one, 0)) / 500,
    failed: place === 3 ? 31 : 1,
    notReached: place === 3 ? 7 : 0,
    heardAt: NOW - 4_000 * (place + 1),
    fault: place === 3 ? told({ text: lost }) : null,
  })),
  minerCount: 6,
  fault: null,
  weights: {
    ...{ way: 'wallet', netuid: 64, by: 'main/default', hotkey: HOTKEY, setAt: NOW - 720_000, nextAt: NOW + 3_600_000 },
    ...{ isSetting: false, onSubnet: 1, checked: 1_248, forged: 0, fault: null },
  },
};

export const sampleEndpoints: EndpointView[] = [
  {
    name: 'coder-7b',
    url: 'https://gpu.example.org/v1',
    model: 'coder-7b-grpo',
    hasKey: true,
    hotkey: HOTKEYS[0] ?? null,
  },
  { name: 'llama-base', url: 'http://127.0.0.1:11434/v1', model: '', hasKey: false, hotkey: null },
];

/** The newest first. */
export function sampleResults(count: number): ResultView[] {
  return Array.from({ length: count }, (_, place) => {
    const id = count - place;
    const { miner, model, percent } = MINERS[(id * 5) % MINERS.length] ?? (MINERS[0] as SampleMiner);
    const task = (id * 3) % TASKS.length;
    const success = id % 29 !== 0;
    const isRight = (id * 37) % 100 < (percent[task] ?? 0);
    const about = { environment: TASKS[task] ?? 'sat', version: '1', miner, model };
    return {
      id,
      at: NOW - place * 5_600,
      ...about,
      score: success && isRight ? 1 : 0,
      success,
      ms: success ? 900 + ((id * 911) % 9_000) : 0,
    };
  });
}

const PROMPT = `Find a satisfying assignment for the following formula over 15 boolean variables x1 to x15.

Formula: (x3 ∨ ¬x7 ∨ x12) ∧ (¬x1 ∨ x5 ∨ ¬x9) ∧ (x2 ∨ x8 ∨ ¬x14) ∧ (¬x3 ∨ x6 ∨ x11) ∧ (x4 ∨ ¬x10 ∨ x15)${' ∧ (x1 ∨ ¬x6 ∨ x13) ∧ (¬x2 ∨ x9 ∨ ¬x15)'.repeat(29)}

Give a value to every variable, as a list: x1=True, x2=False, …`;
const ANSWER =
  'x1=True, x2=False, x3=True, x4=True, x5=True, x6=True, x7=False, x8=True, x9=True, x10=False, x11=True, x12=False, x13=True, x14=False, x15=False';

/** One of them with its texts. */
export function openedSample(result: ResultView): OpenedResult {
  const { id, environment, version, miner, model, score, success, ms, at } = result;
  const exported: ExportedResult = {
    ...{ id, environment, miner, model, score, success, environmentVersion: version, latencyMs: ms, createdAt: at },
    ...{ challengeId: 'c4'.repeat(32), revision: '', signer: 'f0'.repeat(32), signature: 'e1'.repeat(64) },
    ...{ payloadSha256: 'd2'.repeat(32), payload: '{}', level: 'usual', seed: 'b3'.repeat(32), uid: null, block: null },
    ...{ attempts: success ? 1 : 2, error: success ? null : 'No answer came within 180 s.' },
  };
  const text =
    score === 1
      ? say('affine.sat.solved', { clauses: 63 })
      : say('affine.sat.failing', { failing: 4, clauses: 63, given: 15, variables: 15 });
  return {
    result: exported,
    standing: 'genuine',
    prompt: PROMPT,
    answer: success ? ANSWER : null,
    answerLength: null,
    firstByteMs: success ? Math.round(result.ms * 0.3) : null,
    accuracy: null,
    reason: success ? told({ text }) : null,
  };
}

export function replayedSample(result: ResultView): ReplayView {
  const { result: _, standing: __, ...opened } = openedSample(result);
  const text = say('validation.replay.same');
  return { result, verdict: 'same', ...told({ text }), ...opened };
}

/** What a validator has that the screens look at. */
export interface SampleValidator {
  means: readonly MinerMean[];
  run: RunStateView;
  endpoints: EndpointView[];
  /** Which stand for workers of the mesh. */
  hotkeys: MinerHotkeyView[];
  /** What the chain says of miners. */
  standings: Record<string, SubnetPlace>;
  /** The newest first. */
  results: ResultView[];
  opened: (result: ResultView) => OpenedResult;
  replayed: (result: ResultView) => ReplayView;
  /** Milliseconds for an answer of this computer’s own model. */
  practiceMs: number;
}

export const sampleValidator = (): SampleValidator => ({
  means: sampleMeans,
  run: sampleRun,
  endpoints: sampleEndpoints,
  hotkeys: [{ miner: KEYS[0] ?? '', hotkey: HOTKEYS[1] ?? '' }],
  standings: {},
  results: sampleResults(1_284),
  opened: openedSample,
  replayed: replayedSample,
  practiceMs: 40,
});

/** Nobody was asked yet. */
export const newValidator = (): SampleValidator => ({
  ...sampleValidator(),
  means: [],
  run: {
    ...sampleRun,
    status: 'stopped',
    since: null,
    inFlight: 0,
    answered: 0,
    failed: 0,
    notReached: 0,
    miners: [],
    minerCount: 0,
  },
  endpoints: [],
  hotkeys: [],
  results: [],
});
