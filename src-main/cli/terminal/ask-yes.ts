import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { askLine } from './ask-line.ts';

/**
 * Whether whoever sits at the terminal says yes; without an answer it is a no.
 * @param question without «[y/N]»
 * @param nothing what is so where nobody can be asked, as «Nothing was sent»
 * @throws BAD_REQUEST where there is no terminal, and with `--json`
 */
export async function askYes(question: string, nothing: string, json: boolean): Promise<boolean> {
  if (!json && process.stdin.isTTY) return /^y(es)?$/i.test(await askLine(`${question} [y/N] `));
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `${nothing}: nobody is there to say yes.`,
    hint: 'In a script, add --yes.',
    field: 'yes',
  });
}
