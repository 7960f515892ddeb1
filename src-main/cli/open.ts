import type { Command } from 'commander';
import { type CommandContext, runCommand } from './command.ts';
import { durationText } from './output.ts';

/** `quarry open`: the way into the screens for a browser. */
export function registerOpen(program: Command): void {
  program
    .command('open')
    .description('print a link that opens the screens of the running node in a browser; it works once')
    .action(runCommand(open));
}

/** It opens no browser by itself: an address on a command line can be read by every account of the computer. */
async function open({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const entry = await node.node.entry();
    output.document(entry);
    output.line(entry.url);
    const left = durationText(entry.expiresAt - Date.now());
    output.note(`Open it in a browser: it works once, within ${left}. Whoever has it gets in.`);
  });
}
