import type { Command } from 'commander';
import type { CalibrationStep, MeasuredModel } from '../../../src-preload/contract/data-calibration.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { interrupted } from '../terminal/interruption.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, durationText, type Output, table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';

const HELP = `
Clips are scored by how close their numbers are, and what close means differs from model to model. This reads up to 150
clips of the library, one of each video, once more as copies that are a little worse, and holds each against its copy, its
own words and all others. It takes clips of at least 50 videos of different things, and some seconds for each.

SAME        two clips as close as this are the same one
KNOWN       a clip as close as this to one that is known is not new
UNRELATED   words less close than this say nothing about a clip
CLOSEST     words closer than this count as this close

What came of it is kept in the folder of each model, and all clips are scored anew by it. Ctrl+C ends it; nothing of it is
kept then. «quarry data models» says what is known.`;

/** `quarry calibrate clips`: from where on the models of clips call two of them alike. */
export function registerCalibrateClips(calibrate: Command): void {
  calibrate
    .command('clips')
    .description('see how close copies, other clips and words are to the models of clips: scores go by that')
    .addHelpText('after', HELP)
    .action(runCommand(calibrateClips));
}

async function calibrateClips({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const models = await measured(node, output, signal);
    output.document(models);
    const known = models.flatMap((one) => (one.thresholds ? [rowOf(one.name, one.clips, one.thresholds)] : []));
    if (known.length > 0) output.line(table(['MODEL', 'CLIPS', 'SAME', 'KNOWN', 'UNRELATED', 'CLOSEST'], known));
    for (const { name, reason } of models) if (reason) output.line(`${name}: ${reason.text}`);
    if (known.length > 0) output.note(await whatNow(node));
    else process.exitCode = 1;
  });
}

/** Of two models one may not be measured yet: then nothing is scored. */
async function whatNow(node: NodeClient): Promise<string> {
  const isAll = (await node.data.thresholds()).every(({ thresholds }) => thresholds !== null);
  return isAll
    ? 'Clips are scored anew by it, while a node runs.'
    : 'It is kept; clips are scored once all are measured.';
}

/** @throws CANCELLED where somebody ends it */
async function measured(node: NodeClient, output: Output, signal: AbortSignal): Promise<MeasuredModel[]> {
  const remark = new Remark(output);
  try {
    for await (const step of await node.data.calibrate(undefined, { signal })) {
      if (step.type === 'done') return step.models;
      remark.show(progressText(step));
    }
    throw interrupted();
  } finally {
    remark.end();
  }
}

function progressText({ done, of, secondsLeft }: Extract<CalibrationStep, { type: 'progress' }>): string {
  const left = secondsLeft ? `, ${durationText(1_000 * secondsLeft)} left` : '';
  return `${done} of ${counted(of, 'clip')} read${left}`;
}

/** All of them as cosines, like the page: what is known is kept as a distance. */
const rowOf = (name: string, clips: number, of: NonNullable<MeasuredModel['thresholds']>) => [
  ...[name, clips],
  ...[of.same, 1 - of.novel, of.unrelated, of.closest].map((one) => one.toFixed(3)),
];
