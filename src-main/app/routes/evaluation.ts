import type { EvaluationPart } from '../parts/evaluation.ts';
import type { Domain } from './implementer.ts';

/** The contract's `evaluation`. */
export function evaluationRoutes(
  { os, named }: Domain<'evaluation'>,
  { evaluation: { desk: evaluation, files } }: { evaluation: EvaluationPart },
) {
  return {
    suites: os.suites.handler(() => evaluation.suites()),
    fit: os.fit.handler(({ input, signal }) => evaluation.fit(input, signal)),
    start: os.start.handler(({ input }) => evaluation.start(input)),
    resume: os.resume.handler(({ input }) => evaluation.resume(input.id)),
    pause: os.pause.handler(({ input }) => evaluation.pause(input.id)),
    remove: os.remove.handler(({ input }) => evaluation.remove(input.id)),
    list: os.list.handler(({ input }) => evaluation.list(input.limit, input.before)),
    watch: os.watch.handler(({ input, signal }) => named(evaluation.watch(input.id, signal))),
    files: os.files.handler(() => files.list()),
    fetch: os.fetch.handler(({ input, signal }) => named(files.fetch(input, signal))),
    answers: os.answers.handler(({ input }) => evaluation.answers(input.id, input.limit, input.after, input.of)),
    scores: os.scores.handler(({ input }) => evaluation.scores(input.id)),
    question: os.question.handler(({ input }) => evaluation.question(input.id, input.text, input.question)),
  };
}
