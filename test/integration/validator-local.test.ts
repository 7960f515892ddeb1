/** @module-tag long */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '../../src-main/store/sqlite.ts';
import { ChatServer } from '../support/chat-server.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { solve } from '../support/solver.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function validator(...args: string[]) {
  const process = new QuarryProcess(['validator', ...args, '--data', folder.path]);
  return { code: await process.ended(), stdout: process.stdout, stderr: process.stderr };
}

const asked = [
  '--model',
  'tiny',
  '--samples',
  '2',
  '--max-tokens',
  '16',
  '--environment',
  'sat',
  '--environment',
  'elr',
];
const refused = (words: RegExp) => ({ code: 1, stderr: expect.stringMatching(words) });

it('asks this machine’s model, and the same seed asks the same again', async () => {
  const first = await validator('local', ...asked, '--seed', 'here', '--show');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/make this formula true/) });
  expect(first.stdout).toMatch(/sat +usual +\d of 2 .*%\s[\s\S]*elr +usual +\d of 2 /);
  expect(first.stderr).toMatch(/4 of 4: elr .*\n.*--seed here/);
  const again = JSON.parse((await validator('local', ...asked, '--seed', 'here', '--keep', '--json')).stdout);
  expect(again).toMatchObject({ seed: 'here', tallies: [{ environment: 'sat', asked: 2 }, { environment: 'elr' }] });
  expect(again.model).toBe('tiny');
  expect(first.stderr).toMatch(/^tiny is asked\./m);
});

it('says that nothing would go on asking without a node', async () => {
  expect(await validator('run', '--detach')).toMatchObject(refused(/No node is running here[\s\S]*--role validator/));
});

it('weighs what was kept, and says why', async () => {
  expect((await validator('stats')).stdout).toMatch(/elr +local\/tiny +2 .*\s+sat +local\/tiny +2 /);
  expect((await validator('weights')).stdout).toMatch(/local\/tiny .*\/2\* .* no +1\.0000/);
  const used = 'constants of 2025-11-01, layers as usual, 0 % burnt, results of 30 days';
  expect((await validator('weights')).stderr).toContain(used);
  await writeFile(join(folder.path, 'quarry.toml'), '[validator]\npreset = "home"\nburn = 0.1\n');
  const bySettings = await validator('weights', '--days', '7');
  await rm(join(folder.path, 'quarry.toml'));
  expect(bySettings.stderr).toContain('constants of home, layers as usual, 10 % burnt, results of 7 days');
  expect(bySettings.stdout).toMatch(/no +0\.9000/);
  const why = (await validator('explain', 'local/tiny')).stdout;
  expect(why).toMatch(/nobody else to be compared with\.[\s\S]*ELR: 198 more results are needed/);
  expect((await validator('explain', 'local/tiny', '--all')).stdout).toBe(why); // nobody else: there are no sets to tell of
  expect(await validator('explain', 'nobody')).toMatchObject(refused(/no results of «nobody»[\s\S]*local\/tiny/));
  expect(await validator('weights', '--preset', '1999')).toMatchObject(
    refused(/no constants of «1999»[\s\S]*2025-09-03/),
  );
});

it('poses a kept challenge again, and finds what was changed behind its signature', async () => {
  const [newest] = JSON.parse((await validator('results', '--json')).stdout);
  expect(newest).toMatchObject({ environment: 'elr', miner: 'local/tiny', success: true });
  expect(await validator('replay', String(newest.id))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/asked\n[\s\S]*<Answer>20[\s\S]*answered by local\/tiny[\s\S]*same judgement/),
  });
  const exported = (await validator('export')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(exported).toHaveLength(4);
  expect(JSON.parse(exported[0].payload)).toMatchObject({ challengeId: exported[0].challengeId, miner: 'local/tiny' });
  expect((await validator('export', '--format', 'csv')).stdout).toMatch(/^id,createdAt,[\s\S]*\r\n\d+,\d+,elr,1,/);

  expect(await validator('verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/[0-9a-f]{64} +4 +yes[\s\S]*4 results, all as they were signed/),
  });

  const db = openSqlite(join(folder.path, 'results.db'));
  db.prepare('UPDATE results SET score = 1 WHERE id = ?').run(newest.id);
  db.close();
  const forged = await validator('replay', String(newest.id));
  expect(forged).toMatchObject({ code: 1, stdout: expect.stringMatching(/not as it was signed/) });
  expect(await validator('verify')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`1 of 4 results not as signed: ${newest.id}`),
  });
  expect(await validator('replay', '99')).toMatchObject(refused(/no result with the number 99/));
});

it('says what there is to be asked, and refuses what there is not', async () => {
  expect((await validator('environments')).stdout).toMatch(
    /TASK +VERSION[\s\S]*sat .*usual, easy[\s\S]*abd[\s\S]*ded[\s\S]*elr[\s\S]*hvm[\s\S]*quasar-needle +1\.1 +4k, 1k, [\s\S]*quasar-two-hop[\s\S]*quasar-code +1 +8k-16k, .*128k\+/,
  );
  const chess = await validator('local', ...asked, '--environment', 'chess');
  expect(chess).toMatchObject(refused(/no task «chess»[\s\S]*sat, abd, ded, elr, hvm/));
  const mad = await validator('local', ...asked, '--level', 'mad');
  expect(mad).toMatchObject(refused(/has a level «mad»[\s\S]*easy/));
});

it('asks miners until there are as many answers as are wanted, and no more', async () => {
  const miner = await new ChatServer('quick', solve).open();
  await validator('miner', 'add', 'quick', '--url', miner.url);
  const ran = await validator('run', '--answers', '7', '--json');
  await validator('miner', 'remove', 'quick');
  await miner.close();
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ answered: 7, failed: 0, inFlight: 0 });
  expect(miner.asked).toHaveLength(7);
  const kept = JSON.parse((await validator('results', '--json')).stdout) as { miner: string }[];
  expect(kept.filter(({ miner: of }) => of === 'endpoint/quick')).toHaveLength(7);
});

it('asks about long texts what is named of it, and poses that again byte for byte', async () => {
  const named = ['--environment', 'quasar-needles', '--level', '1k', '--samples', '1', '--model', 'tiny'];
  const long = await validator('local', ...named, '--max-tokens', '8', '--seed', 'long', '--show', '--keep');
  expect(long).toMatchObject({ code: 0, stdout: expect.stringMatching(/quasar-needles +1k +[\d.]+ of 1 /) });
  const [kept] = JSON.parse((await validator('results', '--json')).stdout);
  expect(kept).toMatchObject({ environment: 'quasar-needles', version: '1.1', success: true });
  const again = JSON.parse((await validator('replay', String(kept.id), '--json')).stdout);
  expect(again).toMatchObject({ verdict: 'same', firstByteMs: expect.any(Number), accuracy: kept.score });
  expect(long.stdout).toContain(again.prompt);
  expect((await validator('replay', String(kept.id))).stdout).toMatch(/first byte after .*, last after /);
});
