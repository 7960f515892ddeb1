import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { ownTexts } from '../../../../../../src-main/subnets/quasar/tasks/published/own-texts.ts';
import type { OpenedTasks } from '../../../../../../src-main/subnets/quasar/tasks/published/published-set.ts';
import { PUBLISHED_TASKS } from '../../../../../../src-main/subnets/quasar/tasks/published/published-tasks.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder with these files, until the test is over. */
export async function folderOf(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-context-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** Tokens of a model that does not matter: words, spaces and marks of some letters each. No text has more of them than a longer one. */
export const count = async (text: string): Promise<number> =>
  text.match(/\s?[\p{L}\p{N}]{1,6}|[^\p{L}\p{N}]/gu)?.length ?? 0;

/** A data set by its name, out of a folder. Default: our own texts. */
export function open(name: string, folder = ownTexts()): Promise<OpenedTasks> {
  const set = PUBLISHED_TASKS.get(name);
  if (!set) throw new Error(`there is no ${name}`);
  return set.open(folder);
}

/** A row of LongBench, as text. */
export const longBenchLine = (fields: object = {}): string =>
  JSON.stringify({
    ...{ input: 'Who?', context: 'It was she.', answers: ['she'], length: 5, dataset: 'narrativeqa', language: 'en' },
    ...{ all_classes: null, _id: 'a1', ...fields },
  });

/** A question of HotpotQA. */
export const hotpotRow = (fields: object = {}) => ({
  ...{ _id: 'h1', question: 'Which?', answer: 'this', type: 'bridge', level: 'hard' },
  supporting_facts: [
    ['One', 0],
    ['Two', 1],
  ],
  context: [
    ['One', ['First.', ' Second.']],
    ['Other', ['Nothing.']],
    ['Two', ['Third.', ' Fourth.']],
  ],
  ...fields,
});
