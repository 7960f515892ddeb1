import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownTexts } from '../../../../../../src-main/subnets/quasar/tasks/published/own-texts.ts';
import { PUBLISHED_FILES } from '../../../../../../src-main/subnets/quasar/tasks/published/published-files.ts';
import { PUBLISHED_TASKS } from '../../../../../../src-main/subnets/quasar/tasks/published/published-tasks.ts';
import { open } from './support.ts';

describe('the published files', () => {
  it('are listed, each once, and all that a data set needs is among them', () => {
    const names = PUBLISHED_FILES.map(({ file }) => file);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, files } of PUBLISHED_TASKS.values()) {
      const required = PUBLISHED_FILES.filter((one) => one.dataset === name && one.required).map(({ file }) => file);
      expect(required, name).toEqual(files);
    }
    expect(PUBLISHED_TASKS.size).toBe(21 + 1 + 3);
  });

  it('of LongBench are members of a zip', () => {
    expect(PUBLISHED_FILES.find(({ dataset }) => dataset === '2wikimqa')?.origin).toEqual({
      ...{ type: 'hub', repo: 'zai-org/LongBench', path: 'data.zip', member: 'data/2wikimqa.jsonl' },
    });
  });

  it('can all be replaced by texts of our own, which are small and all good', async () => {
    const files = (await readdir(ownTexts())).filter((file) => file !== 'README.md');
    let bytes = 0;
    for (const file of files) bytes += (await readFile(join(ownTexts(), file))).length;
    expect(bytes).toBeLessThan(300_000);
    const sets = [...PUBLISHED_TASKS.values()].filter((set) => set.files.every((file) => files.includes(file)));
    expect(sets).toHaveLength(files.length);
    for (const { name } of sets) expect(await open(name)).toMatchObject({ skipped: 0, source: { own: true } });
  });
});
