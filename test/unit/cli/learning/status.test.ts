import { describe, expect, it } from 'vitest';
import { status } from '../../../../src-main/cli/learning/status.ts';
import type { LearningStatus } from '../../../../src-preload/contract/learning.ts';
import type { LearningNow, LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { commandContext } from '../../../support/command-context.ts';

const EMPTY: LearningStatus = {
  ...{ keeps: true, hindrance: null, adapter: 'personal', inUse: { version: null, belongsTo: null } },
  ...{ answers: { count: 0, bytes: 0, oldest: null }, feedback: { waiting: 0, taken: 0, aside: 0 }, byAdapter: [] },
};
const counts = (waiting: number, taken = 0) => ({ waiting, taken, aside: 0 });
const NOW: LearningNow = { state: 'waiting', why: [], run: null, progress: null };
const WAITS = { feedback: counts(1), byAdapter: [{ adapter: 'personal', ...counts(1) }] };

/** What it says. @param now of a node that runs; undefined: none does */
async function said(state: Partial<LearningStatus>, now?: LearningNow) {
  const learning = {
    status: async () => ({ ...EMPTY, ...state }),
    async *follow() {
      yield now;
    },
  };
  const { context, lines, documents } = commandContext({ learning }, now !== undefined);
  await status(context);
  return { text: lines.join('\n'), documents };
}

describe('quarry learn status', () => {
  it('says whose the feedback is', async () => {
    expect((await said(WAITS)).text).toContain('1 piece of feedback for «personal» waiting.');
    const byAdapter = [
      { adapter: 'personal', ...counts(2) },
      { adapter: 'user/work', ...counts(1, 1) },
    ];
    const { text } = await said({ feedback: counts(3, 1), byAdapter });
    expect(text).toContain(
      '3 pieces of feedback waiting (2 for «personal», 1 for «user/work»), and 1 in a run that was begun.',
    );
  });

  it('says how the running node’s learning stands, in JSON too', async () => {
    const run = { id: 'abcd', state: 'training', step: 4, steps: 16 } as LearningRunView;
    const learning = await said(WAITS, { ...NOW, state: 'learning', run });
    expect(learning.text).toContain('Learning: abcd training, step 4 of at most 16.');
    expect(learning.documents).toMatchObject([{ nodeRuns: true, now: { state: 'learning' } }]);
    expect((await said({}, { ...NOW, state: 'paused' })).text).toContain('Paused.');
    expect((await said(WAITS, { ...NOW, state: 'held' })).text).toContain('Held, after a run that failed');
    const why = [{ text: 'It waits until nobody is being answered.' }];
    expect((await said(WAITS, { ...NOW, why })).text).toContain('It waits until nobody is being answered.');
  });

  it('says where no node runs what it takes, and nothing of it where nothing waits', async () => {
    const { text, documents } = await said(WAITS);
    expect(text).toContain('No node runs here.');
    expect(documents).toMatchObject([{ nodeRuns: false, now: null }]);
    expect((await said({})).text).not.toContain('No node');
  });

  it('says why nothing is ever learnt here, and nothing else of when', async () => {
    const { text } = await said({ ...WAITS, hindrance: { text: 'It runs elsewhere.' } });
    expect(text).toMatch(/Nothing is learnt here: It runs elsewhere\.$/);
  });
});
