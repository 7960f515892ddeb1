import { z } from 'zod';
import { finishSchema } from '../../../../src-preload/contract/inference.ts';
import { messageSchema } from '../../../../src-preload/contract/request.ts';
import type { MeasuredAnswers } from './measured.ts';

const figure = z.number();

const collapseSchema = z.object({
  ...{ entropy: figure, selfRouge: figure, meanLogprob: figure, words: figure, sentences: figure },
});

/** What of a look people are shown, and is kept for good: no answers, which are most of it. */
export const shownMeasuresSchema = z.object({
  passes: z.array(z.boolean()),
  capability: z.record(z.string(), figure),
  margins: z.array(z.object({ sum: figure, perToken: figure })).optional(),
  collapse: collapseSchema.optional(),
});
export type ShownMeasures = z.infer<typeof shownMeasuresSchema>;

const answerSchema = z.object({
  text: z.string(),
  finish: finishSchema.optional(),
  messages: z.array(messageSchema).optional(),
});

/** All that was measured, as a run reads it again that goes on. */
export const measuredAnswersSchema = shownMeasuresSchema.extend({
  compliance: z.object({
    ...{ scores: z.array(figure), passes: z.array(z.boolean()), mean: figure, answers: z.array(answerSchema) },
  }),
  answers: z.object({
    ...{ sentences: figure, words: figure, empty: figure, ended: figure, circling: figure },
    plausibility: figure.optional(),
  }),
}) satisfies z.ZodType<MeasuredAnswers>;

export function shownMeasures({ passes, capability, margins, collapse }: MeasuredAnswers): ShownMeasures {
  return { passes: [...passes], capability, ...(margins && { margins: [...margins] }), ...(collapse && { collapse }) };
}
