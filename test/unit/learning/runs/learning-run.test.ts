import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Asked } from '../../../../src-main/learning/asked.ts';
import { LearningRun, type LearnPorts } from '../../../../src-main/learning/runs/learning-run.ts';
import type { Examiner } from '../../../../src-main/learning/runs/looks.ts';
import { RunFiles } from '../../../../src-main/learning/runs/run-files.ts';
import { DEFAULT_RUN, type RunSettings } from '../../../../src-main/learning/runs/run-settings.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ScriptedAsked } from '../../../support/learning/scripted-asked.ts';
import { ScriptedTrainer } from '../../../support/learning/scripted-trainer.ts';
import { until } from '../../../support/until.ts';

/** Compliance, of so many steps that were done: none before. */
const measuresSchema = z.object({ compliance: z.number(), how: z.string() });
type Measures = z.infer<typeof measuresSchema>;

let folder: string;
let row: RunRow;
let figures: Record<number, object>;
let trainers: ScriptedTrainer[];
let weakened: [string, number][];
let taken: { folder: string; metrics: Measures; endedAt: number }[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-run-'));
  figures = {};
  trainers = [];
  taken = [];
  weakened = [];
  row = begun({});
  return () => rm(folder, { recursive: true });
});

function begun(settings: Partial<RunSettings>): RunRow {
  return {
    id: 'r1',
    name: 'personal',
    state: 'queued',
    created_at: 1,
    started_at: null,
    ended_at: null,
    parent: null,
    version: null,
    objective: null,
    why: null,
    settings: JSON.stringify({ ...DEFAULT_RUN, prompts: 5, keep: 1, ...settings }),
    step: 0,
    verdict: null,
    error: null,
    seconds: 0,
    watt_hours: null,
  };
}

const store: LearnPorts<Measures>['store'] = {
  set: async (_, change) => void Object.assign(row, change),
  addStep: async (_, step, told) => {
    figures[step] = { ...figures[step], ...told };
  },
  end: async (_, state, change) => Boolean(Object.assign(row, { state }, change)),
};

/** Complies from a step on: one in quick looks, another in full ones. */
function examiner(from: { quick: number; full: number }): Examiner<Measures> {
  return {
    quickOf: (full) => ({ ...full, how: 'quick' }),
    shown: (measures) => measures,
    schema: measuresSchema,
    async examine(adapter, how) {
      const step = adapter?.includes('step-') ? Number(basename(dirname(adapter)).slice('step-'.length)) : 0;
      return { compliance: step >= from[how] ? 1 : 0, how };
    },
    judge: (before, after, how) => {
      expect([before.how, after.how]).toEqual([how, how]);
      const accepted = after.compliance > before.compliance;
      return {
        accepted,
        gained: accepted,
        share: after.compliance,
        reasons: accepted ? [] : [say('learning.why.distillation')],
      };
    },
  };
}

async function learn(change: Partial<LearnPorts<Measures>> = {}): Promise<void> {
  const messages = (content: string) => [{ role: 'user' as const, content }];
  const ports: LearnPorts<Measures> = {
    store,
    files: new RunFiles(join(folder, row.id)),
    asked: new ScriptedAsked((last) => `Ok ${last.length}`),
    createTrainer: async () => trainers[trainers.push(new ScriptedTrainer()) - 1] as ScriptedTrainer,
    examiner: examiner({ quick: 8, full: 8 }),
    lesson: {
      prompts: ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((content) => ({ messages: messages(content) })),
      hints: [{ kind: 'say', text: 'Be shorter.' }],
      anchors: [],
      saysNew: false,
      complies: async () => true,
    },
    modelPath: '/model.gguf',
    weaken: async (from, to, strength) => {
      weakened.push([basename(from), strength]);
      await cp(from, to, { recursive: true });
    },
    parent: undefined,
    accept: async (from, what) => {
      expect(existsSync(join(from, 'adapter.gguf'))).toBe(true);
      taken.push({ folder: from, ...what });
      Object.assign(row, { state: 'accepted', version: 'personal-1', ended_at: what.endedAt });
    },
    rest: async (signal) => signal.throwIfAborted(),
    signal: new AbortController().signal,
    now: () => 5_000,
    ...change,
  };
  await new LearningRun(row, ports).work();
}

it('learns until it is better, looks after every few steps, and takes what it found', async () => {
  await learn();
  expect(row).toMatchObject({ state: 'accepted', version: 'personal-1', objective: 'distillation', step: 8 });
  expect(taken).toMatchObject([{ metrics: { compliance: 1, how: 'full' }, endedAt: 5_000 }]);
  expect(basename(taken[0]?.folder ?? '')).toBe('step-8');
  expect(trainers[0]?.opened).toMatchObject({ modelPath: '/model.gguf', from: undefined });
  expect(trainers[0]?.opened?.settings).toMatchObject({ objective: 'distillation', learningRate: 5e-4, rank: 8 });
  expect(trainers[0]?.steps.slice(0, 8).map((samples) => samples.length)).toEqual(Array(8).fill(2));
  expect(trainers[0]?.rates.slice(0, 3)).toEqual([1, 15 / 16, 14 / 16]);
  expect(trainers[0]?.closed).toBe(true);
  expect(figures[4]).toMatchObject({ computes: say('training.byProcessor') });
  expect(figures[4]).toMatchObject({ loss: 0.25, quick: { compliance: 0 } });
  expect(figures[8]).toMatchObject({ quick: { compliance: 1 }, full: { compliance: 1 } });
  expect(JSON.parse(row.verdict ?? '')).toMatchObject({
    accepted: true,
    before: { compliance: 0, how: 'full' },
    after: { compliance: 1, how: 'full' },
    shown: { prompt: 'a', before: 'Ok 1', after: 'Ok 1' },
  });
  expect(existsSync(join(folder, 'r1'))).toBe(false);
});

it('goes on where a quick look was taken in, and rolls back at the end', async () => {
  row = begun({ steps: 10 });
  await learn({ examiner: examiner({ quick: 4, full: 99 }) });
  expect(row).toMatchObject({ state: 'rolled-back', version: null, step: 10 });
  expect(trainers[0]?.steps).toHaveLength(10);
  expect(JSON.parse(row.verdict ?? '')).toMatchObject({
    accepted: false,
    reasons: [{ key: 'learning.why.distillation' }],
  });
  expect([taken, existsSync(join(folder, 'r1'))]).toEqual([[], false]);
});

it('says so where the model cannot do it even when it is told', async () => {
  await learn({ asked: new ScriptedAsked(() => undefined) });
  expect(row.state).toBe('rolled-back');
  expect(JSON.parse(row.verdict ?? '').reasons).toEqual([
    { key: 'learning.cannot', params: { tried: 20, complied: 0, kept: 0 } },
  ]);
  expect(trainers).toEqual([]);
});

const noRoomFor = (tooLong: (last: string) => boolean) =>
  new ScriptedAsked((last) => {
    if (tooLong(last)) throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'There is no room.' });
    return 'Ok';
  });

it('fails at once where most of what it would learn from is too long, and says so', async () => {
  await expect(learn({ asked: noRoomFor(() => true) })).rejects.toMatchObject({
    code: 'CONTEXT_TOO_LONG',
    message: 'Of 5 questions to learn from, 5 are too long, with the feedback or with their answers.',
    hint: expect.stringContaining('512 tokens'),
  });
  expect([trainers, row.ended_at]).toEqual([[], null]);
});

it('learns from what is not too long, also where what would be shown is', async () => {
  await learn({ asked: noRoomFor((last) => last.startsWith('a')) });
  expect([row.state, JSON.parse(row.verdict ?? '').shown]).toEqual(['accepted', undefined]);
});

it('goes on after it was stopped: nothing is sampled twice, and no step that was saved is done again', async () => {
  const stop = new AbortController();
  const stopping = new ScriptedTrainer();
  stopping.onStep = (step) => step === 5 && stop.abort(new Error('stopped'));
  const asked = new ScriptedAsked((last) => `Ok ${last.length}`);
  await expect(learn({ createTrainer: async () => stopping, signal: stop.signal, asked })).rejects.toThrow('stopped');
  expect(row).toMatchObject({ state: 'training', step: 4, ended_at: null });
  expect(stopping.closed).toBe(true);
  const before = asked.asked.length;
  await learn({ asked });
  expect(row).toMatchObject({ state: 'accepted', step: 8 });
  expect(basename(trainers[0]?.opened?.from ?? '')).toBe('step-4');
  expect(trainers[0]?.steps.length).toBeGreaterThanOrEqual(4);
  expect(asked.asked.length - before).toBe(2); // what is shown, before and after
  expect(trainers[0]?.steps[0]).toEqual(stopping.steps[4]);
});

it('is stopped at once while it saves, however long that takes', async () => {
  const stop = new AbortController();
  const hanging = new ScriptedTrainer();
  hanging.save = (_, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      stop.abort(new Error('forgotten'));
    });
  await expect(learn({ createTrainer: async () => hanging, signal: stop.signal })).rejects.toThrow('forgotten');
  expect([hanging.steps.length, hanging.closed]).toEqual([4, true]);
  await learn();
  expect(row).toMatchObject({ state: 'accepted', step: 8 });
});

it('looks first where it was killed between saving and looking, and opens no trainer where all steps are done', async () => {
  row = begun({ steps: 8 });
  await expect(learn({ accept: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
  expect(row.state).toBe('evaluating');
  await learn();
  expect(trainers).toHaveLength(1);
  expect([row.state, taken.length]).toEqual(['accepted', 1]);
});

it('learns by the settings it was begun with: the teacher’s tokens that it looks at, the word of the model as it was', async () => {
  row = begun({ teacherTop: 20, klWeight: 0.1 });
  const asked = new ScriptedAsked((last) => `Ok ${last.length}`);
  const tops: (number | undefined)[] = [];
  const score: Asked['score'] = (messages, continuation, options) => {
    tops.push(options?.topK);
    return ScriptedAsked.prototype.score.call(asked, messages, continuation, options);
  };
  await learn({ asked: Object.assign(asked, { score }) });
  expect(new Set(tops)).toEqual(new Set([20, undefined]));
  expect(trainers[0]?.steps.flat().every(({ base, response }) => base?.length === response.length)).toBe(true);
});

it('does the next steps while it looks, and no more where that was enough', async () => {
  const looking = Promise.withResolvers<void>();
  const { examine, ...others } = examiner({ quick: 4, full: 4 });
  const waiting: Examiner<Measures> = {
    ...others,
    async examine(adapter, how, look) {
      if (adapter?.includes('step-4')) await looking.promise;
      return await examine(adapter, how, look);
    },
  };
  const learning = learn({ examiner: waiting });
  await until(() => expect(existsSync(join(folder, 'r1', 'step-8'))).toBe(true));
  await new Promise(setImmediate);
  expect(trainers[0]?.steps).toHaveLength(8);
  looking.resolve();
  await learning;
  expect(row).toMatchObject({ state: 'accepted', step: 4 });
  expect([basename(taken[0]?.folder ?? ''), trainers[0]?.steps.length]).toEqual(['step-4', 8]);
});

it('tells how far it is with the questions that it asks, and when it asks none', async () => {
  const { examine, ...others } = examiner({ quick: 4, full: 4 });
  const told: unknown[] = [];
  await learn({
    onProgress: (progress) => told.push(progress && `${progress.doing} ${progress.done}/${progress.of}`),
    examiner: {
      ...others,
      async examine(adapter, how, look) {
        look.onAnswer?.(1, 2);
        return await examine(adapter, how, look);
      },
    },
  });
  const sampling = [1, 2, 3, 4, 5].map((done) => `sampling ${done}/5`);
  const looking = ['looking 1/2', null];
  expect(told).toEqual([...sampling, null, ...looking, ...looking, ...looking]); // before, and after step 4 quickly and in full
});

it('keeps with the run what is shown of its looks, and nothing else of them', async () => {
  row = begun({ steps: 4 });
  const shown = ({ compliance }: Measures) => ({ compliance });
  await learn({ examiner: { ...examiner({ quick: 4, full: 4 }), shown } });
  const { before, after } = JSON.parse(row.verdict ?? '');
  expect([before, after]).toEqual([{ compliance: 0 }, { compliance: 1 }]);
  expect(figures[4]).toMatchObject({ quick: { compliance: 1 }, full: { compliance: 1 } });
  expect(JSON.stringify(figures)).not.toContain('how');
});

it('goes on where it is better and not yet good, and takes the best of what it found', async () => {
  row = begun({ steps: 12 });
  const shares: Record<number, number> = { 4: 0.4, 8: 0.7, 12: 0.5 };
  await learn({
    examiner: {
      ...examiner({ quick: 0, full: 0 }),
      async examine(adapter, how) {
        const step = Number(/step-(\d+)/.exec(adapter ?? '')?.[1] ?? 0);
        return { compliance: shares[step] ?? 0, how };
      },
      judge: (_, after) => ({ accepted: true, gained: true, share: after.compliance, reasons: [] }),
    },
  });
  expect(row).toMatchObject({ state: 'accepted', step: 8 });
  expect(taken).toMatchObject([{ metrics: { compliance: 0.7 } }]);
});

it('keeps the step that is the best so far, also where it is looked at again after a stop and found better', async () => {
  row = begun({ steps: 8 });
  const shares = [0.4, 0.5];
  const again: Examiner<Measures> = {
    ...examiner({ quick: 0, full: 0 }),
    async examine(adapter, how) {
      if (adapter?.includes('step-4') && how === 'full') return { compliance: shares.shift() ?? 0, how };
      return { compliance: adapter ? 0.1 : 0, how };
    },
    judge: (_, after) => ({ accepted: true, gained: true, share: after.compliance, reasons: [] }),
  };
  let steps = 0;
  async function rest() {
    if (++steps < 6) return;
    await until(() => expect(existsSync(join(folder, 'r1', 'best.json'))).toBe(true));
    throw new Error('stopped');
  }
  await expect(learn({ examiner: again, rest })).rejects.toThrow('stopped');
  await learn({ examiner: again });
  expect([row.state, row.step, shares]).toEqual(['accepted', 4, []]);
  expect(taken).toMatchObject([{ metrics: { compliance: 0.5 } }]);
});

/** After so many steps it complies, loses something at this strength and above, and has learnt too little below `least`. */
function losing(from: number, lost: number, least = 0): Examiner<Measures & { strength: number }> {
  return {
    quickOf: (full) => full,
    shown: (measures) => measures,
    schema: measuresSchema.extend({ strength: z.number() }),
    async examine(adapter, how) {
      const [, step, percent] = /step-(\d+)(?:-(\d+))?/.exec(adapter ?? '') ?? [];
      return { compliance: Number(step ?? 0) >= from ? 1 : 0, how, strength: Number(percent ?? 100) / 100 };
    },
    judge: (_, { compliance, strength }) => {
      const gained = compliance > 0 && strength >= least;
      return { accepted: gained && strength < lost, gained, share: compliance, reasons: [say('learning.noRun')] };
    },
  };
}

it('takes a weaker form where something else is lost at full strength, and says so', async () => {
  row = begun({ steps: 8 });
  await learn({ examiner: losing(4, 1) as unknown as Examiner<Measures> });
  expect(row).toMatchObject({ state: 'accepted', step: 4 });
  expect([weakened, basename(taken[0]?.folder ?? '')]).toEqual([[['step-4', 0.8]], 'step-4-80']);
  expect(taken).toMatchObject([{ metrics: { strength: 0.8 } }]);
  expect(figures[4]).toMatchObject({ full: { strength: 0.8 } });
  const { accepted, after, reasons, shown } = JSON.parse(row.verdict ?? '');
  expect([accepted, after.strength, shown.after]).toEqual([true, 0.8, 'Ok 1']);
  expect(reasons.at(-1)).toEqual({ key: 'learning.weaker', params: { percent: 80 } });
  expect(existsSync(join(folder, 'r1'))).toBe(false);
});

it('looks at none that is weaker than one that has learnt too little', async () => {
  row = begun({ steps: 4 });
  await learn({ examiner: losing(4, 0.5, 0.9) as unknown as Examiner<Measures> });
  expect(weakened).toEqual([['step-4', 0.8]]);
  expect(row).toMatchObject({ state: 'rolled-back', step: 4 });
  expect(JSON.parse(row.verdict ?? '')).toMatchObject({ after: { strength: 1 } });
});

it('looks at the weakest only when there are no more steps, and at none where too little was learnt', async () => {
  row = begun({ steps: 12 });
  await learn({ examiner: losing(8, 0.7) as unknown as Examiner<Measures> });
  expect(weakened).toEqual([
    ['step-8', 0.8],
    ['step-12', 0.8],
    ['step-12', 0.6],
  ]);
  expect([row.state, basename(taken[0]?.folder ?? '')]).toEqual(['accepted', 'step-12-60']);
});

it('is rolled back where the weakest loses something, too: what it says of itself is of full strength', async () => {
  row = begun({ steps: 4 });
  await learn({ examiner: losing(4, 0.5) as unknown as Examiner<Measures> });
  expect(row).toMatchObject({ state: 'rolled-back', step: 4 });
  expect(JSON.parse(row.verdict ?? '')).toMatchObject({ after: { strength: 1 }, reasons: [{ key: 'learning.noRun' }] });
  expect(figures[4]).toMatchObject({ full: { strength: 1 } });
  expect(existsSync(join(folder, 'r1'))).toBe(false);
});

it('falls back to distillation where none of the model’s own answers complies', async () => {
  row = begun({ objective: 'sdpo' });
  const lesson = (complies: (text: string) => Promise<boolean>) => ({
    prompts: ['a', 'bb', 'ccc', 'dddd'].map((content) => ({ messages: [{ role: 'user' as const, content }] })),
    hints: [],
    anchors: [],
    saysNew: true,
    complies,
  });
  const asked = new ScriptedAsked((last) => (last.includes('HINDSIGHT') ? 'Kuro' : 'Nobody'));
  await learn({ asked, lesson: lesson(async (text) => text === 'Kuro') });
  expect([row.objective, JSON.parse(row.why ?? '').key]).toEqual(['distillation', 'learning.why.noneComplies']);
  expect(trainers[0]?.opened?.settings).toMatchObject({ objective: 'distillation', learningRate: 1e-3 });
  expect(JSON.parse(row.settings).steps).toBe(24); // a name takes longer, also for who looks at how far it is
  row = begun({ objective: 'sdpo' });
  await learn({ asked, lesson: lesson(async (text) => text === 'Nobody') });
  expect([row.objective, JSON.parse(row.why ?? '').key]).toEqual(['sdpo', 'learning.why.sdpo']);
  expect(trainers[1]?.opened?.settings.objective).toBe('sdpo');
});
