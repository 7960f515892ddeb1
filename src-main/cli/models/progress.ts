import type { z } from 'zod';
import type { byteProgressSchema } from '../../../src-preload/contract/models.ts';
import type { Output } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';

/** Shows the progress that a stream tells; gives back what it says besides. */
export async function withProgress<T extends object>(
  name: string,
  output: Output,
  events: AsyncIterable<T | z.infer<typeof byteProgressSchema>>,
): Promise<Exclude<T, { done: number }> | undefined> {
  const progress = new Progress(name, output);
  let last: Exclude<T, { done: number }> | undefined;
  try {
    for await (const event of events) {
      if ('done' in event) progress.show(event);
      else last = event as Exclude<T, { done: number }>;
    }
  } finally {
    progress.end();
  }
  return last;
}
