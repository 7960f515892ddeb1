import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { OBJECTIVES, type Objective } from '../../../src-preload/contract/learning-runs.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { evalConfig, METRICS, type Metric } from '../../learning/evaluation/harness/eval-config.ts';
import type { EvalPorts, EvalProgress } from '../../learning/evaluation/harness/eval-ports.ts';
import type { SummaryRecord } from '../../learning/evaluation/harness/records.ts';
import type { SavedEvaluation } from '../../learning/evaluation/harness/saved-evaluation.ts';
import { PREFERENCES, type Preference } from '../../learning/evaluation/prompts/preference.ts';
import { collect, integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { checkFolder, checkFree, notWritable, readOwn, takeFolder } from './eval-files.ts';

/** Undefined is what was not said: a folder with an evaluation goes on as it was begun. */
export interface EvalFlags {
  preferences?: string[];
  file?: string[];
  metrics?: Metric[];
  objective?: Objective;
  model?: string;
  steps?: number;
  batchSize?: number;
  stepsPerBatch?: number;
  batches?: 'run' | 'whole';
  heldOut?: number;
  seed?: number;
  plots: boolean;
  out?: string;
}

/** Whatever an evaluation needs of the node, for as long as it runs. */
export type EvalMeans = (
  context: CommandContext,
  wanted: { folder: string; evaluation: SavedEvaluation },
) => Promise<AsyncDisposable & { ports: EvalPorts }>;

const TAUGHT = `
A preference is taught in batches: questions are asked, each answer gets the preference's feedback, the model
learns, and questions that it was not taught with tell what became of it. Your adapters are not touched.

The results folder gets, for each preference, metadata, baseline, one line a step, a summary (JSON and YAML) and
plots (SVG and PNG). The table that is printed has, at the end: STEPS, batches that are done; HELD OUT BEFORE and
AFTER, how many of the held-out answers are as wanted, 0 to 1; MARGIN Δ and A TOKEN, by how many nats wanted answers
became likelier than unwanted ones, as a sum and a token; CAPABILITY, how much of the tasks it could do it still
can («–»: it could do none before, so nothing can be said); KEPT, whether a run of your node would have kept it.
Interrupted, by ^C or worse, it goes on with: quarry learn eval --out <the same folder>`;

/** `quarry learn eval`: whether learning works on this machine, from the first answer to the pictures. */
export function registerEval(learn: Command, means: EvalMeans): void {
  const names = PREFERENCES.map(({ name }) => name);
  learn
    .command('eval')
    .description(
      'let the model learn preferences step by step, and measure what becomes of it; the model in use stays as it is',
    )
    .addOption(new Option('--preferences <names...>', `of ${names.join(', ')} (default: all)`).argParser(listed(names)))
    .option('--file <yaml>', 'a preference of your own; may be named several times', collect)
    .addOption(
      new Option(
        '--metrics <names...>',
        `what to measure at each step, of ${METRICS.join(', ')} (default: all)`,
      ).argParser(listed(METRICS)),
    )
    .addOption(new Option('--objective <name>', 'how it learns (default: distillation)').choices(OBJECTIVES))
    .option('--model <name>', 'a model of the library, or a GGUF file (default: the one that start loads)')
    .option('--steps <n>', 'batches of feedback (default: 20)', integer(1, 1_000))
    .option('--batch-size <n>', 'answers in a batch (default: 4)', integer(1, 16))
    .option('--steps-per-batch <n>', 'how often it learns from a batch (default: 4)', integer(1, 64))
    .addOption(
      new Option(
        '--batches <how>',
        'what a step learns from: two answers of the batch and two that keep what it knows, as a run does; or the whole batch and nothing else, as CLaaS (default: run)',
      ).choices(['run', 'whole']),
    )
    .option('--held-out <n>', 'questions that it has not learnt from, at each step (default: 6)', integer(1, 20))
    .option('--seed <n>', 'the same seed gives the same samples (default: 42)', integer(0, 2 ** 31 - 1))
    .option('--no-plots', 'draw no pictures')
    .option('--out <folder>', 'results; what is there goes on where it ended (default: evals/<time>)')
    .addHelpText('after', TAUGHT)
    .action(runCommand((context, flags: EvalFlags) => evaluate(context, flags, means)));
}

/** Some of these, with commas or spaces between them. */
function listed<Name extends string>(names: readonly Name[]) {
  return (given: string, before: readonly Name[] = []): Name[] => {
    const wanted: string[] = [...before, ...given.split(',').map((name) => name.trim())];
    const unknown = wanted.find((name) => !names.some((known) => known === name));
    if (unknown === undefined) return names.filter((known) => wanted.includes(known));
    throw new InvalidArgumentError(`«${unknown}» is none of ${names.join(', ')}.`);
  };
}

/** The body: reads what is wanted, runs it, shows what came of it. */
export async function evaluate(context: CommandContext, flags: EvalFlags, means: EvalMeans): Promise<void> {
  const { output, signal } = context;
  const folder = flags.out ?? join('evals', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  const { runEval } = await import('../../learning/evaluation/harness/run-eval.ts');
  const { checkSame, savedIn, saveIn } = await import('../../learning/evaluation/harness/saved-evaluation.ts');
  const { drawPlots } = await import('../../learning/evaluation/plots/draw.ts');
  await checkFolder(folder);
  checkFree(folder); // before a model is loaded in vain
  const evaluation = await wanted(flags, await savedIn(folder));
  const preferences = await preferencesOf(evaluation);
  const remark = new Remark(output);
  const onProgress = (progress: EvalProgress) => remark.show(progressText(progress));
  remark.show('loading the model');
  let isBegun = false;
  try {
    await checkSame(folder, evaluation);
    await using open = await means(context, { folder, evaluation });
    // Not before there is a model: what cannot begin leaves nothing behind.
    const cannotWrite = (error: unknown) => {
      throw notWritable(error, folder);
    };
    await using _ours = await takeFolder(folder).catch(cannotWrite);
    await saveIn(folder, evaluation).catch(cannotWrite);
    isBegun = true;
    const ports = { ...open.ports, draw: drawPlots, onProgress };
    const summaries = await runEval(preferences, evaluation.config, folder, ports, signal);
    remark.end();
    output.document({ folder, summaries });
    output.line(summaryTable(summaries));
    for (const { preference, reason } of summaries) output.line(`${preference}: ${reason}`);
    for (const one of summaries) {
      if (one.steps > evaluation.config.steps) output.note(furtherText(one, evaluation.config.steps));
    }
    output.note(`Results: ${folder}`);
  } finally {
    remark.end();
    if (signal.aborted && isBegun) output.note(`To go on: quarry learn eval --out ${folder}`);
  }
}

/** What was said now counts before what the folder was begun with. */
async function wanted(flags: EvalFlags, saved: SavedEvaluation | undefined): Promise<SavedEvaluation> {
  const { metrics, objective, steps, batchSize, stepsPerBatch, batches, heldOut, seed, plots } = flags;
  const said = { metrics, objective, steps, batchSize, stepsPerBatch, batches, heldOut, seed };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const config = evalConfig.parse({ ...saved?.config, ...given, ...(!plots && { plots }) });
  const model = flags.model ?? saved?.model;
  const files = flags.file ? await readOwn(flags.file) : saved?.files;
  const all = files?.length ? [] : PREFERENCES.map(({ name }) => name);
  const preferences = flags.preferences ?? (flags.file ? [] : saved?.preferences) ?? all;
  return { ...(model !== undefined && { model }), preferences, files: files ?? [], config };
}

async function preferencesOf({ preferences, files }: SavedEvaluation): Promise<Preference[]> {
  const { readPreference } = await import('../../learning/evaluation/harness/preference-file.ts');
  const own = files.map((text) => readPreference(text));
  const all = [...PREFERENCES.filter(({ name }) => preferences.includes(name)), ...own];
  const twice = all.find(({ name }, at) => all.findIndex((other) => other.name === name) < at);
  if (!twice) return all;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('evaluation.twice', { name: twice.name }), field: 'file' });
}

/** Of results that are further than what is wanted now. */
function furtherText({ preference, steps }: SummaryRecord, wanted: number): string {
  return `${preference}: ${steps} steps are done already, more than the ${wanted} that are wanted. None is taken back; fewer want another folder.`;
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
    ['PREFERENCE', 'STEPS', 'HELD OUT BEFORE', 'AFTER', 'MARGIN Δ', 'A TOKEN', 'CAPABILITY', 'KEPT'],
    summaries.map((one) => [
      ...[one.preference, one.steps, figure(one.held_out_before), figure(one.held_out_after)],
      ...[
        figure(one.logprob_margin_delta),
        figure(one.logprob_margin_per_token_delta),
        one.capability_before === 0 ? '–' : figure(one.capability_ratio),
        one.accepted ? 'yes' : 'no',
      ],
    ]),
  );
}
