import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ifMissing } from './swallowed.ts';

const HEADERS = { 'accept-ranges': 'bytes', 'cache-control': 'no-store' };

/** A file that whoever asks may have, and what it is: `video/webm`. */
export interface GivenFile {
  path: string;
  type: string;
}

/**
 * Gives a file, as a whole or as one range of bytes, to who asks with GET or HEAD. It knows nothing of the server before it.
 *
 * @param fileOf what is asked for; undefined where there is none for whoever asks
 * @returns 200, 206; 404 without a file, 405, 416
 */
export async function rangedFile(request: Request, fileOf: () => GivenFile | undefined): Promise<Response> {
  const isHead = request.method === 'HEAD';
  if (request.method !== 'GET' && !isHead) return empty(405, { allow: 'GET, HEAD' });
  const given = fileOf();
  const file = given && (await open(given.path, 'r').catch(ifMissing));
  if (!file) return empty(404);
  const { size } = await file.stat();
  const range = rangeIn(request.headers.get('range'), size);
  if (range !== 'none' && !isHead) return part(file, size, range, given.type);
  await file.close();
  return range === 'none' ? empty(416, { 'content-range': `bytes */${size}` }) : empty(200, about(size, given.type));
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
