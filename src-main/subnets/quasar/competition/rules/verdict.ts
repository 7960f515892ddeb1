import { z } from 'zod';
import { sayingSchema } from '../../../../../src-preload/contract/saying-schema.ts';

/** What is competed in. */
export const TRACKS = ['kernel', 'gpu'] as const;
export type Track = (typeof TRACKS)[number];

/** Of an artefact, at most. */
export const MOST_ARTEFACT_BYTES: Readonly<Record<Track, number>> = { kernel: 1 << 20, gpu: 512 };

const MOST_FAULT_CHARS = 100;
const speed = z.number().positive().max(1e15);
const ratio = z.number().positive().max(1e9);

/** What came of judging an artefact: that it is wrong, and why; or that it is right, and how fast beside the baseline on the same machine. */
export const verdictSchema = z.discriminatedUnion('right', [
  z.object({
    right: z.literal(false),
    /** One word for programs. */
    fault: z.string().min(1).max(MOST_FAULT_CHARS),
    reason: sayingSchema,
    /** Where its first wrong number stands, as far as the judge says it. */
    place: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({
    right: z.literal(true),
    /** Its speed by that of the baseline, of pairs that were run beside each other: the median with its 95 % interval. */
    ratio: z
      .object({ median: ratio, low: ratio, high: ratio, pairs: z.int().min(1).max(1_000_000) })
      .refine(({ low, median, high }) => low <= median && median <= high, 'the median is not in its interval'),
    tokensPerSecond: speed,
    baselineTokensPerSecond: speed,
  }),
]);
export type Verdict = z.infer<typeof verdictSchema>;

export interface JudgeOptions {
  track: Track;
  /** What it is measured against. */
  baseline: Uint8Array;
  /** 64 hex: all chance comes out of it. */
  seed: string;
  /** What it is measured at. */
  tokens: number;
  signal?: AbortSignal;
  /** Told from 0 to 1 how much is done. */
  onProgress?: (done: number) => void;
}

/** Judges one artefact. It throws for failures of this machine, which are no word about the artefact: then it is tried again. */
export type Judge = (artefact: Uint8Array, options: JudgeOptions) => Promise<Verdict>;
