import { z } from 'zod';

/** Of the teacher's likeliest tokens at a place, so many are looked at, at the most: as the original allows (CLaaS, B1). */
export const MAX_TEACHER_TOP = 100;
/** No norm of a gradient comes near it: the same as not bounding it. */
export const MAX_GRAD_NORM = 1e6;

/** How something may be learnt: whoever says it is held to the same bounds, a program at the API, the file of a run, another node, the trainer's own process. */
export const learningNumbers = {
  learningRate: z.number().positive().max(1),
  /** Between the teacher (near 0) and the student (1). */
  mixture: z.number().gt(0, 'at 0 the loss would be 0 whatever the answer: nothing would be learnt').max(1),
  /** Largest importance ratio. */
  isClip: z.number().min(1).max(20),
  /** Largest norm of the gradient; 0: any. */
  maxGradNorm: z.number().min(0).max(MAX_GRAD_NORM),
  /** Weight of the KL from the model without adapter. */
  klWeight: z.number().min(0).max(1),
  teacherTop: z.int().min(10).max(MAX_TEACHER_TOP),
};
