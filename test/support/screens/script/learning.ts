import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { type Feedback, isTeaching } from '../../../../src-preload/contract/learning.ts';
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
      feedback: { waiting: count('waiting'), taken: count('taken'), aside: count('aside') },
      byAdapter: [],
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
    start: os.start.handler(() => {
      for (const one of told().feedback) if (one.state === 'aside') one.state = 'waiting';
      begun('start', 'learning');
    }),
    pause: os.pause.handler(() => begun('pause', 'paused')),
    cancel: os.cancel.handler(() => {
      begun('cancel', 'held');
      told().now = { ...told().now, run: null };
    }),
    give: os.give.handler(({ input: { answer = '', seen = '', kind, text = null, adapter = 'personal' } }) => {
      const given: Feedback = {
        ...{ id: Math.max(0, ...told().feedback.map(({ id }) => id)) + 1, at: NOW, answer, seen, question: '' },
        ...{ adapter, kind, text, state: isTeaching(kind) ? 'waiting' : 'noted', run: null, failure: null },
      };
      told().feedback.unshift(given);
      return given;
    }),
    answers: os.answers.handler(() => ({ answers: [], more: false })),
    feedback: os.feedback.handler(({ input: { state, limit, answers, before = Number.POSITIVE_INFINITY } }) => {
      const ofThese = told().feedback.filter(({ answer }) => !answers || answers.includes(answer));
      const all = ofThese.filter((one) => one.id < before && (!state || one.state === state));
      return { feedback: all.slice(0, limit), more: all.length > limit };
    }),
    withdraw: os.withdraw.handler(({ input: { id } }) => {
      told().done.push(`withdraw ${id}`);
      return Object.assign(found(id), { state: 'withdrawn' });
    }),
    retry: os.retry.handler(({ input: { ids } }) => {
      told().done.push(`retry ${ids.join(' ')}`);
      const again = ids.map((id) => Object.assign(found(id), { state: 'waiting' }));
      const stateOf = (id: number) => told().feedback.find((one) => one.id === id)?.state;
      told().runs = told().runs.map((run) => ({
        ...run,
        feedback: run.feedback.map((said) => ({ ...said, state: stateOf(said.id) ?? said.state })),
      }));
      return again;
    }),
    outlook: os.outlook.handler(({ input }) => ({ steps: 16, offers: told().offers[input.trainer] })),
    torch: os.torch.handler(() => told().torch),
    installTorch: os.installTorch.handler(async function* ({ input: { variant }, signal }) {
      told().done.push(`install ${variant}`);
      told().torch = { ...told().torch, state: 'installing' };
      while (!signal?.aborted && told().torch.state === 'installing') {
        const progress = { phase: 'packages' as const, bytes: 120_000_000, of: 281_750_000 };
        told().torch = { ...told().torch, progress };
        yield progress;
        await sleep(LOOK_MS, undefined, { signal }).catch(ignoring('whoever watched has gone'));
      }
    }),
    cancelTorch: os.cancelTorch.handler(() => {
      told().done.push('cancel torch');
      told().torch = { ...told().torch, state: 'absent', progress: null };
    }),
    removeTorch: os.removeTorch.handler(() => {
      told().done.push('remove torch');
      told().torch = { ...told().torch, state: 'absent', installed: null };
    }),
    ...versionsScript(os, answers),
    ...sharingScript(os, answers),
    forget: os.forget.handler(() => ({ forgotten: 42 })),
  };
}
