import { execFile } from 'node:child_process';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { seededRandom } from '../../../src-main/base/seeded-random.ts';
import type { MediaFault } from '../../../src-main/clips/media/media.ts';
import { ffmpeg } from './film.ts';
import { aviOf, ebml, jpegHeader, pngBomb } from './hostile-bytes.ts';

/** A file that was made to harm whoever reads it. */
export interface HostileMedia {
  /** Also what it is called in the folder. */
  name: string;
  make: (path: string) => Promise<unknown>;
  /** What is to come of looking at it; `fine`: it is only odd, and clips can be made of it. */
  verdict: MediaFault | 'fine';
}

const run = promisify(execFile);
const made = (path: string, ...args: string[]) => run(ffmpeg(), ['-v', 'error', ...args, '-threads', '1', '-y', path]);
const source = (size: string, more = '') => ['-f', 'lavfi', '-i', `testsrc2=s=${size}${more}`];
const TONE = ['-f', 'lavfi', '-i', 'sine=f=300:d=8'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const webm = (path: string) =>
  made(path, ...source('64x48', ':r=10:d=8'), ...TONE, ...VP9, '-c:a', 'libopus', '-f', 'webm');
const mp4 = (path: string, ...more: string[]) =>
  made(path, ...source('64x48', ':r=10:d=8'), ...TONE, ...H264, ...more, '-c:a', 'aac', '-f', 'mp4');

/** Makes a good file, and changes its bytes. */
async function patched(
  path: string,
  make: (path: string) => Promise<unknown>,
  change: (bytes: Buffer) => Buffer | undefined,
) {
  await make(path);
  const bytes = await readFile(path);
  await writeFile(path, change(bytes) ?? bytes);
}

export const HOSTILE_MEDIA: readonly HostileMedia[] = [
  { name: 'zero-bytes.mp4', verdict: 'damaged', make: (path) => writeFile(path, '') },
  { name: 'text.webm', verdict: 'damaged', make: (path) => writeFile(path, 'Buy this video.\n'.repeat(10_000)) },
  { name: 'gzip-bomb.mp4', verdict: 'damaged', make: (path) => writeFile(path, gzipSync(Buffer.alloc(100_000_000))) },
  {
    name: 'playlist.mp4',
    verdict: 'damaged',
    make: (path) =>
      writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  },
  {
    name: 'concat.mp4',
    verdict: 'damaged',
    make: (path) => writeFile(path, "ffconcat version 1.0\nfile '/etc/passwd'\nfile 'http://127.0.0.1:9/x.mp4'\n"),
  },
  { name: 'noise.ts', verdict: 'damaged', make: noiseInPackets },
  { name: 'only-sound.mp4', verdict: 'noVideo', make: (path) => made(path, ...TONE, '-c:a', 'aac', '-f', 'mp4') },
  {
    name: 'only-cover.mp4',
    verdict: 'noVideo',
    make: (path) =>
      made(
        path,
        ...TONE,
        ...source('64x48', ':d=1'),
        '-c:a',
        'aac',
        '-c:v',
        'mjpeg',
        ...['-frames:v', '1', '-disposition:v', 'attached_pic', '-f', 'mp4'],
      ),
  },
  {
    name: 'moov-missing.mp4',
    verdict: 'damaged',
    make: async (path) => {
      await mp4(path);
      const bytes = await readFile(path);
      await truncate(path, bytes.indexOf('moov') - 4);
    },
  },
  {
    name: 'moov-truncated.mp4',
    verdict: 'noVideo',
    make: async (path) => {
      await mp4(path);
      const bytes = await readFile(path);
      await truncate(path, bytes.indexOf('moov') + 300);
    },
  },
  { name: 'huge-vp9.webm', verdict: 'damaged', make: (path) => patched(path, webm, withHugePictures) },
  {
    name: 'huge-mjpeg.avi',
    verdict: 'damaged',
    make: (path) => writeFile(path, aviOf('MJPG', 65_500, jpegHeader(65_500))),
  },
  {
    name: 'gigapixel-png.avi',
    verdict: 'codec',
    make: (path) => writeFile(path, aviOf('MPNG', 30_000, pngBomb(30_000))),
  },
  {
    name: 'million-pictures-a-second.mp4',
    verdict: 'fine',
    make: (path) =>
      made(path, ...source('16x16', ':r=1000000:d=0.1'), ...H264, '-video_track_timescale', '1000000', '-f', 'mp4'),
  },
  { name: 'endless-header.webm', verdict: 'fine', make: (path) => patched(path, webm, withEndlessDuration) },
  { name: 'deep-tags.mkv', verdict: 'damaged', make: (path) => writeFile(path, deepTags(100_000)) },
  { name: 'thousand-tracks.mkv', verdict: 'damaged', make: (path) => writeFile(path, manyTracks(1_000)) },
  {
    name: 'wrong-codec.webm',
    verdict: 'damaged',
    make: (path) =>
      patched(path, webm, (bytes) => Buffer.from(bytes.toString('latin1').replace('V_VP9', 'V_VP8'), 'latin1')),
  },
  { name: 'looping-clusters.webm', verdict: 'fine', make: (path) => patched(path, webm, withLoopingClusters) },
  { name: 'edit-of-years.mp4', verdict: 'fine', make: (path) => patched(path, mp4, withEdits) },
  { name: 'subtitle-bomb.mkv', verdict: 'fine', make: subtitles },
  {
    name: 'eight-black-hours.mp4',
    verdict: 'fine',
    make: (path) =>
      made(path, '-f', 'lavfi', '-i', 'color=black:s=64x48:r=0.2:d=28800', ...H264, '-g', '20', '-f', 'mp4'),
  },
  {
    name: 'odd-aspect.mkv',
    verdict: 'fine',
    make: (path) => made(path, ...source('2x2400', ':r=5:d=8'), '-vf', 'setsar=1/30000', ...H264, '-f', 'matroska'),
  },
  { name: 'growing-pictures.mkv', verdict: 'fine', make: growing },
  { name: '%03d|concat:-i.mp4', verdict: 'fine', make: (path) => mp4(path) },
];

/** Packets of a television stream with a table of noise. */
async function noiseInPackets(path: string): Promise<void> {
  const random = seededRandom(3);
  const bytes = Buffer.alloc(188 * 20_000);
  for (let at = 0; at < bytes.length; at++) bytes[at] = at % 188 === 0 ? 0x47 : Math.floor(random.uniform() * 256);
  await writeFile(path, bytes);
}

/** In VP9's header, after its sync code and four bits, are two numbers of 16 bits: width and height, less one. */
function withHugePictures(bytes: Buffer): undefined {
  const sync = Buffer.from('498342', 'hex');
  for (let at = bytes.indexOf(sync); at >= 0; at = bytes.indexOf(sync, at + 3)) {
    bytes[at + 3] = ((bytes[at + 3] ?? 0) & 0xf0) | 0x0f;
    bytes.fill(0xff, at + 4, at + 7);
    bytes[at + 7] = ((bytes[at + 7] ?? 0) & 0x0f) | 0xf0;
  }
}

/** The length in the header: 8 bytes, milliseconds. */
function withEndlessDuration(bytes: Buffer): undefined {
  bytes.writeDoubleBE(1e15, bytes.indexOf(Buffer.from('448988', 'hex')) + 3);
}

function deepTags(levels: number): Buffer {
  let inside = Buffer.alloc(0);
  // Each level is a few bytes longer than what it holds: sizes of a fixed length keep this linear.
  const parts: Buffer[] = [];
  for (let level = 0; level < levels; level++) {
    const header = Buffer.from('67c810000000', 'hex');
    header.writeUInt32BE(0x1000_0000 + inside.length + 6 * level, 2);
    parts.unshift(header);
  }
  inside = Buffer.concat(parts);
  return Buffer.concat([HEADER, ebml('18538067', ebml('1254c367', ebml('7373', inside)))]);
}

const HEADER = ebml('1a45dfa3', ebml('4282', Buffer.from('webm')));

function manyTracks(count: number): Buffer {
  const video = ebml('e0', Buffer.concat([ebml('b0', Buffer.from([64])), ebml('ba', Buffer.from([48]))]));
  const tracks = Array.from({ length: count }, (_, index) => {
    const number = Buffer.from([(index + 1) >> 8, (index + 1) & 0xff]);
    const kind = [ebml('83', Buffer.from([1])), ebml('86', Buffer.from('V_VP9'))];
    return ebml('ae', Buffer.concat([ebml('d7', number), ebml('73c5', number), ...kind, video]));
  });
  return Buffer.concat([HEADER, ebml('18538067', ebml('1654ae6b', Buffer.concat(tracks)))]);
}

/** All that was seen comes again and again, each time from its beginning. */
function withLoopingClusters(bytes: Buffer): Buffer {
  const first = bytes.indexOf(Buffer.from('1f43b675', 'hex'));
  const clusters = bytes.subarray(first, bytes.indexOf(Buffer.from('1c53bb6b', 'hex'), first));
  // The size of it all becomes «unknown»: until the end of the file.
  const segment = bytes.indexOf(Buffer.from('18538067', 'hex')) + 4;
  bytes.write('01ffffffffffffff', segment, 'hex');
  return Buffer.concat([bytes.subarray(0, first), ...Array<Buffer>(300).fill(clusters)]);
}

/** The first track’s list of edits says that it lasts for years. */
function withEdits(bytes: Buffer): undefined {
  const at = bytes.indexOf('elst');
  bytes.writeUInt32BE(0x7fff_ffff, at + 12);
}

async function subtitles(path: string): Promise<void> {
  const lines = Array.from({ length: 60_000 }, (_, index) => {
    const begin = `00:00:${String(Math.floor(index / 1_000)).padStart(2, '0')},${String(index % 1_000).padStart(3, '0')}`;
    return `${index + 1}\n${begin} --> 09:00:00,000\n<b>${'x'.repeat(50)}\n`;
  });
  await writeFile(`${path}.srt`, lines.join('\n'));
  await made(path, ...source('64x48', ':r=10:d=8'), '-i', `${path}.srt`, ...H264, '-c:s', 'srt', '-f', 'matroska');
}

/** Small ones, and then ones of 4K. */
async function growing(path: string): Promise<void> {
  for (const [name, size] of [
    ['small', '64x48'],
    ['large', '3840x2160'],
  ])
    await made(`${path}.${name}`, ...source(size as string, ':r=5:d=4'), ...VP9, '-f', 'matroska');
  await writeFile(`${path}.list`, `file '${path}.small'\nfile '${path}.large'\n`);
  await made(path, '-f', 'concat', '-safe', '0', '-i', `${path}.list`, '-c', 'copy', '-f', 'matroska');
}

/** Makes all of them. @returns where each is */
export async function makeHostileMedia(folder: string): Promise<(HostileMedia & { path: string })[]> {
  const files = HOSTILE_MEDIA.map((each) => ({ ...each, path: join(folder, each.name) }));
  for (const { path, make } of files) await make(path);
  return files;
}
