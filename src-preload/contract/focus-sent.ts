import { oc } from '@orpc/contract';
import { z } from 'zod';
import { recordingId } from './focus.ts';

/** What of a recording can leave this computer. */
export const SENT_THINGS = ['stills', 'text', 'video', 'card'] as const;
export type SentThing = (typeof SENT_THINGS)[number];
/** `click`: a person said so for this very recording. `setting`: one said so for all, in the settings. */
export const SENT_BY = ['click', 'setting'] as const;
export type SentBy = (typeof SENT_BY)[number];
export const MAX_SENT_TO_CHARS = 500;

/** Something that left this computer, or was about to: it is written down before. */
export const sentSchema = z.object({
  /** Unix milliseconds. */
  at: z.number(),
  /** Its id; it may be deleted by now. */
  recording: z.string(),
  what: z.enum(SENT_THINGS),
  /** The address. */
  to: z.string(),
  bytes: z.number(),
  by: z.enum(SENT_BY),
});
export type Sent = z.infer<typeof sentSchema>;

export const focusSentContract = {
  /** Newest first. @param recording default: of all, also of those that are deleted */
  sent: oc
    .input(z.object({ recording: recordingId.optional(), limit: z.int().min(1).max(500).default(100) }))
    .output(z.array(sentSchema)),
};
