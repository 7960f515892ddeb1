import { join } from 'node:path';
import type { ContextTask } from '../context-task.ts';
import { cutMiddle, joined } from './cut-text.ts';
import { type LongBenchRow, longBenchRows } from './longbench-rows.ts';
import { LONGBENCH_NAMES, LONGBENCH_SETS, type LongBenchName, type LongBenchSet } from './longbench-sets.ts';
import { framed, OWN_TEMPLATES } from './longbench-templates.ts';
import { officialPrompts } from './official-prompts.ts';
import { indexPublished } from './published-files.ts';
import { drawnRow, opened, type PublishedTasks, type WantedTask } from './published-set.ts';

/** Raised whenever the same row would be asked otherwise. */
const VERSION = '1';

/** The data sets of LongBench. Their rows are as long as they are: what is wanted shorter is cut in its middle, and nothing is made longer. */
export const LONGBENCH_TASKS: readonly PublishedTasks[] = LONGBENCH_NAMES.map((name) => ({
  name,
  group: 'longbench',
  variants: [''],
  files: [`${name}.jsonl`],
  open: async (folder, signal) => {
    const path = join(folder, `${name}.jsonl`);
    const rows = await indexPublished(path, longBenchRows(name), signal);
    const prompts = await officialPrompts(folder);
    const official = prompts.templates.get(name);
    const set: LongBenchSet = LONGBENCH_SETS[name];
    const as: Asking = {
      ...{ name, set, template: official ?? OWN_TEMPLATES[name] },
      answerTokens: prompts.answerTokens.get(name) ?? set.answerTokens,
    };
    const version = `${VERSION}${prompts.digest && `.${prompts.digest}`}`;
    return opened(rows, { version, templates: official ? 'official' : 'own' }, async (random, wanted, source) => {
      const { row, id } = await drawnRow(rows, random, wanted.item);
      return { ...(await taskOf(row, as, wanted)), source: source(id) };
    });
  },
}));

/** How the rows of a data set are asked about. */
interface Asking {
  name: LongBenchName;
  set: LongBenchSet;
  template: string;
  answerTokens: number;
}

async function taskOf(
  row: LongBenchRow,
  { name, set, template, answerTokens }: Asking,
  { tokens, count }: Pick<WantedTask, 'tokens' | 'count'>,
): Promise<ContextTask> {
  const asked = await cutMiddle(framed(template, row), tokens, count);
  return {
    ...{ dataset: name, variant: '', context: asked.context, prompt: joined(asked) },
    ...{ expected: row.answers, metric: set.metric, answerTokens },
    ...(set.metric === 'classification' && { classes: row.all_classes ?? [] }),
    ...(set.firstLine && { firstLine: true }),
  };
}
