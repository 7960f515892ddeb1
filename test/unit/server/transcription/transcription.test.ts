import OpenAI, { toFile } from 'openai';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpServer } from '../../../../src-main/server/http-server.ts';
import { MOST_SOUND_BYTES } from '../../../../src-main/server/transcription/routes.ts';
import type { Transcript } from '../../../../src-main/server/transcription/transcription-door.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { longestTurn } from '../../../support/longest-turn.ts';
import { until } from '../../../support/until.ts';

/** `/v1/audio/transcriptions`, asked by OpenAI's own client. */
const SAID: Transcript = {
  seconds: 3_725.5,
  parts: [
    { from: 0.25, to: 2, words: 'Good morning.' },
    { from: 3_723.0456, to: 3_725, words: 'Two\n\nor three.' },
  ],
};

let server: HttpServer;
let client: OpenAI;
let model: { name: string; language: string } | undefined;
let heard: { bytes: Buffer; signal: AbortSignal }[];
let transcribe: () => Promise<Transcript>;
beforeEach(async () => {
  model = { name: 'whisper-tiny', language: '' };
  heard = [];
  transcribe = async () => SAID;
  server = new HttpServer({
    ...{ port: 0, localToken: 'of no use here', log: pino({ level: 'silent' }) },
    ...{ models: () => [], route: () => undefined, health: () => ({ ok: true }) },
    transcribing: {
      model: () => model,
      transcribe: async (file, signal) => {
        heard.push({ bytes: Buffer.from(file), signal });
        return await transcribe();
      },
    },
  });
  await server.open();
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
});
afterEach(() => server.close());

const sound = (bytes: Buffer | string = 'RIFF') => toFile(Buffer.from(bytes), 'a.wav');
const asked = async () => ({ file: await sound(), model: 'whisper-1' });

describe('what was said', () => {
  it('is text, to whoever says nothing else, out of the very bytes that were sent', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
    const answer = await client.audio.transcriptions.create({ file: await sound(bytes), model: 'whisper-tiny' });
    expect(answer).toEqual({ text: 'Good morning. Two\n\nor three.', usage: { type: 'duration', seconds: 3_726 } });
    expect(heard.map((one) => one.bytes)).toEqual([bytes]);
  });

  it('is given with times, as subtitles and as bare text', async () => {
    const as = async (format: 'verbose_json' | 'srt' | 'vtt' | 'text') =>
      await client.audio.transcriptions.create({ ...(await asked()), response_format: format });
    expect(await as('verbose_json')).toMatchObject({
      ...{ task: 'transcribe', language: '', duration: 3_725.5, text: 'Good morning. Two\n\nor three.' },
      segments: [
        { id: 0, start: 0.25, end: 2, text: 'Good morning.' },
        { id: 1, start: 3_723.0456, end: 3_725, text: 'Two\n\nor three.' },
      ],
    });
    expect(await as('srt')).toBe(
      '1\n00:00:00,250 --> 00:00:02,000\nGood morning.\n\n2\n01:02:03,046 --> 01:02:05,000\nTwo or three.\n',
    );
    expect(await as('vtt')).toBe(
      'WEBVTT\n\n00:00:00.250 --> 00:00:02.000\nGood morning.\n\n01:02:03.046 --> 01:02:05.000\nTwo or three.\n',
    );
    expect(await as('text')).toBe('Good morning. Two\n\nor three.\n');
  });

  it('may be nothing', async () => {
    transcribe = async () => ({ seconds: 2, parts: [] });
    expect((await client.audio.transcriptions.create(await asked())).text).toBe('');
    expect(await client.audio.transcriptions.create({ ...(await asked()), response_format: 'srt' })).toBe('');
  });
});

describe('whoever asks for what there is not', () => {
  const refused = (more: object) => async () =>
    await client.audio.transcriptions.create({ ...(await asked()), ...more } as OpenAI.Audio.TranscriptionCreateParams);

  it('is told so, and nothing is listened to', async () => {
    await expect(refused({ model: 'whisper-large' })()).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(refused({ response_format: 'diarized_json' })()).rejects.toMatchObject({
      ...{ status: 400, param: 'response_format' },
    });
    await expect(refused({ timestamp_granularities: ['word'] })()).rejects.toMatchObject({ status: 400 });
    model = { name: 'whisper-tiny-en', language: 'en' };
    await expect(refused({ language: 'de' })()).rejects.toMatchObject({ status: 400, param: 'language' });
    expect(heard).toEqual([]);
    expect((await refused({ language: 'en', response_format: 'verbose_json' })()) as object).toMatchObject({
      language: 'en',
    });
    model = undefined;
    await expect(refused({})()).rejects.toMatchObject({ status: 404, message: expect.stringContaining('quarry data') });
  });

  it.each([
    ['no form', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    ['nothing that is said to be anything', { body: new Uint8Array(3) }, 415],
    ['a form without an end', { body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 400],
    ['a form that says no boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }, 400],
    ['no file', { body: form({ model: 'whisper-1', file: 'text' }) }, 400],
    ['no model', { body: form({ file: new Blob(['x']) }) }, 400],
  ])('sends %s', async (_, init, status) => {
    const answer = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', ...init });
    expect([answer.status, heard]).toEqual([status, []]);
    const { message } = ((await answer.json()) as { error: { message: string } }).error;
    expect(message).toMatch(status === 415 ? /header content-type: multipart\/form-data$/ : /./);
  });

  it.each([
    ['many parts', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(400_000)],
    ['a part with a long head', `--x\r\n${'A: b\r\n'.repeat(3_000_000)}\r\n\r\n`],
  ])('sends a form of %s, and keeps nobody waiting', async (_, parts) => {
    const headers = { 'content-type': 'multipart/form-data; a="; boundary=y"; boundary="x"' };
    const body = Buffer.from(`${parts}--x--\r\n`);
    const looked = longestTurn();
    const { status } = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body, headers });
    expect(looked().longest).toBeLessThan(500); // else seconds
    expect([status, heard]).toEqual([400, []]);
  });

  it('is a page of another site', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const body = form({ file: new Blob(['x']), model: 'whisper-1' });
    const answer = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body, headers });
    expect([answer.status, heard]).toEqual([403, []]);
  });

  it('sends more than is read', async () => {
    const bytes = Buffer.alloc(MOST_SOUND_BYTES + 2 ** 17);
    await expect(
      client.audio.transcriptions.create({ file: await sound(bytes), model: 'whisper-1' }),
    ).rejects.toThrow();
    expect(heard).toEqual([]);
    const most = await sound(Buffer.alloc(MOST_SOUND_BYTES));
    expect((await client.audio.transcriptions.create({ file: most, model: 'whisper-1' })).text).not.toBe('');
  });
});

it('says what keeps it from hearing', async () => {
  transcribe = async () => {
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'There is no sound in the file.', field: 'file' });
  };
  await expect(client.audio.transcriptions.create(await asked())).rejects.toMatchObject({
    ...{ status: 400, param: 'file', message: expect.stringContaining('no sound') },
  });
});

it('listens to four at a time, ends what nobody waits for any more, and has room for others then', async () => {
  const never = Promise.withResolvers<Transcript>();
  transcribe = () => never.promise;
  const stop = new AbortController();
  const all = Array.from({ length: 4 }, async () =>
    client.audio.transcriptions.create(await asked(), { signal: stop.signal }),
  );
  const ended = Promise.allSettled(all);
  await until(() => expect(heard).toHaveLength(4));
  await expect(client.audio.transcriptions.create(await asked())).rejects.toMatchObject({ status: 429 });
  stop.abort();
  await ended;
  await until(() => expect(heard.every(({ signal }) => signal.aborted)).toBe(true));
  never.reject(new Error('ended'));
  transcribe = async () => SAID;
  await until(async () => expect((await client.audio.transcriptions.create(await asked())).text).not.toBe(''));
});

function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
