import type { RawPicture, Span } from './media.ts';
import { guarded, guardedSpan, PICTURE, seconds } from './strange-file.ts';

/** When pictures are taken that stand for a stretch: in the middle of as many equal parts. */
export function evenly({ from, to }: Span, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((index + 0.5) * (to - from)) / count);
}

/** So many pixels are decoded beside each other: eight pictures of 1080p. Each decoder keeps some 16 of its own. */
const PIXELS_AT_ONCE = 8 * 1_920 * 1_088;

/** How many of these pictures one process takes: all of the usual ones, of huge ones each a process of its own. */
export function atOnce({ width, height }: { width: number; height: number }): number {
  return Math.min(16, Math.max(1, Math.floor(PIXELS_AT_ONCE / (width * height))));
}

/**
 * Arguments that give the first picture at each time or after it, as PPM one after another. The file is opened for each of them, and decoded from the key
 * frame before: a fraction of decoding the whole stretch.
 * @param version of ffmpeg
 */
export function framesAt(path: string, times: readonly number[], side: number, version: string): string[] {
  // Until how far a picture is looked for: one may be shown for long.
  const inputs = times.flatMap((at) => guardedSpan(path, { from: at, to: at + 20 }));
  const chains = times.map((_, input) => `[${input}:V:0]trim=end_frame=1,${scaledTo(side)},format=rgb24[p${input}]`);
  const joined = `${times.map((_, input) => `[p${input}]`).join('')}concat=n=${times.length}[all]`;
  const graph = [...chains, joined].join(';');
  return [...inputs, '-filter_complex', graph, '-map', '[all]', ...asPpm(version)];
}

/** The key frame at a time or before it, where no picture comes after that. */
export function frameBefore(path: string, at: number, side: number, version: string): string[] {
  const input = ['-noaccurate_seek', '-ss', seconds(at), ...guarded(path)];
  return [...input, '-map', PICTURE, '-frames:v', '1', '-vf', scaledTo(side), '-pix_fmt', 'rgb24', ...asPpm(version)];
}

/** The same as JPEG: at a time, else the key frame before. */
export function jpegAt(path: string, at: number, side: number, isBefore: boolean): string[] {
  const input = [...(isBefore ? ['-noaccurate_seek'] : []), ...guardedSpan(path, { from: at, to: at + 20 })];
  const picture = ['-map', PICTURE, '-frames:v', '1', '-vf', `${scaledTo(side)},format=yuvj420p`];
  return [...input, ...picture, '-c:v', 'mjpeg', '-q:v', '4', '-flags', '+bitexact', '-f', 'image2pipe', 'pipe:1'];
}

/** Each as it comes, none twice: ffmpeg 9 does not know the option's old name any more, those before 5.1 not yet the new one. Builds without a number are new. */
function asPpm(version: string): string[] {
  const option = Number.parseFloat(version) < 5.1 ? '-vsync' : '-fps_mode';
  return ['-c:v', 'ppm', option, 'passthrough', '-f', 'image2pipe', 'pipe:1'];
}

/**
 * As it is shown, in square pixels, never larger than it is. Exact arithmetic: the fast one differs between processors.
 */
export function scaledTo(side: number): string {
  const shrink = `min(1,${side}/max(iw*sar,ih))`;
  const size = `w='max(1,round(iw*sar*${shrink}))':h='max(1,round(ih*${shrink}))'`;
  return `scale=${size}:flags=bicubic+accurate_rnd+full_chroma_int+bitexact,setsar=1`;
}

/** Most bytes that so many of them have. */
export const mostBytesOf = (count: number, side: number) => count * (3 * side * side + 64);

/** @throws RangeError where these are no PPM files one after another */
export function picturesOf(ppm: Uint8Array): RawPicture[] {
  const pictures: RawPicture[] = [];
  for (let at = 0; at < ppm.length; ) {
    const header = /^P6\n(\d{1,5}) (\d{1,5})\n255\n/.exec(Buffer.from(ppm.subarray(at, at + 32)).toString('latin1'));
    if (!header) throw new RangeError('no picture begins here');
    const [{ length }, width, height] = [header[0], Number(header[1]), Number(header[2])];
    const [begin, end] = [at + length, at + length + 3 * width * height];
    // The last one may have been cut off with its program.
    if (end > ppm.length) break;
    pictures.push({ width, height, rgb: new Uint8Array(ppm.subarray(begin, end)) });
    at = end;
  }
  return pictures;
}
