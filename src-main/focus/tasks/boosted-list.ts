import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_TASK_DESCRIPTION_CHARS, MAX_TASK_TITLE_CHARS } from '../../../src-preload/contract/focus-limits.ts';
import { listedTaskId } from '../../../src-preload/contract/focus-task-kinds.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { foreignLine, withoutControls } from '../../base/foreign-text.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { taggedBytes, type Verify } from '../../base/signing.ts';

/** A file of more tasks than fit into this is no list for people. */
export const MAX_LIST_BYTES = 256 * 1024;
const MAX_TASKS = 200;
/** The list, its tasks, and a task in it. */
const MAX_LEVELS = 3;
/** So that no signature of a list is good for something else. */
const TAG = 'quarry-focus-tasks-v1';

/** What has halves of characters cannot be signed: RFC 8785 knows no bytes for it. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((given) => given.isWellFormed());
const line = (most: number) => text(most).transform(foreignLine).pipe(z.string().min(1));

const boostedTaskSchema = z.strictObject({
  id: listedTaskId,
  title: line(MAX_TASK_TITLE_CHARS),
  description: text(MAX_TASK_DESCRIPTION_CHARS).transform((given) => withoutControls(given).trim()),
  /** Of the score (OMEGA, B11, whose documents say 2 to 5). */
  multiplier: z.number().min(1).max(5),
  /** Unix milliseconds. */
  validUntil: z.int().min(0),
});
export type BoostedTask = z.infer<typeof boostedTaskSchema>;

const listSchema = z.strictObject({
  /** Counts up: an older list is not taken again. */
  number: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  tasks: boundedArray(boostedTaskSchema, MAX_TASKS),
  /** Ed25519, of {@link signedBytes}. */
  signature: z.string().regex(hexPattern(64)),
});
export type BoostedList = Omit<z.infer<typeof listSchema>, 'signature'>;

/** The bytes that are signed of a list: everything in it but the signature, as it stands in the file. */
export function signedBytes(list: { number: unknown; tasks: unknown }): Buffer {
  const { number, tasks } = list;
  return taggedBytes(TAG, { number, tasks });
}

/**
 * Reads a list that a stranger sent: its size first, then its shape, then who signed it.
 * @param signer by whom it has to be signed, 64 hex
 * @throws BAD_REQUEST that says why it is not taken
 */
export function readBoostedList(bytes: Uint8Array, signer: string, verify: Verify): BoostedList {
  if (bytes.length > MAX_LIST_BYTES) throw notTaken(say('focusTasks.tooLarge', { most: MAX_LIST_BYTES }));
  const value = jsonOf(bytes);
  const { data, error } = listSchema.safeParse(value);
  if (!data) throw notTaken(say('focusTasks.shape', { where: error.issues[0]?.path.join('.') || 'list' }));
  if (!verify(signer, signedBytes(value as { number: unknown; tasks: unknown }), data.signature))
    throw notTaken(say('focusTasks.notSigned'));
  const { signature: _, ...list } = data;
  const ids = list.tasks.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw notTaken(say('focusTasks.twice', { id: twice }));
  return list;
}

/**
 * Whether a list takes the place of the one that is known; the very same one does not.
 * @throws BAD_REQUEST for an older one, and for another one with the same number
 */
export function isNewerList(list: BoostedList, known: BoostedList | undefined): boolean {
  if (!known || list.number > known.number) return true;
  const { number } = list;
  if (number < known.number) throw notTaken(say('focusTasks.older', { number, known: known.number }));
  if (!signedBytes(list).equals(signedBytes(known))) throw notTaken(say('focusTasks.other', { number }));
  return false;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    if (jsonExcess(bytes, MAX_LEVELS)) throw new Error('too deep, or too full');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw notTaken(say('focusTasks.notJson'), cause);
  }
}

const notTaken = (why: Saying, cause?: unknown) =>
  new QuarryError(
    { code: 'BAD_REQUEST', message: say('focusTasks.refused', { why }), hint: say('focusTasks.refused.hint') },
    { cause },
  );
