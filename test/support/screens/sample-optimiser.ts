import type {
  DiffLine,
  OptimiserAttempt,
  OptimiserDetails,
  OptimiserStart,
} from '../../../src-preload/contract/optimiser.ts';
import { type AttemptOutcome, USUAL } from '../../../src-preload/contract/optimiser-numbers.ts';
import { NOW } from './sample-data.ts';

/** What the screens are told of searches for kernels. */
export interface ScriptedOptimiser {
  /** The newest first. */
  all: OptimiserDetails[];
  started: OptimiserStart[];
  /** What was asked for, the last one last: `stop ID`. */
  done: string[];
  diff: DiffLine[];
}

const OUTCOMES: (AttemptOutcome | number)[] = [
  'noCode',
  'syntax',
  'name',
  0.94,
  'wrong',
  1.08,
  'trap',
  1.06,
  'wrong',
  1.31,
  1.22,
  'repeated',
  1.35,
  'late',
  1.33,
];

const attempt = (outcome: AttemptOutcome | number, number: number): OptimiserAttempt => {
  const speed = typeof outcome === 'number' ? { ratio: outcome, low: outcome - 0.04, high: outcome + 0.05 } : null;
  return {
    ...{ number, iteration: number + 1, repair: 0, outcome: typeof outcome === 'number' ? 'measured' : outcome, speed },
    detail: speed ? null : "Line 12, AssemblyScript 2304: Cannot find name 'decay'.\n>   12 |   acc = acc * decay;",
    ...{ temperature: 0.4, promptTokens: 2_100, answerTokens: 900, seconds: 14, at: NOW - 1_000 * (99 - number) },
  };
};

function run(id: string, of: Partial<OptimiserDetails>, outcomes = OUTCOMES): OptimiserDetails {
  const list = outcomes.map(attempt);
  const fastest = list
    .filter(({ speed }) => speed)
    .toSorted((one, two) => (two.speed?.low ?? 0) - (one.speed?.low ?? 0))[0];
  return {
    ...{ id, createdAt: NOW - 3_600_000, endedAt: null, state: 'done', endedBy: 'plateau', isOwn: false },
    plan: { target: { kind: 'address', url: 'http://127.0.0.1:8000/v1' }, ...USUAL },
    ...{ model: 'qwen3-coder-30b', iterations: list.length, attempts: list.length, modelTokens: 3_000 * list.length },
    best: fastest?.speed ? { number: fastest.number, ...fastest.speed } : null,
    error: null,
    list,
    ...of,
  };
}

const kernel = (kind: DiffLine['kind'], text: string): DiffLine => ({ kind, text });

export const sampleOptimiser = (): ScriptedOptimiser => ({
  all: [
    run('1a2b3c4d5e6f7081', { state: 'running', endedBy: null, createdAt: NOW - 600_000 }),
    run('2a2b3c4d5e6f7081', { createdAt: NOW - 7_200_000 }),
    run('3a2b3c4d5e6f7081', { state: 'stopped', endedBy: null, createdAt: NOW - 9_000_000 }, ['noCode', 'syntax']),
    run(
      '4a2b3c4d5e6f7081',
      {
        ...{ state: 'failed', endedBy: null, createdAt: NOW - 90_000_000, model: null },
        error: { code: 'ENGINE_UNAVAILABLE', message: 'The server does not answer.' },
      },
      [],
    ),
  ],
  started: [],
  done: [],
  diff: [
    kernel('gap', ''),
    kernel('same', '  for (let v = 0; v < dv; v += 4) {'),
    kernel('gone', '    let acc: f32 = 0;'),
    kernel(
      'gone',
      '    for (let k = 0; k < dk; k++) acc += load<f32>(state + ((k * dv + v) << 2)) * load<f32>(q + (k << 2));',
    ),
    kernel('new', '    let acc = f32x4.splat(0);'),
    kernel('new', '    for (let k = 0; k < dk; k++) {'),
    kernel('new', '      const row = v128.load(state + ((k * dv + v) << 2));'),
    kernel('new', '      acc = f32x4.add(acc, f32x4.mul(row, v128.load32_splat(q + (k << 2))));'),
    kernel('new', '    }'),
    kernel('same', '  }'),
  ],
});
