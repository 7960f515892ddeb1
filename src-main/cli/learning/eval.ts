import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type EvalConfig, evalConfig, METRICS, type Metric } from '../../learning/evaluation/harness/eval-config.ts';
import type { EvalPorts, EvalProgress } from '../../learning/evaluation/harness/eval-ports.ts';
import type { SummaryRecord } from '../../learning/evaluation/harness/records.ts';
import { PREFERENCES, type Preference } from '../../learning/evaluation/prompts/preference.ts';
import { collect, integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';

export interface EvalFlags {
  preferences?: string[];
  file?: string[];
  metrics?: Metric[];
  steps: number;
  batchSize: number;
  stepsPerBatch: number;
  heldOut: number;
  seed: number;
  plots: boolean;
  out?: string;
}

/** Whatever an evaluation needs of the node, for as long as it runs. */
export type EvalMeans = (context: CommandContext) => Promise<AsyncDisposable & { ports: EvalPorts }>;

/** `quarry learn eval`: whether learning works on this machine, from the first answer to the pictures. */
export function registerEval(learn: Command, means: EvalMeans): void {
  const names = PREFERENCES.map(({ name }) => name);
  learn
    .command('eval')
    .description(
      'let the model learn preferences step by step, and measure what becomes of it; the model in use stays as it is',
    )
    .addOption(new Option('--preferences <name...>', 'which to learn (default: all)').choices(names))
    .option('--file <yaml>', 'a preference of your own; may be named several times', collect)
    .addOption(new Option('--metrics <name...>', 'what to measure at each step (default: all)').choices(METRICS))
    .option('--steps <n>', 'batches of feedback', integer(1, 1_000), 20)
    .option('--batch-size <n>', 'answers in a batch', integer(1, 16), 4)
    .option('--steps-per-batch <n>', 'how often it learns from a batch', integer(1, 64), 4)
    .option('--held-out <n>', 'questions that it has not learnt from, at each step', integer(1, 20), 6)
    .option('--seed <n>', 'the same seed gives the same samples', integer(0, 2 ** 31 - 1), 42)
    .option('--no-plots', 'draw no pictures')
    .option('--out <folder>', 'results; what is there goes on where it ended (default: evals/<time>)')
    .action(runCommand((context, flags: EvalFlags) => evaluate(context, flags, means)));
}

/** The body: reads what is wanted, runs it, shows what came of it. */
export async function evaluate(context: CommandContext, flags: EvalFlags, means: EvalMeans): Promise<void> {
  const { output, signal } = context;
  const preferences = await wantedPreferences(flags);
  const folder = flags.out ?? join('evals', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  const { runEval } = await import('../../learning/evaluation/harness/run-eval.ts');
  const { drawPlots } = await import('../../learning/evaluation/plots/draw.ts');
  const remark = new Remark(output);
  const onProgress = (progress: EvalProgress) => remark.show(progressText(progress));
  await using open = await means(context);
  try {
    const ports = { ...open.ports, draw: drawPlots, onProgress };
    const summaries = await runEval(preferences, configOf(flags), folder, ports, signal);
    remark.end();
    output.document({ folder, summaries });
    output.line(summaryTable(summaries));
    for (const { preference, reason } of summaries) output.line(`${preference}: ${reason}`);
    output.note(`Results: ${folder}`);
  } finally {
    remark.end();
  }
}

async function wantedPreferences({ preferences, file: files = [] }: EvalFlags): Promise<Preference[]> {
  const { readPreference } = await import('../../learning/evaluation/harness/preference-file.ts');
  const own = await Promise.all(files.map(async (path) => readPreference(await readFile(path, 'utf8'))));
  const known = preferences ?? (own.length > 0 ? [] : PREFERENCES.map(({ name }) => name));
  const all = [...PREFERENCES.filter(({ name }) => known.includes(name)), ...own];
  const twice = all.find(({ name }, at) => all.findIndex((other) => other.name === name) < at);
  if (!twice) return all;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('evaluation.twice', { name: twice.name }), field: 'file' });
}

function configOf({ metrics, steps, batchSize, stepsPerBatch, heldOut, seed, plots }: EvalFlags): EvalConfig {
  return evalConfig.parse({ steps, batchSize, stepsPerBatch, heldOut, seed, plots, ...(metrics && { metrics }) });
}

const PHASES: Record<EvalProgress['phase'], string> = {
  baseline: 'measuring what it is before',
  learning: 'learning',
  measuring: 'measuring',
  gate: 'measuring whether it is kept',
};

function progressText({ preference, step, steps, phase }: EvalProgress): string {
  const at = phase === 'learning' || phase === 'measuring' ? `step ${step + 1} of ${steps}, ` : '';
  return `${preference}: ${at}${PHASES[phase]}`;
}

function summaryTable(summaries: readonly SummaryRecord[]): string {
  const figure = (value: number | null) => (value === null ? '–' : value.toFixed(2));
  return table(
    ['PREFERENCE', 'STEPS', 'HELD OUT BEFORE', 'AFTER', 'MARGIN Δ', 'CAPABILITY', 'KEPT'],
    summaries.map((one) => [
      ...[one.preference, one.steps, figure(one.held_out_before), figure(one.held_out_after)],
      ...[figure(one.logprob_margin_delta), figure(one.capability_ratio), one.accepted ? 'yes' : 'no'],
    ]),
  );
}
