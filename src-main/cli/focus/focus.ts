import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { TASK_KINDS, type TaskKind } from '../../../src-preload/contract/focus-task-kinds.ts';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { registerFocusMarket } from '../market/focus-market.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table, timeText } from '../terminal/output.ts';
import { registerDelete } from './delete.ts';
import { registerExport } from './export.ts';
import { foundRecording } from './found-recording.ts';
import { INTERRUPTED_HINT, registerKeep } from './keep.ts';
import { registerFocusScore } from './score.ts';
import { registerFocusTasks } from './tasks.ts';

interface ListFlags {
  kind?: TaskKind;
}

/** `quarry focus`: recordings of the screen. They are made on the screens. */
export function registerFocus(program: Command): void {
  const focus = program.command('focus').description('recordings of the screen: the page «Focus» makes them');
  focus
    .command('list')
    .argument('[words]', 'only those whose title or description has them')
    .addOption(new Option('--kind <kind>', 'only those whose task is of this kind').choices(TASK_KINDS))
    .description('what was recorded, the newest first')
    .action(runCommand(list));
  registerFocusScore(focus);
  focus
    .command('check')
    .argument('<id>', 'of the recording, or how it begins')
    .description('whether it is as it was recorded; exit code 1 where it is not')
    .action(runCommand(check));
  registerKeep(focus);
  registerExport(focus);
  registerDelete(focus);
  registerFocusTasks(focus);
  registerFocusMarket(focus);
}

async function list({ output, withNode }: CommandContext, words = '', { kind }: ListFlags = {}): Promise<void> {
  await withNode({}, async (node) => {
    const { recordings, more } = await node.focus.list({ text: words, limit: 200, ...(kind && { kind }) });
    output.document(recordings);
    if (recordings.length === 0) return output.line(nothingOf(words));
    const verdicts = await node.focus.verdicts({ ids: recordings.map(({ id }) => id) });
    const scores = new Map(verdicts.map(({ id, score }) => [id, score]));
    const rows = recordings.map((one) => [
      one.id.slice(0, 8),
      timeText(one.startedAt),
      lengthText(one.activeMs),
      sizeText(one.bytes),
      one.state,
      scores.get(one.id)?.toFixed(2) ?? '–',
      one.task && one.task.multiplier !== 1 ? `× ${one.task.multiplier}` : '',
      one.title,
    ]);
    output.line(table(['ID', 'BEGAN', 'LENGTH', 'SIZE', 'STATE', 'SCORE', 'BOOST', 'TASK'], rows));
    if (recordings.some(({ state }) => state === 'interrupted')) output.note(INTERRUPTED_HINT);
    if (more) output.note('There are more: name a word of those that you want.');
  });
}

/** @param words that were looked for */
const nothingOf = (words: string) =>
  words === '' ? 'Nothing was recorded.' : `No recording has «${words}» in its words.`;

async function check({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id } = await foundRecording(node, beginning);
    const checked = await node.focus.check({ id });
    output.document(checked);
    const { brokenAt, chunks, otherSigner } = checked;
    if (otherSigner !== null) output.note(`It is signed with another key than this node has now: ${otherSigner}`);
    if (brokenAt === null)
      return output.line(
        chunks === 1 ? 'Its one chunk is as it was recorded.' : `All ${chunks} chunks are as they were recorded.`,
      );
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: `From chunk ${brokenAt + 1} on it is not as it was recorded.`,
    });
  });
}
