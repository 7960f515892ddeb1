import { z } from 'zod';
import { jsonExcess } from '../../../../base/json-shape.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { NO_BODY } from '../signing.ts';
import { MAX_PIECE_BYTES, marketIdSchema } from '../wire.ts';
import type { Caller } from './gate.ts';
import type { Piece } from './offers.ts';
import { notFound, Problem } from './problem.ts';

/** @throws Problem UNAUTHORIZED for another body than the one that was signed */
export function refuseOtherBody({ bodySha256 }: Caller, body: unknown): void {
  const found = Buffer.isBuffer(body) ? sha256(body).toString('hex') : NO_BODY;
  if (found !== bodySha256) throw new Problem('UNAUTHORIZED', 'The body is not the one that was signed.');
}

/** A JSON body, measured before it is parsed. @throws Problem BAD_REQUEST with the field at fault */
export function readJson<T>(schema: z.ZodType<T>, body: unknown): T {
  if (!Buffer.isBuffer(body)) throw new Problem('BAD_REQUEST', 'A JSON body is missing.');
  if (jsonExcess(body)) throw new Problem('BAD_REQUEST', 'The body has more in it than any request needs.');
  return shaped(schema, parsed(body.toString('utf8')));
}

/** @throws Problem BAD_REQUEST with the field at fault */
export function shaped<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Problem('BAD_REQUEST', z.prettifyError(read.error).slice(0, 300), { field: issue?.path.join('.') ?? '' });
}

/** An id of a path: nothing else gets as far as a file or the database. @throws Problem NOT_FOUND */
export function readId(params: unknown, name: 'id' | 'purchase', what: Parameters<typeof notFound>[0]): string {
  const read = marketIdSchema.safeParse((params as Record<string, unknown>)[name]);
  if (read.success) return read.data;
  throw notFound(what);
}

const RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** @throws Problem BAD_REQUEST */
export function readPiece(header: string | undefined): Piece {
  const [first = -1, last = -1, all = -1] = (RANGE.exec(header ?? '') ?? []).slice(1).map(Number);
  if (first >= 0 && last >= first && last < all && last - first < MAX_PIECE_BYTES) return { first, last, all };
  const message = `It is bytes <first>-<last>/<all>, of at most ${MAX_PIECE_BYTES} bytes.`;
  throw new Problem('BAD_REQUEST', message, { field: 'content-range' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('BAD_REQUEST', 'The body is no JSON.', { cause });
  }
}
