import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const WORKER = 'a1'.repeat(32);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

async function miner(...args: string[]) {
  const process = new QuarryProcess(['validator', 'miner', ...args, '--data', folder.path]);
  return { code: await process.ended(), stdout: process.stdout, stderr: process.stderr };
}
const refused = (words: RegExp) => ({ code: 1, stderr: expect.stringMatching(words) });

it('hotkeys are said for miners at addresses and workers of the mesh, told with them, and taken away', async () => {
  const url = 'http://127.0.0.1:1/v1';
  await miner('add', 'first', '--url', url, '--hotkey', ALICE);
  expect(await miner('hotkey', WORKER, ALICE)).toMatchObject(refused(/stands for «endpoint\/first» already/));
  expect(await miner('hotkey', WORKER, 'nonsense')).toMatchObject(refused(/not a Bittensor address/));
  expect(await miner('hotkey', 'second', BOB)).toMatchObject(refused(/no miner «second»/));
  expect(await miner('hotkey', 'first')).toMatchObject(refused(/or --none/));
  expect(await miner('hotkey', 'first', BOB, '--none')).toMatchObject(refused(/or --none/));
  expect(await miner('hotkey', WORKER, BOB)).toMatchObject({ code: 0, stdout: `${BOB} stands for ${WORKER}.\n` });
  const { stdout } = await miner('list');
  expect(stdout).toMatch(new RegExp(`first +${url} +– +no +${ALICE}`));
  expect(stdout).toMatch(new RegExp(`${WORKER} +${BOB}`));
  await miner('hotkey', WORKER, '--none');
  await miner('remove', 'first');
  expect(JSON.parse((await miner('list', '--json')).stdout)).toEqual({ miners: [], workers: [] });
});
