import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { chunkActivitySchema } from '../../../src-preload/contract/focus.ts';
import {
  CHUNK_KEY_HEADER,
  MAX_CHUNK_BYTES,
  MAX_CHUNKS,
  MAX_PARTS,
} from '../../../src-preload/contract/focus-limits.ts';
import { badInput } from '../../base/bad-input.ts';
import { wholeBody } from '../../base/whole-body.ts';
import { notLive, wrongSize } from '../focus-problems.ts';
import type { Recorder } from './recorder.ts';

const MAX_TOKEN_CHARS = 128;
/** A chunk’s address says what it is; absent counts were not told. */
const numbers = z.object({
  part: z.coerce.number().pipe(z.int().min(0).max(MAX_PARTS)),
  chunk: z.coerce.number().pipe(z.int().min(0).max(MAX_CHUNKS)),
  activeMs: z.coerce.number().pipe(chunkActivitySchema.shape.activeMs),
  motion: z.coerce.number().pipe(chunkActivitySchema.shape.motion),
  keys: optional(chunkActivitySchema.shape.keys),
  clicks: optional(chunkActivitySchema.shape.clicks),
  moves: optional(chunkActivitySchema.shape.moves),
  picture: chunkActivitySchema.shape.picture,
});

function optional<Count extends z.ZodType<number | null, number | null>>(count: Count) {
  return z
    .string()
    .optional()
    .transform((text) => (text === undefined || text === '' ? null : Number(text)))
    .pipe(z.custom<number | null>().pipe(count));
}

/**
 * Takes chunks of a recording, each the body of a request: `POST /focus/chunks?part=0&chunk=7&activeMs=8000&motion=12`, with the recording’s own key in
 * {@link CHUNK_KEY_HEADER}. It knows nothing of the server before it.
 *
 * @returns 200 with what the recorder says; 400, 401, 507 or 500 with the error
 */
export async function chunkRoad(recorder: Pick<Recorder, 'take' | 'checkKey'>, request: Request): Promise<Response> {
  try {
    const token = request.headers.get(CHUNK_KEY_HEADER);
    if (!token || token.length > MAX_TOKEN_CHARS) throw notLive();
    recorder.checkKey(token); // before anything is read
    const { part, chunk, ...activity } = addressed(new URL(request.url).searchParams);
    const bytes = await bodyOf(request);
    return Response.json(await recorder.take(token, { part, chunk, activity, bytes }));
  } catch (error) {
    const { code, message, ...rest } = QuarryError.from(error).toJSON();
    return Response.json({ code, message, ...rest }, { status: STATUS[code] ?? 500 });
  }
}

const STATUS: Partial<Record<string, number>> = { BAD_REQUEST: 400, UNAUTHORIZED: 401, DISK_FULL: 507 };

function addressed(query: URLSearchParams): z.output<typeof numbers> {
  const { success, data, error } = numbers.safeParse(Object.fromEntries(query));
  if (success) return data;
  throw badInput(error.issues[0], error);
}

/** No more of it is read than may be. */
async function bodyOf(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_CHUNK_BYTES) throw wrongSize();
  return await wholeBody(request, MAX_CHUNK_BYTES, wrongSize);
}
