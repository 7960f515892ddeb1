import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { FOCUS_VIDEO_PATH, STRIP_NAME } from '../../../src-preload/contract/focus-limits.ts';
import { ifMissing } from '../../base/swallowed.ts';

/** The video itself, or small pictures of it. */
export type VideoKind = 'video' | 'strip';
const TYPES: Record<VideoKind, string> = { video: 'video/webm', strip: 'image/jpeg' };
const HEADERS = { 'accept-ranges': 'bytes', 'cache-control': 'no-store' };

/**
 * Gives a video to who has a ticket to it: `GET /focus/video/<ticket>`, as a whole or as one range of bytes; and with `/strip.jpg` after it, small pictures of
 * it. It knows nothing of the server before it.
 *
 * @param fileOf where lies what a ticket is for; undefined for one that is not valid
 * @returns 200, 206; 404 without a valid ticket, 405, 416
 */
export async function videoRoad(
  fileOf: (ticket: string, kind: VideoKind) => string | undefined,
  request: Request,
): Promise<Response> {
  const isHead = request.method === 'HEAD';
  if (request.method !== 'GET' && !isHead) return empty(405, { allow: 'GET, HEAD' });
  const [, asked = ''] = new URL(request.url).pathname.split(`${FOCUS_VIDEO_PATH}/`);
  const kind = asked.endsWith(`/${STRIP_NAME}`) ? 'strip' : 'video';
  const path = fileOf(kind === 'strip' ? asked.slice(0, -STRIP_NAME.length - 1) : asked, kind);
  const file = path === undefined ? undefined : await open(path, 'r').catch(ifMissing);
  if (!file) return empty(404);
  const { size } = await file.stat();
  const range = rangeIn(request.headers.get('range'), size);
  if (range !== 'none' && !isHead) return part(file, size, range, TYPES[kind]);
  await file.close();
  return range === 'none' ? empty(416, { 'content-range': `bytes */${size}` }) : empty(200, about(size, TYPES[kind]));
}

interface Range {
  start: number;
  /** Inclusive. */
  end: number;
}

function part(file: FileHandle, size: number, range: Range | undefined, type: string): Response {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const body = Readable.toWeb(file.createReadStream({ start, end })) as ReadableStream<Uint8Array>;
  const headers = {
    ...about(end - start + 1, type),
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  };
  return new Response(body, { status: range ? 206 : 200, headers });
}

/**
 * One range, as RFC 9110 (14.1.2) has it. What is none, or several, is left unheeded, as a server may.
 * @returns undefined for the whole; «none» where not one byte of the range is there
 */
function rangeIn(header: string | null, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? 'none' : { start, end };
}

const about = (bytes: number, type: string) => {
  return { ...HEADERS, 'content-type': type, 'content-length': String(bytes) };
};

const empty = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { ...HEADERS, ...headers } });
