import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FilesDesk } from '../../../../../src-main/app/evaluation/files/files-desk.ts';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import { HttpClient } from '../../../../../src-main/models/downloads/http-client.ts';
import type { PublishedFile } from '../../../../../src-main/subnets/quasar/tasks/published/published-files.ts';
import type { EvaluationFetchEvent } from '../../../../../src-preload/contract/evaluation.ts';
import { TextsServer, zipOf } from '../../../../support/texts-server.ts';

const ZIP = '/datasets/zai-org/LongBench/resolve/main/data.zip';
const PROMPTS = Buffer.from(JSON.stringify({ narrativeqa: 'x'.repeat(200_000) }));

let folder: string;
let server: TextsServer;
let client: HttpClient;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'quarry-texts-')), 'texts');
  server = await new TextsServer().open();
  server.files.set('/prompts.json', PROMPTS);
  client = named();
});
afterEach(async () => {
  await client.close();
  await server.close();
  await rm(join(folder, '..'), { recursive: true });
});

const named = () =>
  new HttpClient({ userAgent: 'quarry/test', isNamed: () => true, proxies: { httpProxy: '', httpsProxy: '' } });

const member = (name: string): PublishedFile => ({
  ...{ dataset: name, file: `${name}.jsonl`, required: true },
  origin: { type: 'hub', repo: 'zai-org/LongBench', path: 'data.zip', member: `data/${name}.jsonl` },
});

function files(change: Partial<PublishedFile> = {}): PublishedFile[] {
  const table = { type: 'hub-table', repo: 'a/reports', config: 'document', split: 'test' } as const;
  return [
    ...['narrativeqa', 'qasper'].map(member),
    {
      ...{ dataset: 'longbench', file: 'prompts.json', required: false },
      origin: { type: 'web', url: `${server.origin}/prompts.json` },
      ...{ bytes: PROMPTS.length, sha256: sha256(PROMPTS).toString('hex'), ...change },
    },
    { dataset: 'govreport', file: 'govreport_test.jsonl', required: true, origin: table },
  ];
}

const desk = (change?: Partial<PublishedFile>, of = files(change)) =>
  new FilesDesk({
    ...{ folder, endpoint: server.origin, client, log: pino({ level: 'silent' }), files: of },
    rowServer: () => ({ endpoint: server.origin, client: named() }),
    limit: () => undefined,
    offlineMs: 300,
    patience: { attempts: 2, restMs: 1, random: () => 0, segmentBytes: 50_000 },
  });

/** Of the one file that is neither in a zip nor a table. */
const only = (change?: Partial<PublishedFile>) => desk({}, files(change).slice(2, 3));

async function fetched(of: FilesDesk, suites: string[] = [], signal?: AbortSignal): Promise<EvaluationFetchEvent[]> {
  const events: EvaluationFetchEvent[] = [];
  for await (const event of of.fetch({ suites, all: false }, signal)) events.push(event);
  return events.filter(({ type }) => type !== 'progress');
}

const reports = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ report: `Report ${n}`, summary: 'Short' }));

it('fetches a file, all that is in one zip at once, and rows of a table', async () => {
  server.files.set(
    ZIP,
    await zipOf({ 'data/narrativeqa.jsonl': '{"n":1}\n', 'data/qasper.jsonl': '{"q":1}\n', readme: 'no' }),
  );
  server.rows = reports(250);
  const of = desk();
  expect((await of.list()).map(({ state }) => state)).toEqual(['missing', 'missing', 'missing', 'missing']);
  expect(await fetched(of)).toEqual([
    { type: 'fetched', file: 'narrativeqa.jsonl', bytes: 8 },
    { type: 'fetched', file: 'qasper.jsonl', bytes: 8 },
    { type: 'fetched', file: 'prompts.json', bytes: PROMPTS.length },
    { type: 'fetched', file: 'govreport_test.jsonl', bytes: expect.any(Number) },
  ]);
  expect((await readdir(folder)).sort()).toEqual([
    'govreport_test.jsonl',
    'narrativeqa.jsonl',
    'prompts.json',
    'qasper.jsonl',
  ]);
  const lines = (await readFile(join(folder, 'govreport_test.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(server.rows);
  expect((await of.list()).map(({ state }) => state)).toEqual(['here', 'here', 'here', 'here']);
  const asked = server.asked.length;
  expect(await fetched(of)).toEqual([]);
  expect(server.asked).toHaveLength(asked);
});

it('fetches what a suite wants, and of a zip all that it has', async () => {
  server.files.set(ZIP, await zipOf({ 'data/narrativeqa.jsonl': 'a\n', 'data/qasper.jsonl': 'b\n' }));
  expect((await fetched(desk(), ['qasper'])).map((event) => event.file)).toEqual([
    ...['narrativeqa.jsonl', 'qasper.jsonl', 'prompts.json'],
  ]);
  await expect(fetched(desk(), ['nothing'])).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'suites' });
});

it('goes on where a connection was cut, and where it was ended', async () => {
  server.cutAfter = 30_000;
  const stop = new AbortController();
  // A first byte is asked for, then pieces: the fourth is never given.
  server.before = (path) => {
    const pieces = server.asked.filter((asked) => asked.startsWith(path) && !asked.endsWith('0-0')).length;
    if (pieces === 5) stop.abort();
    return undefined;
  };
  await expect(fetched(only(), [], stop.signal)).rejects.toBeDefined();
  expect(await only().list()).toMatchObject([{ file: 'prompts.json', state: 'begun' }]);
  server.before = () => undefined;
  const before = server.asked.length;
  expect(await fetched(only())).toMatchObject([{ type: 'fetched', file: 'prompts.json' }]);
  expect(await readFile(join(folder, 'prompts.json'))).toEqual(PROMPTS);
  const again = server.asked.slice(before).filter((asked) => !asked.endsWith('0-0'));
  expect(again.length).toBeLessThan(Math.ceil(PROMPTS.length / 50_000));
  expect(again.every((asked) => !asked.includes('bytes=0-'))).toBe(true);
});

it('takes no other bytes than those that are known', async () => {
  const [failed] = await fetched(only({ sha256: 'ab'.repeat(32) }));
  expect(failed).toMatchObject({
    type: 'failed',
    error: { code: 'MODEL_INVALID', hint: expect.stringContaining('deleted') },
  });
  expect(await readdir(folder)).toEqual([]);
});

it('takes nothing that is larger than it may be', async () => {
  const [failed] = await fetched(only({ bytes: 10 }));
  expect(failed).toMatchObject({
    type: 'failed',
    error: { code: 'DOWNLOAD_FAILED', message: expect.stringContaining('not 10') },
  });
});

it.each<[string, () => Promise<Buffer>]>([
  [
    'has bombs',
    async () => grown(await zipOf({ 'data/narrativeqa.jsonl': Buffer.alloc(3_000_000), 'data/qasper.jsonl': 'b' })),
  ],
  [
    'leads elsewhere',
    async () => renamed(await zipOf({ 'data/narrativeqa.jsonl': 'a', 'data/qasper.jsonl': 'b', '__/__/evil': 'c' })),
  ],
  ['lacks a file', () => zipOf({ 'data/narrativeqa.jsonl': 'a' })],
  ['is none', async () => Buffer.from('<html>')],
])('uses nothing of a zip that %s', async (_, made) => {
  server.files.set(ZIP, await made());
  const [failed] = await fetched(desk(), ['narrativeqa']);
  expect(failed).toMatchObject({ type: 'failed', file: 'LongBench-data.zip', error: { code: 'MODEL_INVALID' } });
  expect(await readdir(folder)).toEqual(['prompts.json']);
  expect((await readdir(join(folder, '..'))).sort()).toEqual(['texts']);
});

/** Says of the first member that it is smaller than it is. */
function grown(zip: Buffer): Buffer {
  zip.writeUInt32LE(1_000, zip.indexOf(Buffer.from('PK\u0001\u0002')) + 24);
  return zip;
}

function renamed(zip: Buffer): Buffer {
  for (let at = zip.indexOf('__/__'); at >= 0; at = zip.indexOf('__/__')) zip.write('../../..', at);
  return zip;
}

it('goes on with rows where it was ended, and fetches none twice', async () => {
  server.rows = reports(350);
  const stop = new AbortController();
  server.before = async () => {
    if (server.asked.at(-1) === 'rows 200') stop.abort();
  };
  await expect(fetched(desk(), ['govreport'], stop.signal)).rejects.toBeDefined();
  expect((await desk().list()).at(-1)).toMatchObject({ state: 'begun' });
  expect(await fetched(desk(), ['govreport'])).toMatchObject([{ type: 'fetched', file: 'govreport_test.jsonl' }]);
  expect(server.asked).toEqual(['rows 0', 'rows 100', 'rows 200', 'rows 200', 'rows 300']);
  const lines = (await readFile(join(folder, 'govreport_test.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(server.rows);
});

it('takes no rows of which something was cut off', async () => {
  server.rows = reports(2);
  server.cutCells = ['report'];
  expect(await fetched(desk(), ['govreport'])).toMatchObject([
    { type: 'failed', error: { code: 'UNSUPPORTED', message: expect.stringContaining('report') } },
  ]);
});

it('tells of a file that is not there, and fetches the others', async () => {
  server.rows = reports(1);
  server.files.clear();
  const events = await fetched(desk());
  expect(events.map(({ type, file }) => `${type} ${file}`)).toEqual([
    ...['failed LongBench-data.zip', 'failed prompts.json', 'fetched govreport_test.jsonl'],
  ]);
});

it('waits for a server that cannot be reached, but not until the others are forgotten', async () => {
  server.rows = reports(1);
  const { port } = new URL(server.origin);
  const away: PublishedFile = {
    ...{ dataset: 'away', file: 'away.json', required: true },
    origin: { type: 'web', url: `http://127.0.0.1:${Number(port) === 1 ? 2 : 1}/away.json` },
  };
  const events = await fetched(desk({}, [away, ...files().slice(3)]));
  expect(events).toMatchObject([
    { type: 'failed', file: 'away.json', error: { code: 'DOWNLOAD_FAILED', hint: expect.stringContaining('is kept') } },
    { type: 'fetched', file: 'govreport_test.jsonl' },
  ]);
});

it('fetches for one at a time', async () => {
  server.rows = reports(1);
  const of = desk();
  const going = of.fetch({ suites: ['govreport'], all: false });
  await going.next();
  await expect(fetched(of)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await going.return(undefined);
  expect(await fetched(of, ['govreport'])).toHaveLength(1);
});
