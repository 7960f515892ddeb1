import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Container, ExportStep } from '../../../../src-preload/contract/focus.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

export type Made = Extract<ExportStep, { type: 'done' }>;

/**
 * Reads until the file is there, and goes on listening, for its sake.
 * @param onDone told how far it is, from 0 to 1
 * @throws what the stream throws; NOT_RUNNING where it ends before the file is there
 */
export async function madeOf(steps: AsyncIterable<ExportStep>, onDone: (done: number) => void): Promise<Made> {
  const made = Promise.withResolvers<Made>();
  const listen = async () => {
    for await (const step of steps) {
      if (step.type === 'progress') onDone(step.done);
      else made.resolve(step);
    }
    throw new QuarryError({ code: 'NOT_RUNNING', message: say('login.connectionLost'), retryable: true });
  };
  listen().catch(made.reject);
  return await made.promise;
}

/** What a file of it is called: nothing that a system would not have in a name. */
export function nameOf(title: string, container: Container): string {
  return `${title.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'recording'}.${container}`;
}
