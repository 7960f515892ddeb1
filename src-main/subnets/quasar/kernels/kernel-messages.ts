import { z } from 'zod';
import type { FoundFault } from './kernel-instance.ts';

/** What the process that judges is told, once. It is ours that tells it. */
export interface KernelTask {
  /** Modules that {@link checkModule} has nothing against, as base64. */
  kernel: string;
  baseline: string;
  seed: string;
  /** Of the run that is measured; null where it is only checked. */
  tokens: number | null;
  /** Milliseconds for measuring, and for what is tried before it, in the kernel alone. */
  measureMs: number;
  callsMs: number;
}

const shown = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);
const place = z.strictObject({
  kind: z.string().max(100),
  number: z.int().min(0),
  dk: z.int().min(1),
  dv: z.int().min(1),
  chunks: z.array(z.int().min(1)).max(100),
  where: z.enum(['out', 'state']),
  row: z.int().min(0),
  column: z.int().min(0).nullable(),
  expected: shown,
  got: shown,
});
const fault = z.discriminatedUnion('fault', [
  z.strictObject({ fault: z.literal('imports') }),
  z.strictObject({ fault: z.literal('memory') }),
  z.strictObject({ fault: z.literal('tampers') }),
  z.strictObject({ fault: z.literal('exports'), missing: z.enum(['memory', 'step']) }),
  z.strictObject({ fault: z.literal('traps'), error: z.string().max(1_000) }),
  z.strictObject({ fault: z.literal('late'), pairs: z.int().min(0), ms: z.number() }),
  z.strictObject({ fault: z.literal('wrong'), place }),
]) satisfies z.ZodType<FoundFault>;

/** What it says: that from now on the kernel runs; how far it is; and in the end what it has found. */
export const kernelReportSchema = z.union([
  z.strictObject({ begun: z.literal('kernel') }),
  z.strictObject({ done: z.number().min(0).max(1) }),
  /** Of the baseline, which is ours. */
  z.strictObject({ ours: fault }),
  z.strictObject({ found: fault }),
  z.strictObject({ checked: z.strictObject({ cases: z.int().min(1), worstError: z.number().min(0) }) }),
  z.strictObject({
    measured: z.strictObject({
      right: z.literal(true),
      ratio: z.strictObject({
        median: z.number().positive(),
        low: z.number().positive(),
        high: z.number().positive(),
        pairs: z.int().min(1),
      }),
      tokensPerSecond: z.number().positive(),
      baselineTokensPerSecond: z.number().positive(),
    }),
  }),
]);
export type KernelReport = z.infer<typeof kernelReportSchema>;
