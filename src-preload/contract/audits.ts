import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { nodeIdSchema, sha256Schema } from './keys.ts';
import { MAX_FILE_PIECE_CHARS } from './limits.ts';

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
  /** The device that the model runs on now, where it is another one: by this calibration nobody is found out then, until it is made anew. Null: it is no other. */
  otherDevice: z.string().nullable(),
  /** Unix milliseconds. */
  at: z.number(),
  /** Means above which somebody is found out, by the tokens that were audited. */
  thresholds: z.array(measures.extend({ tokens: z.int() })),
});
export type AuditCalibrationView = z.infer<typeof calibrationSchema>;

/** A calibration that is under way, or how the last one since the start ended. */
const calibrationRunSchema = z.object({
  /** `loading`: the model is not in memory yet. */
  state: z.enum(['loading', 'running', 'done', 'cancelled', 'failed']),
  /** Of the loaded model, with the SHA-256 of its file; null until it is loaded. */
  name: z.string().nullable(),
  model: sha256Schema.nullable(),
  /** Honest answers and probes that were read again, and how many it takes. */
  done: z.int(),
  of: z.int(),
  /** Null while nobody can say. */
  secondsLeft: z.number().nullable(),
  /** Why it `failed`. */
  error: errorSchema.optional(),
});
export type CalibrationRun = z.infer<typeof calibrationRunSchema>;

/** By which model answers can be read again here: that of a file, in this computer's memory. */
const ownModelSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** Another program or machine runs it, and nobody knows its file. */
  z.object({ state: z.literal('elsewhere'), name: z.string() }),
  /** It computes otherwise than its file says, by its settings: honest workers would be found out by it. */
  z.object({ state: z.literal('otherwise'), name: z.string() }),
  z.object({ state: z.literal('ready'), name: z.string(), model: sha256Schema }),
]);

const auditsNowSchema = z.object({ own: ownModelSchema, calibration: calibrationRunSchema.nullable() });
export type AuditsNow = z.infer<typeof auditsNowSchema>;

export const auditFindingSchema = z.object({
  measure: z.enum(['top', 'chosen', 'mismatches']),
  found: z.number(),
  threshold: z.number(),
  tokens: z.int(),
});
export type AuditFindingView = z.infer<typeof auditFindingSchema>;
export type AuditMeasureName = AuditFindingView['measure'];

/** What audits of one worker's answers came to, as means over tokens. */
const workerAuditSchema = measures.extend({
  worker: nodeIdSchema,
  /** SHA-256 of the file that it declares. */
  model: sha256Schema,
  answers: z.int(),
  tokens: z.int(),
  /** What it was found out by; null: by nothing. */
  finding: auditFindingSchema.nullable(),
  /** Unix milliseconds of the last audit. */
  at: z.number(),
  /** Unix milliseconds until which it counts as a newcomer here, for whatever it was found out by; null: it does not. */
  newcomerUntil: z.number().nullable(),
});
export type WorkerAuditView = z.infer<typeof workerAuditSchema>;

const pair = z.object({ worker: nodeIdSchema, model: sha256Schema });

/** A finding with the signed answers that it rests on: whoever has the model can find the same. */
export const auditReportSchema = z.object({
  ...pair.shape,
  finding: auditFindingSchema,
  answers: z.array(z.unknown()),
});
export type AuditReport = z.infer<typeof auditReportSchema>;

/** A report whose answers are signed by its worker, and what whoever wrote it says that they show. */
const broughtReportSchema = z.object({
  ...pair.shape,
  finding: auditFindingSchema,
  answers: z.int(),
  tokens: z.int(),
});
export type BroughtReportView = z.infer<typeof broughtReportSchema>;

const repeatedSchema = measures.extend({
  answers: z.int(),
  tokens: z.int(),
  /** Null: nothing, or there were fewer tokens than the least number that is judged. */
  finding: auditFindingSchema.nullable(),
});
export type RepeatedAudit = z.infer<typeof repeatedSchema>;

export const auditsContract = {
  /** By which model this node can look, and how a calibration goes; now and whenever that changes. */
  watch: oc.output(eventIterator(auditsNowSchema)),
  /**
   * Begins to find out how far honest answers of the loaded model are from how it reads them again; loads the model that is chosen where none is. It goes on whoever
   * asks or leaves, until it ends or is cancelled; nothing where one is under way. How it goes: `watch`.
   */
  calibrate: oc.output(z.void()),
  /** Nothing of it is kept. Nothing where none is under way. */
  cancelCalibration: oc.output(z.void()),
  calibrations: oc.output(z.array(calibrationSchema)),
  /** Those who were found out first, then those who were audited last. */
  list: oc.input(z.object({ limit: z.int().min(1).max(500).default(100) })).output(z.array(workerAuditSchema)),
  /** An {@link AuditReport} as JSON, in pieces. @throws BAD_REQUEST where nobody was found out */
  report: oc.input(pair).output(eventIterator(z.object({ text: z.string() }))),
  /** Brings a piece of a report; `at` is where it belongs, in characters. The first one (0) begins anew. @throws BAD_REQUEST for one that does not follow on the others, or is too much */
  bring: oc
    .input(z.object({ at: z.int().min(0), text: z.string().max(MAX_FILE_PIECE_CHARS) }))
    .output(z.object({ chars: z.int() })),
  /** What the report that was brought says. @throws BAD_REQUEST for one that is none, or that nobody has signed */
  brought: oc.output(broughtReportSchema),
  /** Holds the report that was brought against the loaded model; ends with what came of it. @throws BAD_REQUEST where there is none, another model is loaded, or it is not calibrated; NOT_RUNNING without an engine */
  repeat: oc.output(
    eventIterator(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('progress'), done: z.int(), of: z.int() }),
        z.object({ type: z.literal('done'), result: repeatedSchema }),
      ]),
    ),
  ),
  /** Forgets what was brought. */
  discard: oc.output(z.void()),
};
