import { expect, it } from 'vitest';
import { stepsFor, wantedFiles } from '../../../../../src-main/app/evaluation/files/fetch-plan.ts';
import { LONGBENCH_NAMES } from '../../../../../src-main/subnets/quasar/tasks/published/longbench-sets.ts';
import { PUBLISHED_FILES } from '../../../../../src-main/subnets/quasar/tasks/published/published-files.ts';

const names = (suites: string[], all = false) => wantedFiles(PUBLISHED_FILES, { suites, all }).map(({ file }) => file);
const PROMPTS = ['dataset2prompt.json', 'dataset2maxlen.json'];

it('wants of a suite its files and those of its group, and of a group all', () => {
  expect(names(['qasper'])).toEqual(['qasper.jsonl', ...PROMPTS]);
  expect(names(['hotpotqa'])).toEqual(['hotpotqa.jsonl', ...PROMPTS]);
  expect(names(['longbench'])).toEqual([...LONGBENCH_NAMES.map((name) => `${name}.jsonl`), ...PROMPTS]);
});

it('wants what few want only where it is asked for', () => {
  expect(names(['govreport'])).toEqual(['govreport_test.jsonl']);
  expect(names(['govreport-train'])).toEqual(['govreport_train.jsonl']);
  expect(names(['hotpotqa-distractor'])).toEqual(['hotpot_dev_distractor_v1.json']);
  expect(names(['hotpotqa-distractor'], true)).toEqual(['hotpot_dev_distractor_v1.json', 'hotpot_train_v1.1.json']);
  expect(names([])).toHaveLength(LONGBENCH_NAMES.length + PROMPTS.length + 2);
});

it('fetches a zip once, from the hub or its mirror', () => {
  const wanted = wantedFiles(PUBLISHED_FILES, { suites: ['qasper', 'narrativeqa', 'govreport'], all: false });
  const steps = stepsFor(wanted, PUBLISHED_FILES, 'https://mirror.example/hf/');
  expect(steps.map(({ kind }) => kind)).toEqual(['zip', 'file', 'file', 'rows']);
  expect(steps[0]).toMatchObject({
    name: 'LongBench-data.zip',
    address: 'https://mirror.example/hf/datasets/zai-org/LongBench/resolve/main/data.zip',
  });
  expect(steps[0]?.kind === 'zip' && steps[0].members.get('data/lcc.jsonl')).toBe('lcc.jsonl');
});
