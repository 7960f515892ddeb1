import { constants, copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { ExportStep, Recording } from '../../src-preload/contract/focus.ts';
import { sizeText } from '../../src-preload/contract/sizes.ts';
import { registerFocusMarket } from './market/focus-market.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import type { NodeClient } from './terminal/node-client.ts';
import { counted, table, timeText } from './terminal/output.ts';
import { Remark } from './terminal/progress.ts';

interface ExportFlags {
  from?: number;
  to?: number;
  mute?: boolean;
}

/** `quarry focus`: recordings of the screen. They are made on the screens. */
export function registerFocus(program: Command): void {
  const focus = program.command('focus').description('recordings of the screen: the page «Focus» makes them');
  focus
    .command('list')
    .argument('[words]', 'only those whose title or description has them')
    .description('what was recorded, the newest first')
    .action(runCommand(list));
  focus
    .command('score')
    .argument('<id>', 'of the recording, or how it begins')
    .description('what the rules on this computer say of it')
    .action(runCommand(score));
  focus
    .command('check')
    .argument('<id>', 'of the recording, or how it begins')
    .description('whether it is as it was recorded; exit code 1 where it is not')
    .action(runCommand(check));
  focus
    .command('export')
    .argument('<id>', 'of the recording, or how it begins')
    .argument('<file>', 'WebM, to be written')
    .option('--from <time>', 'leave out what is before: 90, or 1:30', milliseconds)
    .option('--to <time>', 'leave out what comes after', milliseconds)
    .option('--mute', 'without sound')
    .description('write its video to a file, as a whole or a piece of it')
    .action(runCommand(exportVideo));
  focus
    .command('delete')
    .argument('<id>', 'of the recording, or how it begins')
    .description('delete every trace of it')
    .action(runCommand(remove));
  registerFocusMarket(focus);
}

/** «90», «1:30», «1:02:03» */
function milliseconds(text: string): number {
  if (!/^\d{1,5}(:\d{1,2}){0,2}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It is a time as 90, or 1:30.');
  return Math.round(1_000 * text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0));
}

async function list({ output, withNode }: CommandContext, words = ''): Promise<void> {
  await withNode({}, async (node) => {
    const { recordings, more } = await node.focus.list({ text: words, limit: 200 });
    output.document(recordings);
    if (recordings.length === 0) return output.line('Nothing was recorded.');
    const rows = recordings.map((one) => [
      one.id.slice(0, 8),
      timeText(one.startedAt),
      lengthText(one.activeMs),
      sizeText(one.bytes),
      one.state,
      one.title,
    ]);
    output.line(table(['ID', 'BEGAN', 'LENGTH', 'SIZE', 'STATE', 'TASK'], rows));
    if (more) output.note('There are more: name a word of those that you want.');
  });
}

function lengthText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @throws BAD_REQUEST where none begins like that, or several do */
async function found(node: NodeClient, beginning: string): Promise<Recording> {
  const { recordings } = await node.focus.list({ text: '', limit: 200 });
  const [one, other] = recordings.filter(({ id }) => id.startsWith(beginning));
  if (one && !other) return one;
  const message = one ? `Several recordings begin with «${beginning}».` : `There is no recording «${beginning}».`;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message,
    hint: '«quarry focus list» shows what there is.',
    field: 'id',
  });
}

async function score({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id, title } = await found(node, beginning);
    const told = await node.focus.score({ id });
    output.document(told);
    output.line(`${title}: ${told.score.toFixed(2)}`);
    output.line(
      table(
        ['RULE', 'OUTCOME', 'WHY'],
        told.findings.map(({ rule, outcome, text }) => [rule, outcome, text]),
      ),
    );
  });
}

async function check({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id } = await found(node, beginning);
    const checked = await node.focus.check({ id });
    output.document(checked);
    const { brokenAt, chunks } = checked;
    if (brokenAt === null) return output.line(`All ${counted(chunks, 'chunk')} are as they were recorded.`);
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: `From chunk ${brokenAt + 1} on it is not as it was recorded.`,
    });
  });
}

async function exportVideo(
  { output, withNode, signal }: CommandContext,
  beginning: string,
  file: string,
  { from = 0, to, mute = false }: ExportFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const { id, activeMs } = await found(node, beginning);
    const isWhole = from === 0 && to === undefined;
    const spans = isWhole ? undefined : [{ fromMs: from, toMs: to ?? activeMs + 1_000 }];
    const steps = await node.focus.export({ id, mute, ...(spans && { spans }) }, { signal });
    const made = await written(steps, resolve(file), new Remark(output));
    output.document(made);
    output.line(`${file}: ${lengthText(made.durationMs)}, ${sizeText(made.bytes)}`);
  });
}

type Made = Extract<ExportStep, { type: 'done' }>;

/** The node takes its own copy away once the stream is left. */
async function written(steps: AsyncIterable<ExportStep>, file: string, remark: Remark): Promise<Made> {
  try {
    for await (const step of steps) {
      if (step.type === 'progress') remark.show(`${Math.round(100 * step.done)} %`);
      else {
        await copyFile(step.path, file, constants.COPYFILE_EXCL);
        return step;
      }
    }
  } finally {
    remark.end();
  }
  throw new Error('an export without an end');
}

async function remove({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id, title } = await found(node, beginning);
    await node.focus.remove({ ids: [id] });
    output.document({ id });
    output.line(`«${title}» is deleted.`);
  });
}
