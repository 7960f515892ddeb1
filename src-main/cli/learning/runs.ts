import { type Command, InvalidArgumentError } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LearningMeasures, LearningStepView } from '../../../src-preload/contract/learning-runs.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, table, timeText } from '../terminal/output.ts';
import { outcomeText } from './run-text.ts';

/** `quarry learn pause|cancel|runs|run`: learning, as it goes on and as it was. */
export function registerRuns(learn: Command): void {
  learn
    .command('pause')
    .description('stop learning until `quarry learn now`; what was done so far is kept')
    .action(runCommand(pause));
  learn
    .command('cancel')
    .description('give up what is being learnt; its feedback waits again')
    .action(runCommand(cancel));
  learn
    .command('runs')
    .option('--limit <n>', 'how many, the newest first', integer(1, 100), 20)
    .description('what was learnt, and what was tried')
    .action(runCommand(list));
  learn
    .command('run')
    .argument('<id>', 'of the run, as `quarry learn runs` shows it', runId)
    .description('a run with its curve, and an answer before and after')
    .action(runCommand(show));
}

async function pause({ config, output, withNode }: CommandContext): Promise<void> {
  if (!(await readRunningNode(config.dataDir))) {
    throw new QuarryError({
      code: 'NOT_RUNNING',
      message: 'No node runs on this data folder, so nothing is learnt.',
      hint: 'A node that is started goes on with what was begun; to learn only when you ask: learning.when = "asked".',
    });
  }
  await withNode({}, async (node) => {
    await node.learning.pause();
    output.document({ paused: true });
    output.line('Paused. «quarry learn now» goes on.');
  });
}

async function cancel({ output, withNode }: CommandContext): Promise<void> {
  await withNode({ learning: true }, async (node) => {
    await node.learning.cancel();
    output.document({ cancelled: true });
    output.line('Cancelled. The feedback waits again.');
  });
}

async function list({ output, withNode }: CommandContext, { limit }: { limit: number }): Promise<void> {
  await withNode({ learning: true }, async (node) => {
    const runs = await node.learning.runs({ limit });
    output.document(runs);
    if (runs.length === 0) return output.line('Nothing was tried yet.');
    const rows = runs.map(({ id, createdAt, name, state, step, seconds, feedback, version }) => [
      ...[id, timeText(createdAt), name, state, step, `${Math.round(seconds)} s`],
      ...[
        feedback
          .map(({ text }) => text)
          .join(' · ')
          .replace(/^(.{59}).{2,}$/su, '$1…'),
        version ?? '',
      ],
    ]);
    output.line(table(['RUN', 'WHEN', 'ADAPTER', 'STATE', 'STEPS', 'TOOK', 'FEEDBACK', 'VERSION'], rows));
  });
}

function runId(text: string): string {
  if (!hexPattern(8).test(text)) throw new InvalidArgumentError('An id as `quarry learn runs` shows it is wanted.');
  return text;
}

async function show({ output, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({ learning: true }, async (node) => {
    const run = await node.learning.run({ id });
    output.document(run);
    output.line(`${run.id} for «${run.name}»: ${outcomeText(run)}`);
    if (run.why) output.line(run.why.text);
    if (run.computed) output.line(run.computed.text);
    output.line(`${counted(run.step, 'step')}, ${Math.round(run.seconds)} s.`);
    if (run.before && run.after) {
      output.line(table(['', 'BEFORE', 'AFTER'], measureRows(run.before, run.after)));
    }
    if (run.shown) output.line(`\n«${run.shown.prompt}»\n\nBefore: ${run.shown.before}\n\nAfter: ${run.shown.after}\n`);
    if (run.curve.length > 0) output.line('By steps, in quick looks at a few questions. Looks in full decide:');
    const rows = run.curve.map(({ step, loss, gradNorm, compliance, capability, margin }) => [
      ...[step, loss?.toFixed(3) ?? '', gradNorm?.toFixed(2) ?? ''],
      ...[shareText(compliance), shareText(capability), margin?.toFixed(2) ?? ''],
    ]);
    output.line(table(['STEP', 'LOSS', 'GRADIENT', 'AS WANTED', 'STILL KNOWN', 'MARGIN'], rows));
    for (const { step, full } of run.curve) if (full) output.line(fullText(step, full));
  });
}

function measureRows(before: LearningMeasures, after: LearningMeasures): string[][] {
  return [
    ['answers as wanted', shareText(before.compliance), shareText(after.compliance)],
    ['still known', shareText(before.capability), shareText(after.capability)],
    ['margin, nats a token', before.margin?.toFixed(2) ?? '', after.margin?.toFixed(2) ?? ''],
    ['margin, nats', before.marginSum?.toFixed(1) ?? '', after.marginSum?.toFixed(1) ?? ''],
    ['entropy ratio', before.entropyRatio?.toFixed(2) ?? '', after.entropyRatio?.toFixed(2) ?? ''],
    ['answers alike', before.selfRouge?.toFixed(2) ?? '', after.selfRouge?.toFixed(2) ?? ''],
    ['drift, nats', before.drift?.toFixed(2) ?? '', after.drift?.toFixed(2) ?? ''],
  ];
}

function shareText(share: number | undefined): string {
  return share === undefined ? '' : `${Math.round(100 * share)} %`;
}

/** What a look in full found, with why it was taken or was not. */
function fullText(
  step: number,
  { compliance, capability, reasons: [why] }: NonNullable<LearningStepView['full']>,
): string {
  const found = `${shareText(compliance)} as wanted, ${shareText(capability)} still known`;
  return `Step ${step}, in full: ${found}.${why ? ` ${why.text}` : ''}`;
}
