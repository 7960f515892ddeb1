import { mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RawSound, type Span, UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { SPEECH_RATE } from '../../../../src-main/clips/media/sound-rates.ts';
import { Transcriber } from '../../../../src-main/clips/transcription/transcriber.ts';

const NEVER = new AbortController().signal;
const BYTES = Buffer.from('a sound');

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
beforeEach(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'quarry-transcriber-'));
});
afterEach(() => folder.remove());

/** One that hears so many seconds, and of each part that it is so many seconds long. */
async function transcriberOf(seconds: number, more: { fails?: Error; lacks?: 'media' | 'words' } = {}) {
  const read: string[] = [];
  const tool = {
    async soundFile(path: string, { from, to }: Span): Promise<RawSound | null> {
      read.push(`${await readFile(path, 'utf8')} ${from} to ${to}`);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      if (more.fails) throw more.fails;
      const length = Math.min(seconds, to) - from;
      return length > 0 ? { samples: new Float32Array(length * SPEECH_RATE), rate: SPEECH_RATE } : null;
    },
  };
  const words = {
    words: async ({ samples }: RawSound) => [{ from: 1, to: 2, words: `${samples.length / SPEECH_RATE} seconds` }],
  };
  const transcriber = new Transcriber({
    media: async () => (more.lacks === 'media' ? undefined : tool),
    words: () => (more.lacks === 'words' ? null : words),
    folder: join(folder.path, 'heard'),
  });
  await transcriber.open();
  return { transcriber, read };
}

it('listens to a long sound part by part, and says when in all of it something is said', async () => {
  const { transcriber, read } = await transcriberOf(650);
  expect(await transcriber.transcribe(BYTES, NEVER)).toEqual({
    seconds: 650,
    parts: [
      { from: 1, to: 2, words: '300 seconds' },
      { from: 301, to: 302, words: '300 seconds' },
      { from: 601, to: 602, words: '50 seconds' },
    ],
  });
  expect(read).toEqual(['a sound 0 to 300', 'a sound 300 to 600', 'a sound 600 to 900']);
  expect(await readdir(join(folder.path, 'heard'))).toEqual([]);
});

it('has an end where a sound is just as long as its parts, and where there is none', async () => {
  expect((await (await transcriberOf(600)).transcriber.transcribe(BYTES, NEVER)).seconds).toBe(600);
  expect(await (await transcriberOf(0)).transcriber.transcribe(BYTES, NEVER)).toEqual({ seconds: 0, parts: [] });
});

it('refuses what takes hours', async () => {
  const { transcriber, read } = await transcriberOf(100_000);
  const refused = { code: 'BAD_REQUEST', said: { message: { key: 'transcription.tooLong' } } };
  await expect(transcriber.transcribe(BYTES, NEVER)).rejects.toMatchObject(refused);
  expect(read).toHaveLength(48);
});

it('says why nothing can be heard, and keeps nothing of it', async () => {
  for (const [wanted, key] of [
    [{ fails: new UnusableMedia('noVideo') }, 'transcription.noSound'],
    [{ fails: new UnusableMedia('damaged') }, 'clips.media.damaged'],
    [{ lacks: 'words' }, 'transcription.noModel'],
    [{ lacks: 'media' }, 'clips.noMedia'],
  ] as const) {
    const { transcriber } = await transcriberOf(10, wanted);
    await expect(transcriber.transcribe(BYTES, NEVER)).rejects.toMatchObject({ said: { message: { key } } });
    expect(await readdir(join(folder.path, 'heard'))).toEqual([]);
  }
});

it('ends where nobody waits for it, and deletes at its start what a killed process left', async () => {
  const { transcriber } = await transcriberOf(10);
  const ended = AbortSignal.abort(new Error('gone'));
  await expect(transcriber.transcribe(BYTES, ended)).rejects.toThrow();
  expect(await readdir(join(folder.path, 'heard'))).toEqual([]);
  await writeFile(join(folder.path, 'heard', 'left'), 'x');
  await transcriber.open();
  expect(await readdir(join(folder.path, 'heard'))).toEqual([]);
});
