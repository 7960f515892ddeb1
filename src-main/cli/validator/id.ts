import type { Command } from 'commander';
import { type CommandContext, runCommand } from '../terminal/command.ts';

/** `quarry validator id`: what other validators name to have this one’s results count. */
export function registerId(validator: Command): void {
  validator
    .command('id')
    .description('the id with which this node signs results, for the setting validator.trust of others')
    .action(runCommand(id));
}

async function id({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async ({ node }) => {
    const { id: own } = await node.status();
    output.document({ id: own });
    output.line(own);
  });
}
