import { type Command, Option } from 'commander';
import { TASK_KINDS, type TaskKind } from '../../../src-preload/contract/focus-task-kinds.ts';
import type { BoostedState, FocusTask } from '../../../src-preload/contract/focus-tasks.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, type Output, table, timeText } from '../terminal/output.ts';
import { foundRecording } from './found-recording.ts';

/** `quarry focus tasks` and `quarry focus sent`: what could be recorded, and what of it left this computer. */
export function registerFocusTasks(focus: Command): void {
  focus
    .command('tasks')
    .addOption(new Option('--kind <kind>', 'only these').choices(TASK_KINDS))
    .option('--refresh', 'fetch the list of boosted tasks first')
    .description('what could be recorded, and why it is worth it')
    .action(runCommand(tasks));
  focus
    .command('sent')
    .argument('[id]', 'of a recording, or how it begins; also of a deleted one')
    .description('what left this computer: where to, when, and how much')
    .action(runCommand(sent));
}

async function tasks({ output, withNode }: CommandContext, flags: { kind?: TaskKind; refresh?: boolean }) {
  const { kind, refresh = false } = flags;
  await withNode({}, async (node) => {
    if (refresh) await node.focus.refreshTasks();
    const found = await node.focus.tasks({ language: 'en', ...(kind && { kind }) });
    output.document(found);
    if (found.tasks.length === 0) output.line('There is none.');
    else output.line(tasksTable(found.tasks));
    if (found.leftOut > 0) output.note(`${counted(found.leftOut, 'suggestion')} left out: recorded often enough.`);
    tellOfList(output, found.boosted);
  });
}

/** With multipliers only where one has one. */
function tasksTable(all: readonly FocusTask[]): string {
  const isMore = all.some(({ multiplier }) => multiplier !== 1);
  const rows = all.map(({ kind, multiplier, recorded, title, reason }) => [
    ...[kind, ...(isMore ? [multiplier === 1 ? '' : `× ${multiplier}`] : [])],
    ...[String(recorded), title, reason],
  ]);
  return table(['KIND', ...(isMore ? ['MULTIPLIER'] : []), 'RECORDED', 'TASK', 'WHY'], rows);
}

function tellOfList(output: Output, { error }: BoostedState): void {
  if (error) output.note([error.message, error.hint].filter(Boolean).join(' '));
}

async function sent({ output, withNode }: CommandContext, beginning = ''): Promise<void> {
  await withNode({}, async (node) => {
    const lines = await sentOf(node, beginning);
    output.document(lines);
    if (lines.length === 0)
      return output.line(
        beginning === '' ? 'Nothing has left this computer.' : 'Nothing of it has left this computer.',
      );
    const rows = lines.map(({ at, recording, what, bytes, by, to }) => [
      timeText(at),
      recording.slice(0, 8),
      what,
      sizeText(bytes),
      by,
      to,
    ]);
    output.line(table(['WHEN', 'RECORDING', 'WHAT', 'SIZE', 'BY', 'TO'], rows));
  });
}

/** The newest 500 of all are looked through, for a recording may be deleted by now. @throws BAD_REQUEST for an id that neither they nor a recording have */
async function sentOf(node: NodeClient, beginning: string) {
  const all = await node.focus.sent({ limit: 500 });
  if (beginning === '') return all;
  const lines = all.filter(({ recording }) => recording.startsWith(beginning));
  if (lines.length === 0) await foundRecording(node, beginning);
  return lines;
}
