import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  EvaluationDetails,
  EvaluationFit,
  EvaluationTarget,
  EvaluationView,
} from '../../../src-preload/contract/evaluation.ts';
import { MOST_TEXTS } from '../../../src-preload/contract/evaluation-numbers.ts';
import { contextFor } from '../../app/evaluation/length-fit.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { isGiven } from '../../settings/config.ts';
import { collect, integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { checkNoneRuns } from '../terminal/named-model.ts';
import type { NodeClient, NodeNeeds, NodeUse } from '../terminal/node-client.ts';
import { nodeAt, nodeWith } from '../terminal/node-with.ts';
import { durationText, type Output, table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { outcomeText } from './cells-text.ts';
import { detailsOf } from './details.ts';
import { evaluationId } from './evaluation-id.ts';
import { registerFiles } from './files.ts';
import { lengthsOf } from './length-list.ts';
import { registerShow } from './show.ts';
import { placeArgument, type TargetFlags, targetOf, withTheOthers } from './target.ts';

interface EvaluateFlags extends TargetFlags {
  suite?: string[];
  lengths: number[];
  samples: number;
  seed?: string;
  ownTexts?: boolean;
  twice?: boolean;
}

const HELP = `
A question stands at the end of a long text; a suite is one kind of such questions («quarry evaluate suites»).
«longbench» is no suite but a group: it stands for all data sets of LongBench, each of which is a suite.
Lengths are tokens of the whole question, as the model counts them: 4k is 4,000. Long ones take long: a model reads
a text once and answers all questions about it.

A miner is asked as validators of QUASAR ask it, in the name of the hotkey of validator.wallet, or else axon.wallet.
Its axon decides whom it answers, and for how long it thinks: most give up after a minute.

A server that wants a key gets that of QUARRY_REMOTE_API_KEY. It is not kept: «resume» needs it again.

Lengths that the model or this computer has no room for are left out, with what would fit; where one is too short for
a suite, it is said which would do. Where no node runs, the model is loaded with as much room as the longest needs,
unless «contextSize» is set.

Stopped by ^C, or worse, it goes on with «quarry evaluate resume», and asks nothing twice.`;

/** `quarry evaluate`: how much of a long text a model uses. */
export function registerEvaluate(program: Command): void {
  const evaluate = program
    .command('evaluate [model]')
    .summary('how much of a long text a model uses')
    .description(
      'how much of a long text a model uses: one of this computer («local», the default, or its name, where no node runs), of the mesh («mesh», «mesh:NAME»), of a server that speaks the OpenAI API (its address), or of a miner of a subnet of Bittensor («axon:HOTKEY»)',
    )
    .option(
      '--suite <names>',
      'kinds of questions, or a group of them, with commas; may be given several times (default: needle)',
      collect,
    )
    .addOption(
      new Option('--lengths <tokens>', 'with commas: 1k,4k,32k')
        .argParser(lengthsOf)
        .default([1_000, 2_000, 4_000], '1k,2k,4k'),
    )
    .option('--samples <n>', 'texts of each kind and length', integer(1, MOST_TEXTS), 1)
    .option('--seed <text>', 'the same seed asks the same again (default: another one each time)')
    .option('--model <name>', 'of a server: which of its models (default: the first that it has)')
    .option('--netuid <n>', 'of a miner: its subnet (default: validator.netuid, or axon.netuid)', integer(0, 65_535))
    .option('--address <ip:port>', 'of a miner: where its axon is (default: where the chain says)', placeArgument)
    .option('--own-texts', 'ask out of the small texts that come with Quarry, where a suite is asked out of files')
    .option(
      '--twice',
      'ask each question about a made text a second time, put a little differently: is the answer the same?',
    )
    .addHelpText('after', HELP)
    .action(runCommand(start));
  evaluate
    .command('resume')
    .argument('[id]', 'default: the newest that can go on', evaluationId)
    .description('go on with one that was stopped')
    .action(runCommand(resume));
  evaluate.command('list').description('the evaluations there are').action(runCommand(list));
  registerShow(evaluate);
  registerFiles(evaluate);
  evaluate
    .command('remove')
    .argument('<id>', 'of «quarry evaluate list»', evaluationId)
    .description('forget one with its answers')
    .action(runCommand(remove));
  evaluate.command('suites').description('the kinds of questions there are').action(runCommand(suites));
}

export async function start(context: CommandContext, model: string | undefined, flags: EvaluateFlags): Promise<void> {
  const target = targetOf(model, flags);
  const withNode = await nodeFor(context, model, target, flags.lengths);
  const { lengths, samples, seed, ownTexts = false, twice = false } = flags;
  const names = (flags.suite ?? ['needle']).flatMap((each) => each.split(',')).filter(Boolean);
  await withNode(needs(target), async (node) => {
    const wish = { target, suites: names, lengths, ownTexts };
    const fit = await node.evaluation.fit(wish, { signal: context.signal });
    const plan = { ...wish, lengths: fitting(fit, context.output), samples, seed, twice };
    const { id } = await node.evaluation.start(plan);
    const details = await follow(node, id, context);
    if (!details?.error || details.cells.length > 0) return tell(details, context);
    await node.evaluation.remove({ id }); // nothing was answered: there is nothing to go on with
    throw new QuarryError(details.error);
  });
}

export async function resume(context: CommandContext, id: string | undefined): Promise<void> {
  const found = await context.withNode({}, async (node) =>
    id === undefined ? await lastUndone(node) : await detailsOf(node, id),
  );
  const withNode = await nodeAgain(context, found);
  await withNode(needs(found.plan.target), async (node) => {
    await node.evaluation.resume({ id: found.id });
    tell(await follow(node, found.id, context), context);
  });
}

/** One that failed before its first answer would only begin anew. @throws BAD_REQUEST where there is none */
async function lastUndone(node: NodeClient): Promise<EvaluationView> {
  for (const one of await node.evaluation.list({})) {
    if (one.state === 'done') continue;
    if (one.state !== 'failed' || (await detailsOf(node, one.id)).cells.length > 0) return one;
  }
  throw noneWaits();
}

/** The lengths that fit; says what of the others does not, and why. @throws the first reason where none does */
function fitting({ lengths, tooShort }: EvaluationFit, output: Output): number[] {
  const fit = lengths.filter(({ problem }) => problem === null);
  for (const { problem } of lengths) {
    if (problem && fit.length === 0) throw new QuarryError(problem);
    if (problem) output.note(`Left out: ${problem.message}${problem.hint === undefined ? '' : ` ${problem.hint}`}`);
  }
  for (const { problem } of tooShort) output.note(`No room: ${problem.message}`);
  return fit.map(({ length }) => length);
}

/** Shows how it goes until it is over; ^C pauses it. @returns how it was last seen; undefined where ^C came before that */
async function follow(
  node: NodeClient,
  id: string,
  { output, signal }: CommandContext,
): Promise<EvaluationDetails | undefined> {
  const remark = new Remark(output);
  let last: EvaluationDetails | undefined;
  try {
    for await (const details of await node.evaluation.watch({ id }, { signal })) {
      last = details;
      if (details.state === 'running') remark.show(progressText(details));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    remark.end();
  }
  if (signal.aborted) await node.evaluation.pause({ id });
  return last;
}

/** What came of it, and what can be done next. @throws what keeps it from going on */
function tell(details: EvaluationDetails | undefined, { output, signal }: CommandContext): void {
  if (!details) return;
  const { id, cells, error, plan } = details;
  output.document(details);
  if (cells.length > 0) output.line(outcomeText(details));
  if (signal.aborted || error) output.note(`To go on: quarry evaluate resume ${id}`);
  if (signal.aborted) process.exitCode = 130;
  else if (error) throw new QuarryError(error);
  else
    output.note(`Each question and answer: quarry evaluate show ${id} --answers\nThe same again: --seed ${plan.seed}`);
}

function progressText({ done, texts, secondsLeft, cells }: EvaluationDetails): string {
  const asked = cells.reduce((sum, cell) => sum + cell.asked, 0);
  const left = secondsLeft === null ? '' : `, about ${durationText(1_000 * secondsLeft)} left`;
  return `${done} of ${texts} texts, ${asked} ${asked === 1 ? 'question' : 'questions'}${left}`;
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.evaluation.list({});
    output.document(all);
    if (all.length === 0) return output.line('Nothing was evaluated yet: quarry evaluate');
    const rows = all.map(({ id, createdAt, state, model, plan, done, texts }) => [
      ...[id, timeText(createdAt), model ?? '–', plan.suites.join(', ')],
      ...[plan.lengths.join(', '), `${done} of ${texts}`, state],
    ]);
    output.line(table(['ID', 'BEGUN', 'MODEL', 'SUITES', 'LENGTHS', 'TEXTS', 'STATE'], rows));
  });
}

async function remove({ output, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.evaluation.remove({ id });
    output.document({ id });
    output.line(`${id} is forgotten.`);
  });
}

async function suites({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.evaluation.suites();
    output.document(all);
    const rows = all.map(({ name, variants, isMade }) => [
      name,
      variants.filter(Boolean).length || '–',
      isMade ? 'made' : 'files',
    ]);
    output.line(table(['SUITE', 'VARIANTS', 'TEXTS'], rows));
  });
}

/** For a model by its name, a node is opened with it: one that runs keeps the model that it has. */
async function nodeFor(context: CommandContext, model = 'local', target: EvaluationTarget, lengths: number[]) {
  if (target.kind === 'address') return nodeAt(context, target);
  if (target.kind !== 'local') return context.withNode;
  const room = roomFor(lengths, context);
  if (model === 'local') return nodeWith(context, room);
  await checkNoneRuns(context.config, 'Name no model');
  const withNode = nodeWith(context, { model, ...room });
  return <T>(wanted: NodeNeeds, use: NodeUse<T>) =>
    withNode(wanted, use).catch((error: unknown): never => {
      throw withTheOthers(error);
    });
}

/** A node that is opened for this alone has as much room as the longest question needs, unless somebody has set that; one at a time is asked. */
function roomFor(lengths: readonly number[], { sources }: CommandContext): Record<string, number> {
  const contextSize = contextFor(lengths);
  if (contextSize === undefined || isGiven('contextSize', sources)) return {};
  return { contextSize, ...(!isGiven('parallel', sources) && { parallel: 1 }) };
}

/** With the model that an evaluation was begun with, whatever the settings say by now: answers of two would be one figure. */
async function nodeAgain(context: CommandContext, { plan: { target, lengths }, model }: EvaluationView) {
  const { config, withNode } = context;
  if (target.kind === 'address') return nodeAt(context, target);
  const name = target.kind === 'local' && config.backend === 'local' ? (target.model ?? model) : null;
  if (name === null || (await readRunningNode(config.dataDir))) return withNode;
  return nodeWith(context, { model: name, ...roomFor(lengths, context) });
}

const needs = ({ kind }: EvaluationTarget): NodeNeeds => ({ engine: kind === 'local', mesh: kind === 'mesh' });

const noneWaits = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: 'No evaluation waits to go on.',
    hint: '«quarry evaluate list» has those there are.',
  });
