import type { Feedback } from '../../../../src-preload/contract/learning.ts';
import type { LearningRunDetails, LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { NOW } from '../sample-data.ts';
import type { Script, ScriptedOs } from './answers.ts';
import { versionsScript } from './learning-versions.ts';

const BRIEF: Feedback = {
  ...{ id: 12, at: NOW - 600_000, answer: 'turn-40', adapter: 'personal', kind: 'say', state: 'waiting', run: null },
  question: 'What is a mesh?',
  seen: 'A mesh is a network in which every node talks to others directly. There is no centre.',
  text: 'Be shorter: one sentence.',
};

const SHORTER: LearningRunView = {
  ...{ id: '00000000000000a3', name: 'personal', state: 'accepted', parent: 'personal-20261120-201500' },
  ...{ createdAt: NOW - 7_200_000, startedAt: NOW - 7_190_000, endedAt: NOW - 7_110_000 },
  ...{
    version: 'personal-20261127-101500',
    objective: 'distillation',
    step: 8,
    steps: 16,
    seconds: 78,
    wattHours: 0.9,
  },
  why: { text: 'The model answered again with the feedback before its eyes.' },
  feedback: [{ id: 11, kind: 'say', text: 'Be shorter: one sentence.' }],
  reasons: [{ text: '90 % of the answers are as they were wanted, of 10 % before.' }],
  error: null,
};

const SHORTER_DETAILS: LearningRunDetails = {
  ...SHORTER,
  curve: [1, 2, 3, 4, 5, 6, 7, 8].map((step) => ({
    ...{ step, loss: 1.6 / step, gradNorm: 1 / step, seconds: 6 },
    ...(step % 4 === 0 && { compliance: step / 9, capability: 0.88 }),
  })),
  before: { compliance: 0.1, capability: 0.9, entropyRatio: 1, selfRouge: 0.25, drift: 0 },
  after: { compliance: 0.9, capability: 0.88, entropyRatio: 0.93, selfRouge: 0.31, drift: 0.2 },
  shown: {
    prompt: 'What is a mesh?',
    before:
      'A mesh is a network in which every node talks to others directly. There is no centre. Messages find their way.',
    after: 'A mesh is a network in which every node talks to others directly.',
  },
};

/** The contract's `learning` out of a script. */
export function script(os: ScriptedOs['learning']): Script<'learning'> {
  return {
    status: os.status.handler(() => ({
      keeps: true,
      adapter: 'personal',
      answers: { count: 42, bytes: 310_000, oldest: NOW - 12 * 86_400_000 },
      feedback: { waiting: 2, taken: 0 },
    })),
    follow: os.follow.handler(async function* () {
      yield { state: 'waiting' as const, why: [{ text: 'It waits until nobody is being answered.' }], run: null };
    }),
    runs: os.runs.handler(() => [SHORTER]),
    run: os.run.handler(() => SHORTER_DETAILS),
    start: os.start.handler(() => undefined),
    pause: os.pause.handler(() => undefined),
    cancel: os.cancel.handler(() => undefined),
    give: os.give.handler(({ input: { answer = BRIEF.answer, kind, text = null } }) => ({
      ...BRIEF,
      answer,
      kind,
      text,
    })),
    feedback: os.feedback.handler(() => ({
      feedback: [BRIEF, { ...BRIEF, id: 11, kind: 'up', text: null, state: 'learnt', run: 'run-3' }],
      more: false,
    })),
    withdraw: os.withdraw.handler(() => ({ ...BRIEF, state: 'withdrawn' })),
    torch: os.torch.handler(() => ({
      state: 'absent' as const,
      installed: null,
      choices: [{ variant: 'cpu' as const, download: 161_000_000, disk: 444_000_000 }],
      progress: null,
    })),
    installTorch: os.installTorch.handler(async function* () {
      yield { phase: 'packages' as const, bytes: 80_000_000, of: 161_000_000 };
    }),
    cancelTorch: os.cancelTorch.handler(() => undefined),
    removeTorch: os.removeTorch.handler(() => undefined),
    ...versionsScript(os),
    forget: os.forget.handler(() => ({ forgotten: 42 })),
  };
}
