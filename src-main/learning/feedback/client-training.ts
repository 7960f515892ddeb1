import { z } from 'zod';

/** How a program wants its feedback to be learnt (CLaaS, B1). */
const trainingSchema = z.strictObject({
  learningRate: z.number().positive().max(1),
  /** Between the teacher (near 0) and the student (1). */
  alpha: z.number().gt(0).max(1),
  /** Largest importance ratio. */
  isClip: z.number().min(1).max(20),
  /** Largest norm of the gradient; 0: any. */
  maxGradNorm: z.number().min(0),
  /** Weight of the KL from the model without adapter. */
  klRegWeight: z.number().min(0).max(1),
  /** Likeliest tokens of the teacher that are looked at. */
  teacherTopK: z.int().min(10).max(100),
});
export type ClientTraining = z.infer<typeof trainingSchema>;

/** What CLaaS takes where a client says nothing: what equals it is no wish. */
export const CLAAS_TRAINING: ClientTraining = {
  learningRate: 3e-5,
  alpha: 0.5,
  isClip: 5,
  maxGradNorm: 1,
  klRegWeight: 0,
  teacherTopK: 100,
};

/** What of it is wished, as JSON; undefined: nothing. The same wishes give the same text. */
export function wishedTraining(training: ClientTraining): string | undefined {
  const names = Object.keys(CLAAS_TRAINING) as (keyof ClientTraining)[];
  const wished = names.filter((name) => training[name] !== CLAAS_TRAINING[name]);
  if (wished.length === 0) return undefined;
  return JSON.stringify(Object.fromEntries(wished.map((name) => [name, training[name]])));
}

/** @param json by {@link wishedTraining} */
export function readTraining(json: string): Partial<ClientTraining> {
  return trainingSchema.partial().parse(JSON.parse(json));
}
