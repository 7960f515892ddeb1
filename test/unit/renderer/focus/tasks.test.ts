import { beforeEach, describe, expect, it } from 'vitest';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import {
  changeDraft,
  chooseTask,
  clearDraft,
  hasFixedWords,
  letGoOfTask,
  useDraft,
} from '../../../../src-renderer/pages/focus/record/draft.ts';
import { keyOfTask, kindsIn, tasksShown } from '../../../../src-renderer/pages/focus/tasks/shown-tasks.ts';

const PLAIN = { reason: '', field: null, multiplier: 1, validUntil: null, recorded: 0 };
const OWN: FocusTask = { ...PLAIN, kind: 'own', id: null, title: 'Sort papers', description: 'all of them' };
const SUGGESTED: FocusTask = {
  ...PLAIN,
  kind: 'suggested',
  id: 's',
  title: 'Mend a bug',
  description: '',
  reason: 'With a TEST',
};
const BOOSTED: FocusTask = {
  ...PLAIN,
  kind: 'boosted',
  id: 'b',
  title: 'Budget',
  description: 'In a table',
  multiplier: 2,
};
const ALL = [OWN, SUGGESTED, BOOSTED];

describe('tasks that are shown', () => {
  it('are of a kind, and have all words anywhere', () => {
    expect(tasksShown(ALL, undefined, '')).toEqual(ALL);
    expect(tasksShown(ALL, 'own', '')).toEqual([OWN]);
    expect(tasksShown(ALL, undefined, ' test  mend ')).toEqual([SUGGESTED]);
    expect(tasksShown(ALL, 'own', 'mend')).toEqual([]);
  });

  it('are offered by kinds that there are, the boosted first', () => {
    expect(kindsIn(ALL)).toEqual(['boosted', 'suggested', 'own']);
    expect(kindsIn([OWN])).toEqual(['own']);
    expect(new Set(ALL.map(keyOfTask)).size).toBe(3);
  });
});

describe('the draft of a recording', () => {
  beforeEach(clearDraft);
  const words = () => [useDraft.getState().title, useDraft.getState().description, useDraft.getState().task?.id];

  it('takes a task over with its words; one’s own is as if typed', () => {
    chooseTask(SUGGESTED);
    expect(words()).toEqual(['Mend a bug', '', 's']);
    chooseTask(OWN);
    expect(words()).toEqual(['Sort papers', 'all of them', undefined]);
  });

  it('keeps one’s own words when a suggestion goes, and loses those of a list', () => {
    chooseTask(SUGGESTED);
    changeDraft({ title: 'Mend my bug' });
    letGoOfTask(useDraft.getState());
    expect(words()).toEqual(['Mend my bug', '', undefined]);
    chooseTask(BOOSTED);
    expect([hasFixedWords(BOOSTED), hasFixedWords(SUGGESTED)]).toEqual([true, false]);
    letGoOfTask(useDraft.getState());
    expect(words()).toEqual(['', '', undefined]);
  });
});
