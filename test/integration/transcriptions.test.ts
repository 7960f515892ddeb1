/** @module-tag long */
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { type ClipModel, filesOf, MANIFEST_FILE } from '../../src-main/clips/models/files/model-manifest.ts';
import { espeak, SENTENCES, speak } from '../support/fake-world/speech.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { realVoiceModel, realWordsModel } from '../support/real-speech-models.ts';

/** Speech as text by a whole node: real Whisper and ffmpeg, sounds of a synthesiser, OpenAI's own clients. */
const programs = await findMediaTool();
const models = [await realVoiceModel(), await realWordsModel()].filter((model) => model !== undefined);
const isComplete = !('lacks' in programs) && models.length === 2 && espeak() !== undefined;
const python = process.env.TEST_PYTHON ?? 'python3';
const RATE = 22_050;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess;
let client: OpenAI;
beforeAll(async () => {
  folder = await temporaryFolder();
  if (!isComplete) return;
  const data = join(folder.path, 'data');
  await mkdir(data);
  const chosen = [];
  for (const model of models) chosen.push(`${model.manifest.kind} = ${JSON.stringify(await laidOut(model))}`);
  await writeFile(join(data, 'quarry.toml'), ['[data.models]', ...chosen, ''].join('\n'));
  node = new QuarryProcess(['start', '--headless', '--role', 'client', '--port', '0', '--data', data]);
  const [, baseURL = ''] = await node.printed(/(http:\/\/127\.0\.0\.1:\d+\/v1)/);
  client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
});
afterAll(async () => {
  await node?.stop();
  await folder.remove();
});

/** A folder as the settings name one. */
async function laidOut(model: ClipModel<'voice'> | ClipModel<'words'>): Promise<string> {
  const to = join(folder.path, 'models', model.manifest.kind);
  await mkdir(to, { recursive: true });
  for (const { path } of filesOf(model.manifest)) await copyFile(join(model.folder, path), join(to, path));
  await writeFile(join(to, MANIFEST_FILE), JSON.stringify(model.manifest));
  return to;
}

/** What is said in it, as a file of some kind. */
async function spoken(name: string, seconds: number, first: readonly string[]): Promise<string> {
  const { sound } = await speak({ seconds, rate: RATE }, ['anna'], seededRandom(3), first);
  const [raw, file] = [join(folder.path, 'spoken.f32'), join(folder.path, name)];
  await writeFile(raw, Buffer.from(sound.samples.buffer));
  const input = ['-v', 'error', '-y', '-f', 'f32le', '-ar', `${RATE}`, '-ac', '1', '-i', raw];
  if (!('lacks' in programs)) await promisify(execFile)(programs.ffmpeg, [...input, file]);
  return file;
}

const written = async (file: string) => toFile(await readFile(file), file);

it.skipIf(!isComplete).each(['said.wav', 'said.mp3', 'said.m4a', 'said.ogg', 'said.flac', 'said.webm'])(
  'writes down what is said in %s',
  async (name) => {
    const file = await spoken(name, 9, [SENTENCES[0], SENTENCES[1]]);
    const { text } = await client.audio.transcriptions.create({ file: await written(file), model: 'whisper-1' });
    expect(text.toLowerCase()).toMatch(/we look at how .+ made at home.*mountain/s);
  },
);

it.skipIf(!isComplete)('says when in five minutes and more something is said', async () => {
  const file = await spoken('long.mp3', 330, []);
  const whole = await client.audio.transcriptions.create({
    ...{ file: await written(file), model: 'whisper-1', response_format: 'verbose_json' },
  });
  expect(whole.duration).toBeGreaterThan(325);
  expect(whole.segments?.at(-1)?.start).toBeGreaterThan(300);
  const starts = whole.segments?.map(({ start }) => start) ?? [];
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(whole.text.toLowerCase()).toContain('potatoes');
});

it.skipIf(!isComplete)('says what it cannot hear', async () => {
  const refused = async (bytes: Buffer) =>
    await client.audio.transcriptions.create({ file: await toFile(bytes, 'x.wav'), model: 'whisper-1' });
  await expect(refused(Buffer.from('no sound at all'))).rejects.toMatchObject({ status: 400, param: 'file' });
  await expect(refused(Buffer.alloc(0))).rejects.toMatchObject({ status: 400, param: 'file' });
  const list = Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n');
  await expect(refused(list)).rejects.toMatchObject({ status: 400, param: 'file' });
});

it.skipIf(!isComplete || spawnSync(python, ['-c', 'import openai']).status !== 0)('hears Python’s client', async () => {
  const file = await spoken('python.mp3', 6, [SENTENCES[3]]);
  const program = [
    'import sys; from openai import OpenAI',
    'client = OpenAI(base_url=sys.argv[1], api_key="none")',
    'print(client.audio.transcriptions.create(model="whisper-1", file=open(sys.argv[2], "rb")).text)',
  ];
  const { stdout } = await promisify(execFile)(python, ['-c', program.join('\n'), client.baseURL, file]);
  expect(stdout.toLowerCase()).toContain('important tool in a kitchen');
});

it.runIf(!isComplete)('skipped: there is no ffmpeg, espeak-ng, Whisper or Silero', () => undefined);
