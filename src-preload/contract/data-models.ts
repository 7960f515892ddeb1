import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { CLIP_MODEL_KINDS } from './data-names.ts';
import { downloadSchema } from './models.ts';

/** A model of clips that is published, and how it stands here. */
export const clipModelSchema = z.object({
  /** As `data.models` of the settings names it. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  licence: z.string(),
  kind: z.enum(CLIP_MODEL_KINDS),
  isHere: z.boolean(),
  /** Whether the settings name it: another one is of no use until they do. */
  isChosen: z.boolean(),
  /** About how large all its files are together. */
  roughBytes: z.number(),
});
export type ClipModelView = z.infer<typeof clipModelSchema>;

/** How far it is, and the file of it that is being fetched. */
export const clipModelStepSchema = z.object({
  /** Which of its files that is, from 1. */
  file: z.number(),
  files: z.number(),
  /** Bytes of all its files that are here. */
  received: z.number(),
  /** About as many they are together. */
  roughBytes: z.number(),
  download: downloadSchema,
});
export type ClipModelStep = z.infer<typeof clipModelStepSchema>;

const named = z.object({ name: z.string().min(1).max(60) });

/** Models that make numbers and words of clips. None is fetched unasked. */
export const dataModelsContract = {
  models: oc.output(z.array(clipModelSchema)),
  /** Goes on with what was begun; ending it keeps what is here. */
  fetchModel: oc.input(named).output(eventIterator(clipModelStepSchema)),
  /** Deletes its files, and what was begun of them. */
  removeModel: oc.input(named).output(z.void()),
};
