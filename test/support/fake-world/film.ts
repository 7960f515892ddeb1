import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { onPath } from '../../../src-main/base/on-path.ts';
import type { RawSound } from '../../../src-main/clips/media/media.ts';
import { behind, paintShape } from './paint.ts';
import type { Scene } from './scene.ts';

/** What is seen, and for how long. */
export interface Shot {
  scene: Scene;
  seconds: number;
}

export interface Film {
  shots: readonly Shot[];
  sound: RawSound | null;
  width: number;
  height: number;
  /** VP9 and Opus, or H.264 and AAC. */
  format: 'webm' | 'mp4';
  /** Pictures a second. Default 8. */
  fps?: number;
  /** Seconds from one key frame to the next at the most; a cut to another scene is one, too. Default 2. */
  keySeconds?: number;
}

const CODECS = {
  webm: [
    ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '38', '-b:v', '0'],
    ...['-c:a', 'libopus', '-b:a', '32k'],
  ],
  mp4: ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '27', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '64k'],
};

/** Writes it. @throws where there is no ffmpeg, or one that cannot */
export async function writeFilm(path: string, film: Film): Promise<void> {
  const { width, height, sound, format, fps = 8, keySeconds = 2 } = film;
  const heard = `${path}.f32`;
  if (sound) await writeFile(heard, bytesOf(sound));
  const pictures = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${fps}`, '-i', 'pipe:0'];
  const sounds = sound ? ['-f', 'f32le', '-ar', `${sound.rate}`, '-ac', '1', '-i', heard] : [];
  const output = [...CODECS[format], '-g', `${fps * keySeconds}`, '-fflags', '+bitexact', '-f', format, '-y', path];
  try {
    await fed([...pictures, ...sounds, '-threads', '1', ...output], framesOf(film, fps));
  } finally {
    await rm(heard, { force: true });
  }
}

/** All of its pictures, one after another. */
function* framesOf({ shots, width, height }: Film, fps: number): Generator<Uint8Array> {
  let [begin, frame] = [0, 0];
  for (const { scene, seconds } of shots) {
    const nothing = behind(scene, { width, height });
    for (; frame / fps < begin + seconds - 1e-9; frame++) {
      const picture = { width, height, rgb: nothing.slice() };
      paintShape(scene, frame / fps - begin, picture);
      yield picture.rgb;
    }
    begin += seconds;
  }
}

export const lengthOf = ({ shots }: Pick<Film, 'shots'>) => shots.reduce((sum, { seconds }) => sum + seconds, 0);

async function fed(args: string[], input: Iterable<Uint8Array>): Promise<void> {
  const child = spawn(ffmpeg(), ['-v', 'error', ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = once(child, 'close');
  // One that ends early reads no more; what it complained of is said below.
  const broken = new Promise<void>((resolve) => child.stdin.once('error', () => resolve()));
  for (const bytes of input) {
    if (child.stdin.destroyed) break;
    if (!child.stdin.write(bytes)) await Promise.race([once(child.stdin, 'drain'), broken, ended]);
  }
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${complaint}`);
}

/** Where it is; without it there are no films. */
export function ffmpeg(): string {
  const program = onPath('ffmpeg');
  if (!program) throw new Error('There is no ffmpeg.');
  return program;
}

const bytesOf = ({ samples }: RawSound) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
