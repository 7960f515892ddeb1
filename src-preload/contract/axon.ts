import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { placeSchema } from './place-schema.ts';
import { saidSchema } from './saying-schema.ts';

/** The axon of this node: what it is on a subnet of Bittensor. */
export const axonStateSchema = z.object({
  running: z.boolean(),
  /** Why it does not run, after a start that failed. */
  error: errorSchema.optional(),
  /** For whom it answers; null while it does not run. */
  hotkey: z.object({ wallet: z.string(), hotkey: z.string(), address: z.string() }).nullable(),
  /** The subnet, as it is set. */
  netuid: z.number().nullable(),
  /** Where it listens; null while it does not run. */
  port: z.number().nullable(),
  /** Where others reach it, and who says so; null where nobody knows. */
  external: placeSchema.extend({ from: z.enum(['settings', 'router', 'peers']) }).nullable(),
  /** Where the chain sends others; null where it names no place, or was not asked yet. */
  announced: placeSchema.nullable(),
  /**
   * Since when it knows who is registered, Unix milliseconds; null before the chain has told. `stale`: the chain did not tell when it was asked last.
   * Null while it does not run, and where no subnet is set.
   */
  neurons: z.object({ readAt: z.number().nullable(), stale: z.boolean() }).nullable(),
  /** Of the SDK whose protocol it speaks, for the announcement. */
  version: z.number(),
  /** Since it was started. */
  answered: z.number(),
  refused: z.array(z.object({ status: z.number(), count: z.number() })),
  /** Whether others reach it, and what to do where they do not. */
  reach: z.object({
    status: z.enum(['ok', 'warn', 'fail', 'skip']),
    found: z.string(),
    advice: z.string().optional(),
    said: saidSchema,
  }),
});
export type AxonState = z.infer<typeof axonStateSchema>;

const name = z.string().min(1).max(64);

/** For whom the axon is to answer; what is left out stays as it is set. */
export const axonChoiceSchema = z.object({
  wallet: name.optional(),
  hotkey: name.optional(),
  netuid: z.int().min(0).max(65_535).optional(),
});
export type AxonChoice = z.infer<typeof axonChoiceSchema>;

export const axonContract = {
  state: oc.output(axonStateSchema),
  /** The state now, and whenever it has changed. */
  watch: oc.output(eventIterator(axonStateSchema)),
  /**
   * Opens it, by the settings as they are now, and sets `axon.enabled`: it opens with the next start, too. A choice is kept in the settings
   * first; an axon that is open for another hotkey or subnet is closed and opened for that one.
   * @throws CONFIG_INVALID with the field at fault, BAD_REQUEST for a hotkey that is not there (nothing is kept then), PORT_IN_USE
   */
  start: oc.input(axonChoiceSchema.optional()).output(axonStateSchema),
  /** Ends what is being answered, and takes `axon.enabled` back. */
  stop: oc.output(axonStateSchema),
  /** Looks again where others reach it: asks the router, other nodes and the chain. Takes up to 15 seconds. */
  check: oc.output(axonStateSchema),
};
