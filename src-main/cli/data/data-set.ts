import { Argument, type Command } from 'commander';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import { SOURCE_KINDS } from '../../../src-preload/contract/data-names.ts';
import type { DataSetProgress } from '../../../src-preload/contract/data-set.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, table, timeText } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';

/** `quarry data set|export|upload|take-down|take-downs` */
export function registerDataSet(data: Command): void {
  data.command('set').description('files of the data set, and what waits to come into one').action(runCommand(show));
  data
    .command('export')
    .option('--flush', 'also fewer clips than a file usually has')
    .description('write files of clips that are in none: Parquet, with embeddings, scores and licences')
    .action(runCommand(exportRows));
  data
    .command('upload')
    .option('--dry-run', 'say what would be uploaded, and upload nothing')
    .description('bring the files to where «quarry settings list data.upload» says; what is there is not sent again')
    .action(runCommand(upload));
  data
    .command('take-down')
    .addArgument(source())
    .argument('<id>', 'what the video is called there')
    .argument('[reason]', 'why: for yourself; there has to be one, but with --undo')
    .option('--undo', 'let its clips into files again')
    .description('keep all clips of a video out of the data set')
    .action(runCommand(takeDown));
  data.command('take-downs').description('videos that were taken down').action(runCommand(takeDowns));
}

const source = () => new Argument('<source>', 'of the video').choices(SOURCE_KINDS);

async function show({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const set = await node.data.dataSet();
    output.document(set);
    const rows = set.shards.map(({ name, rows, bytes, uploadedAt, takenDown }) => [
      ...[name, rows, sizeText(bytes), uploadedAt === null ? '' : timeText(uploadedAt)],
      takenDown || '',
    ]);
    if (rows.length > 0) output.line(table(['FILE', 'CLIPS', 'SIZE', 'UPLOADED', 'TAKEN DOWN'], rows));
    output.line(
      `In no file yet: ${counted(set.waiting.videos, 'clip')}, ${counted(set.waiting.sounds, 'sound')}. ${set.folder}`,
    );
  });
}

async function exportRows(context: CommandContext, { flush = false }: { flush?: boolean }): Promise<void> {
  const { output, withNode, signal } = context;
  await withNode({}, async (node) => {
    const done = await followed(await node.data.export({ flush }, { signal }), 'Export', context);
    output.document(done);
    tell(done, context);
    if (done.files.length > 0) return;
    const { waiting, least } = await node.data.dataSet();
    if (waiting.videos + waiting.sounds === 0) return output.line('No file was written: nothing waits.');
    output.line(
      `No file was written: ${counted(waiting.videos, 'clip')} and ${counted(waiting.sounds, 'sound')} wait, and a file has ${least.videos} or ${least.sounds} at the least.`,
    );
    output.note('Write one all the same: quarry data export --flush');
  });
}

async function upload(context: CommandContext, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  const { output, withNode, signal } = context;
  await withNode({}, async (node) => {
    const done = await followed(await node.data.upload({ dryRun }, { signal }), 'Upload', context);
    output.document(done);
    tell(done, context);
    if (done.files.length === 0) output.line('Everything is there.');
    output.line(dryRun ? `It would be uploaded to ${done.url}` : `Uploaded to ${done.url}`);
  });
}

async function takeDown(
  { output, withNode }: CommandContext,
  from: VideoRef['source'],
  id: string,
  reason = '',
  { undo = false }: { undo?: boolean },
): Promise<void> {
  await withNode({}, async (node) => {
    if (undo) {
      const list = await node.data.takeDowns();
      if (!list.some((down) => down.source === from && down.id === id)) throw notDown(from, id);
      await node.data.undoTakeDown({ source: from, id });
      output.document({ source: from, id });
      return output.line('Its clips may come into files again.');
    }
    if (reason.trim() === '') throw noReason();
    const down = await node.data.takeDown({ source: from, id, reason });
    output.document(down);
    output.line(
      `Taken down, with ${counted(down.clips, 'clip')}. Files that have some are written anew at the next export.`,
    );
  });
}

function notDown(from: VideoRef['source'], id: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${id}» of ${from} was not taken down.`,
    hint: 'What was: quarry data take-downs',
  });
}

function noReason(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'Say why, too: for yourself, and for who asks later.',
    hint: 'For example: quarry data take-down commons "File:Ball.webm" "its author wants it out"',
    field: 'reason',
  });
}

async function takeDowns({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const list = await node.data.takeDowns();
    output.document(list);
    if (list.length === 0) return output.line('No video is taken down.');
    const rows = list.map((one) => [one.source, one.id, one.clips, timeText(one.at), one.reason]);
    output.line(table(['SOURCE', 'VIDEO', 'CLIPS', 'WHEN', 'WHY'], rows));
  });
}

function tell({ files, leftOut }: DataSetProgress, { output }: CommandContext): void {
  for (const { name, rows, bytes } of files) {
    output.line(`${name}: ${rows === null ? '' : `${counted(rows, 'clip')}, `}${sizeText(bytes)}`);
  }
  for (const { why, rows } of leftOut) output.line(`Left out: ${rows}. ${why.text}`);
}

/** Shows how far it is. @returns its end */
async function followed(
  steps: AsyncIterable<DataSetProgress>,
  name: string,
  { output }: CommandContext,
): Promise<DataSetProgress> {
  const progress = new Progress(name, output);
  let last: DataSetProgress | undefined;
  try {
    for await (const step of steps) {
      last = step;
      if (step.step === 'uploading') progress.show({ done: step.done, total: step.of });
    }
  } finally {
    progress.end();
  }
  if (last?.step !== 'done') throw new Error('an export without an end');
  return last;
}
