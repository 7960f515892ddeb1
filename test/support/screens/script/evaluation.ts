import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { NOW } from '../sample-data.ts';
import type { Script, ScriptedOs } from './answers.ts';

const DONE: EvaluationView = {
  ...{ id: '3f8235a09c1d2b4e', createdAt: NOW - 3_600_000, endedAt: NOW - 3_000_000, state: 'done' },
  plan: {
    target: { kind: 'local' },
    ...{ suites: ['needle'], lengths: [1_000, 4_000], samples: 1, seed: 'a', ownTexts: false },
  },
  ...{ model: 'qwen3-4b', sha256: 'ab'.repeat(32), texts: 60, done: 60, seconds: 600, secondsLeft: null, error: null },
};

/** The contract's `evaluation` out of a script: one that is done. */
export function script(os: ScriptedOs['evaluation']): Script<'evaluation'> {
  return {
    suites: os.suites.handler(() => [
      { name: 'needle', version: '1', variants: ['number, middle'], isMade: true },
      { name: 'hotpotqa-distractor', version: null, variants: [''], isMade: false },
    ]),
    fit: os.fit.handler(({ input }) => ({
      ...{ model: 'qwen3-4b', room: 8_192 },
      lengths: input.lengths.map((length) => ({ length, problem: null })),
    })),
    start: os.start.handler(() => DONE),
    resume: os.resume.handler(() => DONE),
    pause: os.pause.handler(() => DONE),
    remove: os.remove.handler(() => undefined),
    list: os.list.handler(() => [DONE]),
    watch: os.watch.handler(async function* () {
      yield { ...DONE, cells: [] };
    }),
    files: os.files.handler(() => []),
    fetch: os.fetch.handler(async function* () {}),
    answers: os.answers.handler(() => []),
  };
}
