import { MAX_PIECE_BYTES, marketIdSchema } from '../wire.ts';
import type { Piece } from './offers.ts';
import { notFound, Problem } from './problem.ts';

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
