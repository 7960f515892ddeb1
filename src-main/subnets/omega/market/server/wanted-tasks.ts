import { readFile } from 'node:fs/promises';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../../../base/json-shape.ts';
import { type MarketTask, tasksSchema } from '../wire.ts';

/**
 * What the operator of a market wants recordings of: a file with a list of `id`, `title` and `description`.
 * @returns none where no file is set
 * @throws CONFIG_INVALID for one that cannot be read, is no such list, or has an id twice
 */
export async function readWantedTasks(path: string | undefined): Promise<readonly MarketTask[]> {
  if (path === undefined) return [];
  try {
    const bytes = await readFile(path);
    if (jsonExcess(bytes)) throw new Error('It has more in it than such a list needs.');
    const { tasks } = tasksSchema.parse({ tasks: JSON.parse(bytes.toString('utf8')) });
    if (new Set(tasks.map(({ id }) => id)).size < tasks.length) throw new Error('An id is there twice.');
    return tasks;
  } catch (cause) {
    const [message, hint] = [say('market.tasksUnread', { path }), say('market.tasksUnread.hint')];
    throw new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'market.tasks' }, { cause });
  }
}
