import { z } from 'zod';
import { MOST_OUTPUT } from './most-output.ts';

/** A program, and what it reads, once. */
export interface PythonTask {
  program: string;
  stdin: string;
}

const text = z.string().max(MOST_OUTPUT);

/** What the sandbox says: that it can take a program, and what came of it. */
export const pythonReplySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('ran'),
    stdout: text,
    stderr: text,
    /** Whether there was more than is kept. */
    truncated: z.boolean(),
    /** Whether it left its interpreter so that the next input needs another one: exited, without its streams. */
    spent: z.boolean(),
  }),
]);
export type PythonReply = z.infer<typeof pythonReplySchema>;
