import { z } from 'zod';
import { MAX_TOPIC_CHARS, MOST_CLIPS_ASKED } from '../../../src-preload/contract/data-limits.ts';
import { SUBMISSION_KINDS } from '../../../src-preload/contract/data-names.ts';
import { nodeIdSchema, requestIdSchema } from '../../../src-preload/contract/keys.ts';
import { evidence, plain } from '../transport/envelope.ts';

/** In a hello's `caps`: the node takes {@link clipQuestionSchema clip questions}. Who has it not would take one for an offence. */
export const CLIPS_CAP = 'clips';

/** Bytes of UTF-8 of what is handed in, all pieces together. Eight clips with three vectors of 1,024 numbers have 225 kB. */
export const MAX_CLIPS_BYTES = 1 << 20;
/** UTF-16 units of a piece: as JSON, in which one takes six bytes at the most, it stays far below a frame’s cap. */
export const MAX_CLIP_PIECE_CHARS = 64 * 1024;
/** Pieces of an answer: were each full, and of one byte a unit, sixteen would do. */
export const MAX_CLIP_PIECES = 64;
/** Milliseconds that a question may be given at most: ten minutes. */
const MAX_DEADLINE_MS = 600_000;

/**
 * A question for clips of a topic. Signed by who asks and meant for one worker: whoever sees it cannot ask another with it, and what it brought can be
 * held to it. It costs nothing, and has nothing to do with the worker’s engine or queue.
 */
export const clipQuestionSchema = evidence('clip-question', {
  requestId: requestIdSchema,
  worker: nodeIdSchema,
  of: z.enum(SUBMISSION_KINDS),
  /** Not of spaces alone. */
  topic: z.string().max(MAX_TOPIC_CHARS).regex(/\S/),
  /** So many at the most. */
  count: z.int().min(1).max(MOST_CLIPS_ASKED),
  /** Milliseconds from arrival at the worker until nobody waits for it any more. */
  deadlineMs: z.int().min(1).max(MAX_DEADLINE_MS),
});
export type ClipQuestion = z.infer<typeof clipQuestionSchema>;

/** A piece of what is handed in: a text that says nothing to the mesh. */
export const clipPieceSchema = plain('clip-piece', {
  requestId: requestIdSchema,
  /** 0, 1, 2, …: a gap is a protocol error. */
  seq: z
    .int()
    .min(0)
    .max(MAX_CLIP_PIECES - 1),
  text: z.string().min(1).max(MAX_CLIP_PIECE_CHARS),
});
export type ClipPiece = z.infer<typeof clipPieceSchema>;

/** The end of it. What ends a question otherwise is an `inference_error`, or the asker’s `cancel`. */
export const clipEndSchema = plain('clip-end', {
  requestId: requestIdSchema,
  /** So many pieces came before it. */
  pieces: z.int().min(0).max(MAX_CLIP_PIECES),
});
export type ClipEnd = z.infer<typeof clipEndSchema>;

/** A time that a message may name. @param deadlineMs that somebody has */
export const clipDeadline = (deadlineMs: number): number =>
  Math.min(MAX_DEADLINE_MS, Math.max(1, Math.ceil(deadlineMs)));
