import { rm } from 'node:fs/promises';

/** Removes all that engines keep of prompts. They look for it each time, and go on without. @param folder where they keep it */
export async function forgetPrompts(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
