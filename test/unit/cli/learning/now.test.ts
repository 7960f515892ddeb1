import { afterEach, describe, expect, it } from 'vitest';
import { learnNow } from '../../../../src-main/cli/learning/now.ts';
import type { LearningNow, LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { commandContext } from '../../../support/command-context.ts';

afterEach(() => {
  process.exitCode = undefined;
});

const WAITS = { waiting: 1, taken: 0, aside: 0 };
const NONE = { waiting: 0, taken: 0, aside: 0 };
const RESTS: LearningNow = { state: 'held', why: [], run: null, progress: null };

function run(state: LearningRunView['state'], more: Partial<LearningRunView> = {}): LearningRunView {
  const ended = ['accepted', 'rolled-back', 'failed', 'cancelled'].includes(state);
  return {
    ...{ id: '0123456789abcdef', name: 'personal', state, createdAt: 1, startedAt: 1, endedAt: ended ? 2 : null },
    ...{ parent: null, version: null, objective: null, why: null, step: 0, steps: 16, seconds: 1, wattHours: null },
    ...{ feedback: [], reasons: [], error: null, ...more },
  };
}

interface Scripted {
  ended?: LearningRunView[];
  feedback?: typeof WAITS;
  hindrance?: { text: string } | null;
  isRunning?: boolean;
  follows?: LearningNow[];
}

/** Runs the command on a node in which just these runs come to be. */
async function learnt({
  ended = [],
  feedback = WAITS,
  hindrance = null,
  isRunning = false,
  follows = [RESTS],
}: Scripted) {
  let started = 0;
  const learning = {
    status: async () => ({ hindrance, feedback }),
    runs: async () => (started ? ended : []),
    start: async () => void started++,
    async *follow() {
      yield* follows;
    },
  };
  const { context, lines, documents, needs } = commandContext({ learning }, isRunning);
  await learnNow(context);
  return { text: lines.join('\n'), documents, code: process.exitCode, started, needs };
}

describe('quarry learn now', () => {
  it('ends with 0 where something was learnt', async () => {
    const { documents, code } = await learnt({ ended: [run('accepted', { version: 'personal-1' })] });
    expect([documents, code]).toMatchObject([[{ outcome: 'learnt', runs: [{ state: 'accepted' }] }], 0]);
  });

  it('says plainly that nothing was learnt where the run worked and was not better, and ends with 0', async () => {
    const { documents, code, text } = await learnt({ ended: [run('rolled-back')] });
    expect([documents, code]).toMatchObject([[{ outcome: 'not-learnt' }], 0]);
    expect(text).toContain('Not learnt: what came of it was not better');
  });

  it('ends with 1 where a run failed, with why and what to do, whatever others did', async () => {
    const error = { code: 'OUT_OF_MEMORY', message: 'Too large.', hint: 'Fewer layers.', retryable: false } as const;
    const { documents, code, text } = await learnt({ ended: [run('accepted'), run('failed', { error })] });
    expect([documents, code]).toMatchObject([[{ outcome: 'failed' }], 1]);
    expect(text).toMatch(/Failed: Too large\.\n {2}Fewer layers\./);
  });

  it('ends with 1 where it was cancelled, or paused', async () => {
    expect(await learnt({ ended: [run('cancelled')] })).toMatchObject({
      code: 1,
      documents: [{ outcome: 'cancelled' }],
    });
    const paused = { ...RESTS, state: 'paused', run: run('training') } as const;
    const { documents, code } = await learnt({ ended: [run('training')], isRunning: true, follows: [paused] });
    expect([documents, code]).toMatchObject([[{ outcome: 'unfinished' }], 1]);
  });

  it('says that nothing waits, in JSON too, and opens no engine for it', async () => {
    const { documents, text, code, needs } = await learnt({ feedback: NONE });
    expect([documents, code]).toEqual([[{ outcome: 'nothing', runs: [] }], 0]);
    expect(text).toBe('Nothing waits to be learnt.');
    expect(needs).toEqual([{}]);
  });

  it('goes on with a node that was paused, whatever waits', async () => {
    expect((await learnt({ feedback: NONE, isRunning: true })).started).toBe(1);
  });

  it('begins nothing where nothing can be learnt, and says why', async () => {
    const wanted = learnt({ hindrance: { text: 'It runs elsewhere.' } });
    await expect(wanted).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: 'It runs elsewhere.' });
  });
});
