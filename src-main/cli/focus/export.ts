import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Box, CONTAINERS, type Container, type ExportStep } from '../../../src-preload/contract/focus.ts';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { isCancellation } from '../terminal/interruption.ts';
import { Remark } from '../terminal/progress.ts';
import { checkPlace, type TakenTo, takeFile } from '../terminal/take-file.ts';
import { addBox, addCut, moment } from './arguments.ts';
import { foundRecording } from './found-recording.ts';
import { checkPieces, keptPieces, type PieceFlags } from './kept-pieces.ts';

interface ExportFlags extends PieceFlags {
  mute?: boolean;
  box?: Box[];
  metadata: boolean;
  force?: boolean;
}

/** `quarry focus export` */
export function registerExport(focus: Command): void {
  focus
    .command('export')
    .argument('<id>', 'of the recording, or how it begins')
    .argument('<file>', 'to be written: .webm or .mp4')
    .option('--from <time>', 'leave out what is before: 90, or 1:30', moment)
    .option('--to <time>', 'leave out what comes after', moment)
    .option('--cut <span>', 'leave out a piece: 1:05-1:30; may be repeated, not beside --from or --to', addCut)
    .option('--mute', 'without sound')
    .option(
      '--box <area>',
      'make an area black for a time: 1:05-1:30:0.2,0.1,0.5,0.25 (from the left, from the top, width, height, in parts of the picture); may be repeated',
      addBox,
    )
    .option('--no-metadata', 'without title, description and date in the file')
    .option('--force', 'replace a file that is there')
    .description('write its video to a file, as a whole or a piece of it')
    .action(runCommand(exportVideo));
}

/** @throws NOT_RUNNING where the node ended amid it, BAD_REQUEST */
export async function exportVideo(
  { output, withNode, signal }: CommandContext,
  beginning: string,
  file: string,
  { mute = false, box: boxes = [], metadata, force = false, ...pieces }: ExportFlags,
): Promise<void> {
  const container = containerOf(file);
  checkPieces(pieces);
  await checkPlace({ file: resolve(file), force }); // before minutes of work
  await withNode({}, async (node) => {
    const { id, activeMs } = await foundRecording(node, beginning);
    const spans = keptPieces(pieces, activeMs);
    const wanted = { id, mute, boxes, container, metadata, ...(spans && { spans }) };
    const steps = await node.focus.export(wanted, { signal });
    const made = await written(steps, { file: resolve(file), force }, new Remark(output));
    output.document({ ...made, path: resolve(file) }); // the node takes its own away
    output.line(`${file}: ${lengthText(made.durationMs)}, ${sizeText(made.bytes)}`);
  }).catch((error: unknown) => {
    if (signal.aborted && isCancellation(error)) output.note('Stopped. Nothing was written.');
    throw error instanceof QuarryError && error.code === 'NOT_RUNNING' ? endedAmid(error) : error;
  });
}

const endedAmid = ({ code, message }: QuarryError) =>
  new QuarryError({
    code,
    message: `${message} Nothing was written.`,
    hint: 'Do it again: where no node runs, this command makes the video itself.',
    retryable: true,
  });

/** @throws BAD_REQUEST for another ending */
function containerOf(file: string): Container {
  const ending = extname(file).slice(1).toLowerCase();
  const container = CONTAINERS.find((one) => one === ending);
  if (container) return container;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `A video ends in .webm or .mp4, and not as «${file}» does.`,
    field: 'file',
  });
}

type Made = Extract<ExportStep, { type: 'done' }>;

/** The node takes its own copy away once the stream is left. */
async function written(steps: AsyncIterable<ExportStep>, to: TakenTo, remark: Remark): Promise<Made> {
  try {
    for await (const step of steps) {
      if (step.type === 'progress') remark.showShare('Making the video', step.done);
      else {
        await takeFile(step.path, to);
        return step;
      }
    }
  } finally {
    remark.end();
  }
  throw new Error('an export without an end');
}
