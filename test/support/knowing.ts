import type { ContextTask } from '../../src-main/subnets/quasar/tasks/context-task.ts';
import type { Environment } from '../../src-main/validation/environment.ts';

/**
 * An environment of long texts whose right answers are noted as they are posed, by their questions, which are all made anew: what a good model finds by reading, one of a
 * test knows.
 */
export function knowing(environment: Environment): {
  environment: Environment;
  /** Empty for what was not posed. */
  answerOf: (question: string) => string;
} {
  const answers = new Map<string, string>();
  return {
    environment: {
      ...environment,
      async pose(random, level) {
        const posed = (await environment.pose(random, level)) as { task: ContextTask };
        const ask = environment.ask?.(posed);
        answers.set(ask?.kind === 'longText' ? ask.text.question : '', posed.task.expected[0] ?? '');
        return posed;
      },
    },
    answerOf: (question) => answers.get(question) ?? '',
  };
}
