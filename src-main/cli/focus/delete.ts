import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { foundRecording } from './found-recording.ts';

/** `quarry focus delete` */
export function registerDelete(focus: Command): void {
  focus
    .command('delete')
    .argument('<id>', 'of the recording, or how it begins')
    .option('-y, --yes', 'delete it without asking')
    .description('delete every trace of it; what was sent stays written down')
    .action(runCommand(deleteRecording));
}

/** @throws CANCELLED where it is not meant, BAD_REQUEST where nobody can be asked */
export async function deleteRecording(
  { output, withNode }: CommandContext,
  beginning: string,
  { yes = false }: { yes?: boolean } = {},
): Promise<void> {
  await withNode({}, async (node) => {
    const { id, title, activeMs } = await foundRecording(node, beginning);
    const question = `Delete “${foreignLine(title)}”, ${lengthText(activeMs)}, every trace of it?`;
    if (!yes && !(await askYes(question, 'Nothing was deleted', output.json)))
      throw new QuarryError({ code: 'CANCELLED', message: 'Nothing was deleted.' });
    await node.focus.remove({ ids: [id] });
    output.document({ id });
    output.line(`«${title}» is deleted.`);
  });
}
