import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { YtDlpSource } from '../../../../src-main/clips/sources/ytdlp-source.ts';
import { foundVideoSchema } from '../../../../src-preload/contract/data.ts';
import { AS_RECORDED, runPlainly, standIn } from '../../../support/clip-sources-ytdlp.ts';

const signal = new AbortController().signal;
const LIMITS = { mostSeconds: 300, mostBytes: 8 << 20, signal };
const [FREE, NOT_FREE] = ['Jr0iwNBQjmA', 'Ahg8OBYixL0'];

async function opened(script = AS_RECORDED) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-ytdlp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { program, log } = await standIn(folder, script);
  const source = new YtDlpSource({ program, run: runPlainly });
  const asked = async () =>
    (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
  return { folder, source, asked };
}

// The stand-in is a script, which Windows does not start.
describe.skipIf(process.platform === 'win32')('yt-dlp', () => {
  it('finds videos with the licences that they have, nothing that is live, and page by page', async () => {
    const { source, asked } = await opened();
    const { found, next } = await source.search('river --exec "rm -rf"', { signal });
    for (const video of found) expect(foundVideoSchema.parse(video)).toEqual(video);
    expect(found.map(({ id, licence }) => [id, licence])).toEqual([
      [FREE, 'by'],
      [NOT_FREE, 'unknown'],
    ]);
    expect(found[0]?.attribution).toBe(
      '“Open lectures: how a river bends” by Example Center, https://www.youtube.com/watch?v=Jr0iwNBQjmA, licensed under CC BY.',
    );
    expect(next).toBe('10');
    expect(await source.search('river', { from: '10', signal })).toEqual({ found: [], next: null });
    const [first, second] = await asked();
    expect(first?.slice(-2)).toEqual(['--', 'ytsearch10:river exec rm rf']);
    expect(second?.slice(-2)).toEqual(['--', 'ytsearch20:river']);
    expect(second?.[second.indexOf('--playlist-items') + 1]).toBe('11:20');
  });

  it('is never without its bounds: no configuration, no playlist, nothing after the end of options but what is asked', async () => {
    const { source, asked, folder } = await opened();
    await source.search('river', { signal });
    await source.fetch(FREE, join(folder, 'video'), LIMITS);
    for (const args of await asked()) {
      expect(args).toEqual(expect.arrayContaining(['--ignore-config', '--no-cache-dir', '--no-playlist']));
      expect(args.at(-2)).toBe('--');
      expect(args.at(-1)).toMatch(/^(ytsearch\d+:[\p{L}\p{N} ]+|https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11})$/u);
    }
  });

  it('knows none that is gone, and asks for none that is no id', async () => {
    const { source, asked } = await opened();
    expect(await source.look('goneGONE000', signal)).toBeNull();
    for (const id of ['', '-rf', 'https://evil.example', `${FREE}x`, '--exec=rmrf', 'a b c d e f']) {
      expect(await source.look(id, signal)).toBeNull();
    }
    expect(await asked()).toHaveLength(1);
  });

  it('fetches one into the file that was asked for, whatever is in its name, and leaves nothing else', async () => {
    const { source, folder } = await opened();
    const to = join(folder, '50%(id)s video');
    await writeFile(`${to}.mp4.part`, 'a part of before');
    expect(await source.fetch(FREE, to, LIMITS)).toEqual({
      bytes: 3 << 20,
      url: 'https://www.youtube.com/watch?v=Jr0iwNBQjmA',
    });
    expect((await stat(to)).size).toBe(3 << 20);
    expect((await readdir(folder)).sort()).toEqual(['50%(id)s video', 'args.jsonl', 'yt-dlp']);
  });

  it('fetches none of another licence, and none that is too large', async () => {
    const { source, folder } = await opened();
    const to = join(folder, 'video');
    await expect(source.fetch(NOT_FREE, to, LIMITS)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const small = { ...LIMITS, mostBytes: 1 << 20 };
    await expect(source.fetch(FREE, to, small)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', retryable: false });
    await expect(source.fetch('goneGONE000', to, LIMITS)).rejects.toMatchObject({ retryable: false });
  });

  it('believes no path that the program names elsewhere', async () => {
    const { source, folder } = await opened(`${AS_RECORDED}; if (args.includes('--output')) say('/etc/hosts');`);
    await expect(source.fetch(FREE, join(folder, 'video'), LIMITS)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
    expect((await stat('/etc/hosts')).isFile()).toBe(true);
  });

  it.each([
    ['nonsense', `say('<html>')`, 'PROTOCOL'],
    ['another shape', `say('{"id": 7}')`, 'PROTOCOL'],
    ['an error', `complain('ERROR: \\u001b[31mHTTP Error 429: Too Many Requests')`, 'DOWNLOAD_FAILED'],
    ['no end', `setInterval(() => say('x'.repeat(100_000)), 1)`, 'DOWNLOAD_FAILED'],
  ])('does not take %s for an answer', async (_, script, code) => {
    const { source } = await opened(script);
    const error = await source.search('river', { signal }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, retryable: true });
    expect((error as Error).message).not.toContain('\u001b');
  });

  it('ends the program when it is told to', async () => {
    const { source } = await opened('setInterval(() => undefined, 1_000)');
    const ending = new AbortController();
    const searched = source.search('river', { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('told to')), 100);
    await expect(searched).rejects.toThrow('told to');
  });
});
