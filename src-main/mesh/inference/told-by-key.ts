import { z } from 'zod';
import { boundedArray, boundedRecord } from '../../../src-preload/contract/bounded.ts';
import { ENGLISH } from '../../../src-preload/contract/domains.ts';
import { type Saying, sentence, type Words } from '../../../src-preload/contract/saying.ts';

/** Longest text in a sentence, as long as the sentence itself may be, in characters. */
const MAX_TEXT_CHARS = 500;
/** Longest key, and name of a parameter. */
const MAX_NAME_CHARS = 64;
const MAX_PARAMS = 8;
const MAX_LISTED = 8;

const name = z.string().max(MAX_NAME_CHARS);
const text = z.string().max(MAX_TEXT_CHARS);
const inner = z.strictObject({
  key: name,
  params: boundedRecord(name, z.union([text, z.number()]), MAX_PARAMS).optional(),
});
const param = z.union([text, z.number(), inner, boundedArray(z.union([text, inner]), MAX_LISTED)]);

/** A sentence as key and parameters, which may be sentences, though no deeper: as much as what a worker says needs. */
export const toldByKeySchema = z.strictObject({
  key: name,
  params: boundedRecord(name, param, MAX_PARAMS).optional(),
});

/** What stands behind a sentence as it is sent. @returns undefined where it is not known, too long, or not the sentence as it is sent */
export function keyFor(sent: string, saying: Saying | undefined): z.infer<typeof toldByKeySchema> | undefined {
  return saying && sentence(saying) === sent ? toldByKeySchema.safeParse(saying).data : undefined;
}

/**
 * A peer's sentence, by its key where that says the very same here: what the screens show in another language is then what
 * logs and programs have in English. Else, also where a newer peer says what this node does not know, the sentence itself.
 */
export function wordsFor(sent: string, saying: Saying | undefined): Words {
  return saying && Object.hasOwn(ENGLISH, saying.key) && sentence(saying) === sent ? saying : sent;
}
