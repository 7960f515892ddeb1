import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { entryRemarks, foundEntry } from './own-entries.ts';

/** `quarry reveal`: shows what was committed to, where no node does so by itself. */
export function registerReveal(program: Command): void {
  program
    .command('reveal')
    .argument('[id]', 'of «quarry submit list», or how it begins (default: all that can be revealed)')
    .description('reveal what was committed to a competition: its server gets the code')
    .action(runCommand(reveal));
}

/** @throws the first reason where one could not be revealed; the others were tried */
export async function reveal(
  { output, withNode, signal }: CommandContext,
  beginning: string | undefined,
): Promise<void> {
  await withNode({}, async (node) => {
    const wanted =
      beginning === undefined
        ? (await node.competition.state()).entries.filter(({ state }) => state === 'committed')
        : [await foundEntry(node, beginning)];
    const revealed = [];
    const failures: QuarryError[] = [];
    for (const { id, name } of wanted) {
      try {
        const entry = await node.competition.reveal({ id }, { signal });
        revealed.push(entry);
        output.line(`✓ «${foreignLine(name)}» (${id.slice(0, 8)}) is revealed.`);
        for (const remark of entryRemarks(entry)) output.note(remark);
      } catch (error) {
        signal.throwIfAborted();
        const failure = QuarryError.from(error);
        failures.push(failure);
        if (wanted.length > 1) output.note(`${id.slice(0, 8)}: ${failure.message}`);
      }
    }
    output.document(revealed);
    if (wanted.length === 0) output.line('Nothing waits to be revealed.');
    const [first] = failures;
    if (first) throw first;
  });
}
