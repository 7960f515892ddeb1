import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWantedTasks } from '../../../../../src-main/subnets/omega/market/server/wanted-tasks.ts';
import { tasksSchema } from '../../../../../src-main/subnets/omega/market/wire.ts';
import { openTestMarket } from '../../../../support/market-server.ts';
import { temporaryFolder } from '../../../../support/quarry-process.ts';

const TASK = { id: 'mend-import', title: 'Mend a CSV import', description: 'With a test.' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function read(content: unknown) {
  const path = join(folder.path, 'tasks.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return await readWantedTasks(path);
}

it('a market reads its tasks from a file, and refuses one that is no list of them', async () => {
  expect(await readWantedTasks(undefined)).toEqual([]);
  expect(await read([TASK])).toEqual([TASK]);
  const bad = [
    'no JSON',
    {},
    [{ ...TASK, id: 'No id' }],
    [TASK, TASK],
    [{ ...TASK, title: '' }],
    Array(101).fill(TASK),
  ];
  for (const content of bad) await expect(read(content)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(readWantedTasks(join(folder.path, 'none'))).rejects.toMatchObject({ field: 'market.tasks' });
});

it('tells whoever asks, signed, and nobody else', async () => {
  const { ask, ann } = await openTestMarket({ tasks: [TASK] });
  const { status, body } = await ask(ann, 'GET /tasks');
  expect([status, tasksSchema.strict().parse(body)]).toEqual([200, { tasks: [TASK] }]);
  expect((await ask(ann, 'GET /tasks', undefined, { signedPath: '/market/1/stats' })).status).toBe(401);
});
