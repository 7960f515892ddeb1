import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { Feedback } from '../../../../src-preload/contract/learning.ts';
import { NOW } from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { sharingScript } from './learning-sharing.ts';
import { versionsScript } from './learning-versions.ts';

const LOOK_MS = 20;

/** The contract's `learning` out of a script. */
export function script(os: ScriptedOs['learning'], answers: ScriptedData): Script<'learning'> {
  const told = () => answers.learning;
  const found = (id: number) => {
    const one = told().feedback.find((feedback) => feedback.id === id);
    if (!one) throw new Error(`There is no feedback ${id}.`);
    return one;
  };
  const count = (state: Feedback['state']) => told().feedback.filter((one) => one.state === state).length;
  const begun = (what: string, state: 'learning' | 'paused' | 'held') => {
    told().done.push(what);
    told().now = { ...told().now, state };
  };
  return {
    status: os.status.handler(() => ({
      ...told().status,
      feedback: { waiting: count('waiting'), taken: count('taken') },
    })),
    follow: os.follow.handler(async function* ({ signal }) {
      let last = '';
      while (!signal?.aborted) {
        const { now } = told();
        const text = JSON.stringify(now);
        if (text !== last) yield now;
        last = text;
        await sleep(LOOK_MS, undefined, { signal }).catch(ignoring('whoever watched has gone'));
      }
    }),
    runs: os.runs.handler(({ input: { before = Number.POSITIVE_INFINITY, limit } }) =>
      told()
        .runs.filter(({ createdAt }) => createdAt < before)
        .slice(0, limit),
    ),
    run: os.run.handler(({ input }) => {
      const run = told().runs.find(({ id }) => id === input.id);
      if (!run) throw new Error(`There is no run ${input.id}.`);
      return run;
    }),
    start: os.start.handler(() => begun('start', 'learning')),
    pause: os.pause.handler(() => begun('pause', 'paused')),
    cancel: os.cancel.handler(() => {
      begun('cancel', 'held');
      told().now = { ...told().now, run: null };
    }),
    give: os.give.handler(({ input: { answer = '', seen = '', kind, text = null, adapter = 'personal' } }) => {
      const given: Feedback = {
        ...{ id: Math.max(0, ...told().feedback.map(({ id }) => id)) + 1, at: NOW, answer, seen, question: '' },
        ...{ adapter, kind, text, state: 'waiting', run: null },
      };
      told().feedback.unshift(given);
      return given;
    }),
    feedback: os.feedback.handler(({ input: { state, limit, before = Number.POSITIVE_INFINITY } }) => {
      const all = told().feedback.filter((one) => one.id < before && (!state || one.state === state));
      return { feedback: all.slice(0, limit), more: all.length > limit };
    }),
    withdraw: os.withdraw.handler(({ input: { id } }) => {
      told().done.push(`withdraw ${id}`);
      return Object.assign(found(id), { state: 'withdrawn' });
    }),
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
    ...versionsScript(os, answers),
    ...sharingScript(os, answers),
    forget: os.forget.handler(() => ({ forgotten: 42 })),
  };
}
