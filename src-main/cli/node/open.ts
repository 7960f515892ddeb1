import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { NodeList } from '../../app/host/node-list.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { durationText } from '../terminal/output.ts';

/** `quarry open`: the way into the screens for a browser. */
export function registerOpen(program: Command): void {
  program
    .command('open')
    .description('print a link that opens the screens of the running node in a browser; it works once')
    .action(runCommand(open));
}

/** It opens no browser by itself: an address on a command line can be read by every account of the computer. */
async function open({ config, output, withNode }: CommandContext): Promise<void> {
  if (!(await readRunningNode(config.dataDir))) {
    const others = await new NodeList().running();
    throw new QuarryError({
      code: 'NOT_RUNNING',
      message: say('login.noServer'),
      hint:
        others.length === 0
          ? say('login.startFirst')
          : `These nodes run: ${others.map((folder) => `quarry open --data ${folder}`).join(', or ')}`,
    });
  }
  await withNode({}, async (node) => {
    const entry = await node.node.entry();
    output.document(entry);
    output.line(entry.url);
    const left = durationText(entry.expiresAt - Date.now());
    output.note(`Open it in a browser: it works once, within ${left}. Anyone who has the link gets in.`);
  });
}
