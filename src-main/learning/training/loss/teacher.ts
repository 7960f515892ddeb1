/** The teacher's likeliest tokens at one place, and their natural-log probabilities. */
export interface TeacherTokens {
  tokens: readonly number[];
  logprobs: readonly number[];
}

/** Least sum of probabilities that one divides by (B4). */
export const LEAST_SUM = 1e-8;

/** Probabilities that are made to sum up to 1 over the teacher's tokens, and their logarithms. */
export interface Renormalised {
  probabilities: readonly number[];
  logs: readonly number[];
  /** The sum was too small to divide by: they sum up to less than 1. */
  clamped: boolean;
}

/** @param logprobs natural-log probabilities, of the teacher or of the student, of the same tokens */
export function renormalised(logprobs: readonly number[]): Renormalised {
  const sum = logprobs.reduce((total, logprob) => total + Math.exp(logprob), 0);
  const log = Math.log(Math.max(sum, LEAST_SUM));
  const logs = logprobs.map((logprob) => logprob - log);
  return { logs, probabilities: logs.map(Math.exp), clamped: sum < LEAST_SUM };
}
