import type { Command } from 'commander';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { foundRecording } from './found-recording.ts';

/** What may be done with a recording that was interrupted. */
export const INTERRUPTED_HINT =
  'What was interrupted can go on, on the page «Focus», or be kept as far as it came: quarry focus keep ID';

/** `quarry focus keep` */
export function registerKeep(focus: Command): void {
  focus
    .command('keep')
    .argument('<id>', 'of the recording, or how it begins')
    .description('keep one that was interrupted as far as it came: it is at its end then')
    .action(runCommand(keepRecording));
}

/** @throws BAD_REQUEST for one that is at its end already */
export async function keepRecording({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id } = await foundRecording(node, beginning);
    const kept = await node.focus.finish({ id });
    output.document(kept);
    output.line(`«${kept.title}» is kept as it is, ${lengthText(kept.activeMs)}.`);
  });
}
