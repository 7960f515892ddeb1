import type { Feedback } from '../../../../src-preload/contract/learning.ts';
import { NOW } from '../sample-data.ts';
import type { Script, ScriptedOs } from './answers.ts';
import { versionsScript } from './learning-versions.ts';

const BRIEF: Feedback = {
  ...{ id: 12, at: NOW - 600_000, answer: 'turn-40', adapter: 'personal', kind: 'say', state: 'waiting', run: null },
  question: 'What is a mesh?',
  seen: 'A mesh is a network in which every node talks to others directly. There is no centre.',
  text: 'Be shorter: one sentence.',
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
    ...versionsScript(os),
    forget: os.forget.handler(() => ({ forgotten: 42 })),
  };
}
