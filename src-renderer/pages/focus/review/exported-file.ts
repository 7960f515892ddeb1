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

interface Named {
  id: string;
  title: string;
  container: Container;
  /** Whether the title may be told. */
  metadata: boolean;
}

/** What a file of a recording is called: by its title, without what a system would not have in a name, or by its id where the file shall not tell the title. */
export function nameOf({ id, title, container, metadata }: Named): string {
  const told = metadata ? title.replace(/[^\p{L}\p{N} _-]/gu, '').trim() : `recording-${id.slice(0, 8)}`;
  return `${told || 'recording'}.${container}`;
}
