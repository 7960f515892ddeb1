import { createInterface } from 'node:readline/promises';
import { ignoring } from '../../base/swallowed.ts';
import { isCancellation, nothingDone } from './interruption.ts';

/** One line from whoever sits at the terminal, who sees it, without spaces around it. @throws CANCELLED by Ctrl+C and Ctrl+D */
export async function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const end = Promise.withResolvers<never>();
  end.promise.catch(ignoring('the line was there before the end'));
  terminal.once('close', () => end.reject(nothingDone()));
  try {
    return (await Promise.race([terminal.question(question), end.promise])).trim();
  } catch (error) {
    throw isCancellation(error) ? nothingDone() : error;
  } finally {
    terminal.close();
  }
}
