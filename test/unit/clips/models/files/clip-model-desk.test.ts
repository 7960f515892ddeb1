import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import type { ClipModelEntry } from '../../../../../src-main/clips/models/files/clip-catalogue.ts';
import { ClipModelDesk } from '../../../../../src-main/clips/models/files/clip-model-desk.ts';
import { readClipModel } from '../../../../../src-main/clips/models/files/model-manifest.ts';
import { HttpClient } from '../../../../../src-main/models/downloads/http-client.ts';
import { TextsServer } from '../../../../support/texts-server.ts';

const never = new AbortController().signal;
const VOICE = Buffer.alloc(300_000, 'voice');
const PATH = '/someone/voices/resolve/v1/onnx/voice.onnx';

let server: TextsServer;
let client: HttpClient;
let changes: number;
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeEach(async () => {
  changes = 0;
  server = await new TextsServer().open();
  server.files.set(PATH, VOICE);
  client = new HttpClient({
    userAgent: 'quarry/test',
    isNamed: () => true,
    proxies: { httpProxy: '', httpsProxy: '' },
  });
  folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-desk-'));
});
afterEach(async () => {
  await client.close();
  await server.close();
  await folder.remove();
});

const entry = (hash?: string): ClipModelEntry => ({
  ...{ name: 'a-voice', title: 'A voice', description: 'Hears.', licence: 'MIT' },
  roughBytes: 300_000,
  files: {
    voice: { repository: 'someone/voices', revision: 'v1', file: 'onnx/voice.onnx', bytes: VOICE.length, sha256: hash },
  },
  manifest: { kind: 'voice', rate: 16_000 },
});
const desk = (hash?: string) =>
  new ClipModelDesk({
    ...{ catalogue: [entry(hash)], folder: folder.path, endpoint: server.origin, client, limit: () => undefined },
    ...{ chosen: () => ['a-voice'], onChange: async () => void changes++ },
    log: pino({ level: 'silent' }),
    patience: { attempts: 2, restMs: 1, random: () => 0, segmentBytes: 50_000 },
  });

it('fetches a model, says how far it is, and makes a folder of it that can be used', async () => {
  const here = desk();
  expect(await here.list()).toMatchObject([{ name: 'a-voice', kind: 'voice', isHere: false, roughBytes: 300_000 }]);
  expect(await here.list()).toMatchObject([{ isChosen: true }]);
  const states: string[] = [];
  let last = 0;
  for await (const { file, files, received, roughBytes, download } of here.fetch('a-voice', never)) {
    expect({ file, files, roughBytes }).toEqual({ file: 1, files: 1, roughBytes: 300_000 });
    last = received;
    states.push(download.state);
  }
  expect([states.at(-1), last]).toEqual(['done', VOICE.length]);
  expect(changes).toBe(1);
  const model = await readClipModel(join(folder.path, 'a-voice'), 'voice');
  const file = { path: 'voice.onnx', sha256: sha256(VOICE).toString('hex') };
  expect(model?.manifest).toMatchObject({ name: 'a-voice', files: { voice: file } });
  expect(await readFile(join(folder.path, 'a-voice', 'voice.onnx'))).toEqual(VOICE);
  expect(await readdir(folder.path)).toEqual(['a-voice']);
  expect(await here.list()).toMatchObject([{ isHere: true }]);
  await here.remove('a-voice');
  expect(changes).toBe(2);
  expect(await here.list()).toMatchObject([{ isHere: false }]);
});

it('takes no other file than the catalogue knows', async () => {
  const here = desk('0'.repeat(64));
  await expect(drained(here, 'a-voice')).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  expect(await here.list()).toMatchObject([{ isHere: false }]);
  await expect(drained(here, 'another')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

it('goes on after it was ended in the midst of it', async () => {
  const here = desk();
  const ending = new AbortController();
  const first = (async () => {
    for await (const _ of here.fetch('a-voice', ending.signal)) ending.abort(new Error('enough'));
  })();
  await expect(first).rejects.toThrow('enough');
  await drained(here, 'a-voice');
  expect(await here.list()).toMatchObject([{ isHere: true }]);
});

it('neither fetches nor removes what is being fetched', async () => {
  const here = desk();
  const fetching = here.fetch('a-voice', never);
  await fetching.next();
  await expect(drained(here, 'a-voice')).rejects.toMatchObject({ code: 'OVERLOADED' });
  await expect(here.remove('a-voice')).rejects.toMatchObject({ code: 'OVERLOADED' });
  await fetching.return(undefined);
  await here.remove('a-voice');
  expect(await readdir(folder.path)).toEqual([]);
});

async function drained(of: ClipModelDesk, name: string): Promise<void> {
  for await (const _ of of.fetch(name, never));
}
