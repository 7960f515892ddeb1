import type { EvaluationPart } from '../parts/inference/evaluation.ts';
import type { Domain } from './implementer.ts';

/** The contract's `evaluation`. */
export function evaluationRoutes(
  { os, named }: Domain<'evaluation'>,
  { evaluation: { suites, fit, runs, results, files } }: { evaluation: EvaluationPart },
) {
  return {
    suites: os.suites.handler(() => suites()),
    fit: os.fit.handler(({ input, signal }) => fit(input, signal)),
    start: os.start.handler(({ input }) => runs.start(input)),
    resume: os.resume.handler(({ input }) => runs.resume(input.id)),
    pause: os.pause.handler(({ input }) => runs.pause(input.id)),
    remove: os.remove.handler(({ input }) => runs.remove(input.id)),
    list: os.list.handler(({ input }) => results.list(input.limit, input.before)),
    watch: os.watch.handler(({ input, signal }) => named(results.watch(input.id, signal))),
    files: os.files.handler(() => files.list()),
    fetch: os.fetch.handler(({ input, signal }) => named(files.fetch(input, signal))),
    answers: os.answers.handler(({ input }) => results.answers(input.id, input.limit, input.after, input.of)),
    scores: os.scores.handler(({ input }) => results.scores(input.id)),
    question: os.question.handler(({ input }) => results.question(input.id, input.text, input.question)),
  };
}
