import { type Span, UnusableMedia } from './media.ts';

/**
 * What a stranger's file may be. No lists of other files (playlists, `concat`, numbered pictures), no subtitles, no scripts: only containers that hold
 * all that they need, and decoders that everybody uses and attacks.
 */
const CONTAINERS: readonly string[] = [
  'matroska',
  'webm',
  'mov',
  'mp4',
  'm4a',
  '3gp',
  'avi',
  'mpegts',
  'mpeg',
  'ogg',
  'flv',
];

/** By their names in ffmpeg, as codecs. */
export const VIDEO_CODECS: ReadonlySet<string> = new Set([
  ...['vp8', 'vp9', 'av1', 'h264', 'hevc', 'mpeg4', 'mpeg2video', 'mpeg1video', 'theora', 'mjpeg', 'h263', 'flv1'],
]);
export const AUDIO_CODECS: ReadonlySet<string> = new Set([
  ...['opus', 'vorbis', 'aac', 'mp3', 'mp2', 'ac3', 'flac', 'alac', 'pcm_s16le', 'pcm_s16be', 'pcm_u8'],
]);

/** What decodes them, as far as those have other names. */
const OTHER_DECODERS = ['libdav1d', 'libaom-av1', 'flv', 'mp3float', 'mp2float', 'libvpx-vp9', 'libopus'];
/** What else good videos have in them: a file is refused as a whole where a stream may not be opened. Nothing of it is used. */
const BESIDE = ['png', 'subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'dvdsub', 'pgssub', 'eac3', 'dca'];

/** What sounds come in beside these, without pictures. */
const SOUND_CONTAINERS = ['wav', 'mp3', 'flac', 'aac', ...CONTAINERS];
const SOUND_DECODERS = ['pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_mulaw', 'pcm_alaw'];

/** Pixels of a picture: somewhat more than 8K has. */
export const MOST_PIXELS = 36_000_000;
/** Streams of a file: a film has its sound in some languages. */
const MOST_STREAMS = 40;

/** Before a program's other arguments. Nothing is asked of whoever sits at a keyboard. */
export const QUIETLY = ['-hide_banner', '-v', 'error'];

/**
 * Arguments by which ffmpeg and ffprobe open a file that may have been made to harm: as this file alone, whatever it names; by one thread.
 * @param path absolute
 */
export function guarded(path: string): string[] {
  return opened(path, CONTAINERS, []);
}

function opened(path: string, containers: readonly string[], decoders: readonly string[]): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe'],
    ...['-format_whitelist', containers.join(',')],
    ...['-codec_whitelist', [...VIDEO_CODECS, ...AUDIO_CODECS, ...OTHER_DECODERS, ...BESIDE, ...decoders].join(',')],
    ...['-max_streams', `${MOST_STREAMS}`, '-max_pixels', `${MOST_PIXELS}`],
    ...['-probesize', '5000000', '-analyzeduration', '10000000', '-threads', '1'],
    ...['-i', `file:${path}`],
  ];
}

/** The same for a stretch of it: decoded from the key frame before. */
export function guardedSpan(path: string, { from, to }: Span): string[] {
  return ['-ss', seconds(from), '-t', seconds(to - from), ...guarded(path)];
}

/** The same for a stretch of a file that may be sound alone. */
export function guardedSound(path: string, { from, to }: Span): string[] {
  return ['-ss', seconds(from), '-t', seconds(to - from), ...opened(path, SOUND_CONTAINERS, SOUND_DECODERS)];
}

/** As ffmpeg reads a time, to the microsecond. */
export function seconds(value: number): string {
  return value.toFixed(6);
}

/** Its first stream of pictures that move: a cover is none. And its first sound. */
export const [PICTURE, SOUND] = ['0:V:0', '0:a:0'] as const;

/** What a program's complaint says about a file. */
export function faultOf(complaint: string): UnusableMedia {
  if (/Codec .{0,60} not on whitelist|Decoder .{0,60} not found/i.test(complaint)) return new UnusableMedia('codec');
  if (/Cannot allocate memory|exceeds max_(?:pixels|streams)|Picture size .{0,40} is invalid/i.test(complaint))
    return new UnusableMedia('tooLarge');
  if (/matches no streams|does not contain any stream/i.test(complaint)) return new UnusableMedia('noVideo');
  return new UnusableMedia('damaged', { cause: complaint.trim() });
}
