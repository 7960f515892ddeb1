import { constants, copyFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { type Box, CONTAINERS, type Container, type ExportStep } from '../../src-preload/contract/focus.ts';
import { sizeText } from '../../src-preload/contract/sizes.ts';
import { addBox, milliseconds } from './focus-arguments.ts';
import { foundRecording } from './focus-found.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { lengthText } from './terminal/output.ts';
import { Remark } from './terminal/progress.ts';

interface ExportFlags {
  from?: number;
  to?: number;
  mute?: boolean;
  box: Box[];
  metadata: boolean;
}

/** `quarry focus export` */
export function registerExport(focus: Command): void {
  focus
    .command('export')
    .argument('<id>', 'of the recording, or how it begins')
    .argument('<file>', 'to be written: .webm or .mp4')
    .option('--from <time>', 'leave out what is before: 90, or 1:30', milliseconds)
    .option('--to <time>', 'leave out what comes after', milliseconds)
    .option('--mute', 'without sound')
    .option(
      '--box <area>',
      'make an area black for a time: 1:05-1:30:0.2,0.1,0.5,0.25 (from the left, from the top, width, height, in parts of the picture); may be repeated',
      addBox,
      [],
    )
    .option('--no-metadata', 'without title, description and date in the file')
    .description('write its video to a file, as a whole or a piece of it')
    .action(runCommand(exportVideo));
}

async function exportVideo(
  { output, withNode, signal }: CommandContext,
  beginning: string,
  file: string,
  { from = 0, to, mute = false, box: boxes, metadata }: ExportFlags,
): Promise<void> {
  const container = containerOf(file);
  await withNode({}, async (node) => {
    const { id, activeMs } = await foundRecording(node, beginning);
    const isWhole = from === 0 && to === undefined;
    const spans = isWhole ? undefined : [{ fromMs: from, toMs: to ?? activeMs + 1_000 }];
    const wanted = { id, mute, boxes, container, metadata, ...(spans && { spans }) };
    const steps = await node.focus.export(wanted, { signal });
    const made = await written(steps, resolve(file), new Remark(output));
    output.document(made);
    output.line(`${file}: ${lengthText(made.durationMs)}, ${sizeText(made.bytes)}`);
  });
}

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
