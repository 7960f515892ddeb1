import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { MinerDesk, withKey } from '../../../../src-main/app/validator/miner-desk.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { validatorRunContract } from '../../../../src-preload/contract/validator-run.ts';
import { type Answering, ChatServer } from '../../../support/chat-server.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const WORKER = 'a1'.repeat(32);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
let desk: MinerDesk;
beforeEach(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  await results.open();
  desk = new MinerDesk(async () => results);
});
afterEach(async () => {
  await results.close();
  await folder.remove();
});

const endpoint = (name: string, more: { hotkey?: string | null } = {}) => ({
  ...{ name, url: 'http://127.0.0.1:1/v1', model: '', ...more },
});
const named = async () => (await desk.hotkeys()).map(({ miner, hotkey }) => [miner, hotkey]);

it('a miner at an address has a hotkey, keeps it with a change, and loses it on request or with its end', async () => {
  await desk.add(endpoint('a', { hotkey: ALICE }));
  await desk.add(endpoint('b'));
  await desk.add(endpoint('a'));
  expect((await desk.list()).map(({ name, hotkey }) => [name, hotkey])).toEqual([
    ['a', ALICE],
    ['b', null],
  ]);
  await desk.add(endpoint('a', { hotkey: null }));
  expect(await named()).toEqual([]);
  await desk.setHotkey({ name: 'a', hotkey: ALICE });
  await desk.setHotkey({ name: 'endpoint/a', hotkey: BOB });
  expect(await named()).toEqual([['endpoint/a', BOB]]);
  await desk.remove('a');
  await desk.add(endpoint('a'));
  expect(await named()).toEqual([]);
});

it('a worker of the mesh has one also while it is away; nobody else has', async () => {
  await desk.setHotkey({ name: WORKER, hotkey: ALICE });
  expect(await named()).toEqual([[WORKER, ALICE]]);
  await desk.setHotkey({ name: WORKER, hotkey: null });
  expect(await named()).toEqual([]);
  for (const name of ['a', 'endpoint/a', 'local/m', BOB])
    await expect(desk.setHotkey({ name, hotkey: ALICE })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'name' });
});

it.each([
  'not an address',
  `${ALICE.slice(0, -1)}Z`,
  `0x${'a1'.repeat(32)}`,
  '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', // of another network
])('%s is no hotkey, and nothing is changed', async (hotkey) => {
  const refused = { code: 'BAD_REQUEST', field: 'hotkey', message: 'This is not a Bittensor address.' };
  await expect(desk.add(endpoint('a', { hotkey }))).rejects.toMatchObject(refused);
  expect(await desk.list()).toEqual([]);
  await expect(desk.setHotkey({ name: WORKER, hotkey })).rejects.toMatchObject(refused);
});

it('one hotkey for two miners is refused, with whose it is, and nothing is changed', async () => {
  await desk.add(endpoint('a', { hotkey: ALICE }));
  const taken = { code: 'BAD_REQUEST', field: 'hotkey', message: 'This hotkey stands for «endpoint/a» already.' };
  await expect(desk.add(endpoint('b', { hotkey: ALICE }))).rejects.toMatchObject(taken);
  expect((await desk.list()).map(({ name }) => name)).toEqual(['a']);
  await expect(desk.setHotkey({ name: WORKER, hotkey: ALICE })).rejects.toMatchObject(taken);
});

const there = [{ name: 'mine', url: 'https://one.example/v1', model: '', apiKey: 'kept' }];
const changed = (url: string, apiKey?: string) =>
  withKey({ name: 'mine', url, model: 'm', ...(apiKey !== undefined && { apiKey }) }, there);

describe('the key of a miner', () => {
  it('stays where none is told and the server is the same', () => {
    expect(changed('https://one.example/v2')).toEqual({
      name: 'mine',
      url: 'https://one.example/v2',
      model: 'm',
      apiKey: 'kept',
    });
  });

  it.each([
    'https://two.example/v1',
    'http://one.example/v1',
    'https://one.example:8443/v1',
    'https://one.example.evil.example/v1',
  ])('does not go to another server: %s', (url) => {
    expect(changed(url).apiKey).toBe('');
  });

  it('is what is told, also nothing', () => {
    expect(changed('https://one.example/v1', 'new').apiKey).toBe('new');
    expect(changed('https://one.example/v1', '').apiKey).toBe('');
  });

  it('is none for a new one', () => {
    expect(withKey({ name: 'other', url: 'https://one.example/v1', model: '' }, there).apiKey).toBe('');
  });
});

it('an address that has more than an address in it is refused, and shown without it where it is there', async () => {
  const { addMiner } = validatorRunContract;
  const schema = addMiner['~orpc'].inputSchema as z.ZodType;
  for (const url of ['http://user:pw@127.0.0.1/v1', 'http://user@127.0.0.1/v1', 'http://127.0.0.1/v1?api-version=1'])
    expect(schema.safeParse({ name: 'a', url }).error?.issues).toMatchObject([{ path: ['url'] }]);
  expect(schema.safeParse({ name: 'a', url: 'http://127.0.0.1/v1' }).success).toBe(true);
  await results.endpoints.put({ name: 'old', url: 'http://user:pw@127.0.0.1:1/v1?key=pw', model: '', apiKey: '' });
  expect(await desk.list()).toMatchObject([{ name: 'old', url: 'http://127.0.0.1:1/v1' }]);
});

describe('a look at a miner', () => {
  const log = pino({ level: 'silent' });
  const at = async (answering: Answering, apiKey = '') => {
    const server = await new ChatServer('coder', answering).open();
    onTestFinished(() => server.close());
    await desk.add({ ...endpoint('a'), url: server.url, apiKey });
    return server;
  };

  it('asks it one question, and tells which model answered in which time', async () => {
    const server = await at(() => 'yes');
    expect(await desk.check('a', { log })).toEqual({ model: 'coder', ms: expect.any(Number) });
    expect(server.asked).toEqual(['Answer with yes.']);
  });

  it('tells why none comes, without its key', async () => {
    await at((_, response) => void response.writeHead(401).end('not with sesame-open'), 'sesame-open');
    const refused = await desk.check('a', { log }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(String(refused)).not.toContain('sesame');
    await desk.add(endpoint('away'));
    await expect(desk.check('away', { log })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    await expect(desk.check('nobody', { log })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'name' });
  });

  it('does not wait for ever', async () => {
    await at(() => undefined);
    await expect(desk.check('a', { log, patienceMs: 100 })).rejects.toMatchObject({
      ...{ code: 'DEADLINE', message: 'It did not answer within 1 second.' },
    });
  });
});
