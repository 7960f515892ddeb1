import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { nodeIdSchema, sha256Schema } from './keys.ts';

/** Whether workers compute with the model that they declare. */

const measures = z.object({ top: z.number(), chosen: z.number(), mismatches: z.number() });

/** What honest answers of a model look like on this machine. */
const calibrationSchema = z.object({
  model: sha256Schema,
  name: z.string(),
  tokens: z.int(),
  answers: z.int(),
  /** What computed: `cpu`, `cuda`, … */
  device: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  /** Means above which somebody is found out, by the tokens that were audited. */
  thresholds: z.array(measures.extend({ tokens: z.int() })),
});
export type AuditCalibrationView = z.infer<typeof calibrationSchema>;

const findingSchema = z.object({
  measure: z.enum(['top', 'chosen', 'mismatches']),
  found: z.number(),
  threshold: z.number(),
  tokens: z.int(),
});

/** What audits of one worker's answers came to, as means over tokens. */
const workerAuditSchema = measures.extend({
  worker: nodeIdSchema,
  /** SHA-256 of the file that it declares. */
  model: sha256Schema,
  answers: z.int(),
  tokens: z.int(),
  /** What it was found out by; null: by nothing. */
  finding: findingSchema.nullable(),
  /** Unix milliseconds of the last audit. */
  at: z.number(),
});
export type WorkerAuditView = z.infer<typeof workerAuditSchema>;

const pair = z.object({ worker: nodeIdSchema, model: sha256Schema });

/** A finding with the signed answers that it rests on: whoever has the model can find the same. */
export const auditReportSchema = z.object({ ...pair.shape, finding: findingSchema, answers: z.array(z.unknown()) });
export type AuditReport = z.infer<typeof auditReportSchema>;

const repeatedSchema = measures.extend({ answers: z.int(), tokens: z.int(), finding: findingSchema.nullable() });
export type RepeatedAudit = z.infer<typeof repeatedSchema>;

export const auditsContract = {
  /** Finds out how far honest answers of the loaded model are from how it reads them again; ends with the thresholds. @throws NOT_RUNNING without an engine */
  calibrate: oc.output(
    eventIterator(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('progress'), done: z.int(), of: z.int() }),
        z.object({ type: z.literal('done'), calibration: calibrationSchema }),
      ]),
    ),
  ),
  calibrations: oc.output(z.array(calibrationSchema)),
  /** Those who were found out first, then those who were audited last. */
  list: oc.input(z.object({ limit: z.int().min(1).max(500).default(100) })).output(z.array(workerAuditSchema)),
  /** @throws BAD_REQUEST where nobody was found out */
  report: oc.input(pair).output(auditReportSchema),
  /** Holds what a report says against the loaded model. @throws BAD_REQUEST for one that nobody has signed, and where another model is loaded */
  repeat: oc.input(z.object({ report: auditReportSchema })).output(repeatedSchema),
};
