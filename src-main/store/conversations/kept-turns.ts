import { z } from 'zod';
import {
  type AskOptions,
  askOptionsSchema,
  type Sources,
  type ToolUse,
} from '../../../src-preload/contract/conversations.ts';
import { type ErrorView, errorSchema } from '../../../src-preload/contract/error-schema.ts';
import { PAID_FROM, type Paid } from '../../../src-preload/contract/inference.ts';

/*
 * What of a conversation stands on disks as JSON. These are not the contract's schemas: those may ask for more or allow less in a later
 * version, and what was kept before still has to open. A field that is added here is optional or has a default; none is taken away.
 */

/** What a question brought along: with its text, or with the number of a long file, which stands in tables of its own. */
const filesSchema = z.array(
  z.union([
    z.object({ name: z.string(), text: z.string() }),
    z.object({ name: z.string(), chars: z.int(), long: z.int() }),
  ]),
);
export type KeptFile = z.infer<typeof filesSchema>[number];

const paidSchema = z.array(z.object({ worker: z.string(), credits: z.number(), from: z.enum(PAID_FROM) }));

const usesSchema = z.array(
  z.object({
    number: z.int(),
    round: z.int(),
    tool: z.string(),
    arguments: z.string(),
    result: z.string().nullable(),
    failed: z.boolean(),
    at: z.int(),
  }),
);

const sourcesSchema = z.object({
  by: z.enum(['meaning', 'words']),
  passages: z.array(z.object({ file: z.string(), page: z.int().nullable(), text: z.string() })),
});

const brokenErrorSchema = z.object({ message: z.string().catch('') });

export const readFiles = (text: string): KeptFile[] => filesSchema.parse(JSON.parse(text));
export const readPaid = (text: string): Paid[] => paidSchema.parse(JSON.parse(text));
export const readUses = (text: string): ToolUse[] => usesSchema.parse(JSON.parse(text));
export const readSources = (text: string): Sources => sourcesSchema.parse(JSON.parse(text));

/** An error whose code or wording is no longer known is told as it was said then. */
export function readError(text: string): ErrorView {
  const kept: unknown = JSON.parse(text);
  const { data } = errorSchema.safeParse(kept);
  return data ?? { code: 'INTERNAL', message: brokenErrorSchema.parse(kept).message };
}

/** How answers are made. What is no longer allowed counts as not set. */
export const readOptions = (text: string): AskOptions => soundFields(askOptionsSchema, text);

/** The fields of an object, without those that its schema refuses. Each field of the schema has to be optional. */
export function soundFields<Schema extends z.ZodObject>(schema: Schema, text: string): z.infer<Schema> {
  const kept = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const sound = Object.entries(schema.shape).filter(([key, field]) => z.safeParse(field, kept[key]).success);
  return schema.parse(Object.fromEntries(sound.map(([key]) => [key, kept[key]])));
}
