import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ignoring } from '../src-main/base/swallowed.ts';

/** Pictures a second, and how wide they are, in pixels. */
const RATE = 10;
const WIDTH = 960;
/** Seconds that the last picture stays before it begins again. */
const LAST_S = 3;

interface Frame {
  data: string;
  /** Seconds. */
  at: number;
}

/** Films a page while something is done on it, as an animated WebP. Wants `ffmpeg` on the path. @throws when it fails, or is not there */
export async function film(page: Page, file: string, act: () => Promise<void>): Promise<void> {
  const frames = await framesOf(page, act);
  const folder = await mkdtemp(join(tmpdir(), 'quarry-film-'));
  try {
    const list = join(folder, 'frames.txt');
    await writeFile(list, await written(frames, folder));
    const look = `fps=${RATE},scale=${WIDTH}:-1:flags=lanczos`;
    const webp = ['-c:v', 'libwebp_anim', '-quality', '75', '-compression_level', '6', '-loop', '0'];
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list, '-vf', look, ...webp, file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Chromium sends a picture whenever something has changed. */
async function framesOf(page: Page, act: () => Promise<void>): Promise<Frame[]> {
  const devtools = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ data, at: metadata.timestamp ?? Date.now() / 1_000 });
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(ignoring('the page may be closed by now'));
  });
  await devtools.send('Page.startScreencast', { format: 'png' });
  await act();
  await devtools.send('Page.stopScreencast');
  return frames;
}

/** The frames as files, and how long each is shown, as ffmpeg's concat reads it. */
async function written(frames: Frame[], folder: string): Promise<string> {
  const lines = await Promise.all(
    frames.map(async ({ data, at }, number) => {
      const path = join(folder, `${number}.png`);
      await writeFile(path, Buffer.from(data, 'base64'));
      const next = frames[number + 1];
      return `file '${path}'\nduration ${next ? next.at - at : LAST_S}\n`;
    }),
  );
  return lines.join('');
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const code = await new Promise((done, fail) => child.once('error', fail).once('exit', done));
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}
