import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ffmpeg } from '../fake-world/film.ts';

const run = promisify(execFile);

/** A film whose pictures and tone are others all the time, so that whoever reads another stretch of it sees and hears something else. */
export interface OddFilm {
  seconds: number;
  /** Until when its pictures are full of noise: nearly all of its bytes are there. Default 0: there is none. */
  noisySeconds?: number;
  /** From one key frame to the next. */
  keySeconds: number;
  /** Default true. */
  hasSound?: boolean;
  /** Matroska can be played from the front, WebM is what most of the web has. */
  format: 'matroska' | 'webm';
}

const RATE = 10;

/** Writes it. @throws where there is no ffmpeg, or one that cannot */
export async function writeOddFilm(path: string, film: OddFilm): Promise<void> {
  const { seconds, noisySeconds = 0, keySeconds, hasSound = true, format } = film;
  const pictures = ['-f', 'lavfi', '-i', `testsrc2=size=192x108:rate=${RATE}:duration=${seconds}`];
  const tone = `aevalsrc='0.4*sin(2*PI*(200+3*t)*t)':d=${seconds}:s=48000`;
  const noise = noisySeconds > 0 ? ['-vf', `noise=alls=100:allf=t:enable='lt(t,${noisySeconds})'`] : [];
  const codecs =
    format === 'webm'
      ? ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '38', '-b:v', '0']
      : ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-sc_threshold', '0'];
  const key = ['-pix_fmt', 'yuv420p', '-g', `${keySeconds * RATE}`, '-keyint_min', `${keySeconds * RATE}`];
  const sound = hasSound ? ['-c:a', format === 'webm' ? 'libopus' : 'aac', '-b:a', '32k'] : ['-an'];
  await run(ffmpeg(), [
    ...['-v', 'error', '-y', ...pictures, ...(hasSound ? ['-f', 'lavfi', '-i', tone] : []), ...noise],
    ...[...codecs, ...key, ...sound, '-threads', '1', '-fflags', '+bitexact', '-f', format, path],
  ]);
}
