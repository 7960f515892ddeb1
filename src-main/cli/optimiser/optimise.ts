import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationTarget } from '../../../src-preload/contract/evaluation.ts';
import type { OptimiserDetails, OptimiserRun } from '../../../src-preload/contract/optimiser.ts';
import {
  LEAST_TOKENS,
  MOST_ITERATIONS,
  MOST_REPAIRS,
  MOST_TOKENS,
  USUAL,
} from '../../../src-preload/contract/optimiser-numbers.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { targetOf } from '../evaluation/target.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { checkNoneRuns } from '../terminal/named-model.ts';
import type { NodeClient, NodeNeeds } from '../terminal/node-client.ts';
import { nodeAt, nodeWith } from '../terminal/node-with.ts';
import { table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { attemptsTable, progressText, speedText } from './attempts-text.ts';
import { detailsOf, runId } from './run-id.ts';
import { registerShow } from './show.ts';
import { readSource } from './source-file.ts';

interface OptimiseFlags {
  iterations?: number;
  plateau: number;
  repairs: number;
  tokens: number;
  model?: string;
  server?: string;
  resume?: string;
}

const HELP = `
A model writes a kernel in AssemblyScript: it is told what is wanted, the best source so far and what was tried.
Each answer is compiled, checked and, where it is right, measured against the baseline; the best is the one whose
speed is the highest for certain (the lower bound). An answer with a mistake goes back to the model with what was
wrong, a few times; then it tries a new idea. Without FILE it begins with the baseline.

«--model» is «local» (the default), the name of a model of this computer, where no node runs, «mesh» or «mesh:NAME»;
with «--server» it is one of that server's models. A server that wants a key gets that of QUARRY_REMOTE_API_KEY.

Stopped by ^C, or worse, it goes on with «quarry optimise --resume ID», and tries nothing twice.`;

/** `quarry optimise`: has a model write a faster kernel. */
export function registerOptimise(program: Command): void {
  const optimise = program
    .command('optimise [file]')
    .summary('have a model write a faster kernel')
    .description('have a model write a faster kernel for competitions, beginning with your own code or the baseline')
    .option('--iterations <n>', `ideas that are tried (default: ${USUAL.iterations})`, integer(1, MOST_ITERATIONS))
    .option('--plateau <n>', 'end after so many ideas without gain', integer(1, MOST_ITERATIONS), USUAL.plateau)
    .option('--repairs <n>', 'times that an idea may be mended', integer(0, MOST_REPAIRS), USUAL.repairs)
    .option('--tokens <n>', 'tokens that a kernel is measured on', integer(LEAST_TOKENS, MOST_TOKENS), USUAL.tokens)
    .option('--model <name>', 'who writes (default: the model of this node)')
    .option('--server <url>', 'who writes: a server that speaks the OpenAI API')
    .option('--resume <id>', 'go on with one that was stopped', runId)
    .addHelpText('after', HELP)
    .action(runCommand(optimiseKernel));
  optimise.command('list').description('the searches there are').action(runCommand(list));
  registerShow(optimise);
  optimise
    .command('remove')
    .argument('<id>', 'of «quarry optimise list»', runId)
    .description('forget one with its attempts')
    .action(runCommand(remove));
}

async function optimiseKernel(
  context: CommandContext,
  file: string | undefined,
  { iterations, plateau, repairs, tokens, model, server, resume }: OptimiseFlags,
): Promise<void> {
  if (resume !== undefined) return await goOn(context, resume, iterations, file);
  const source = file === undefined ? undefined : await readSource(file);
  const target = writerOf(model, server);
  const withNode = await nodeFor(context, model, target);
  await withNode(needs(target), async (node) => {
    const plan = { target, plateau, repairs, tokens, ...(iterations !== undefined && { iterations }) };
    const { id } = await node.optimiser.start({ ...plan, ...(source !== undefined && { source }) });
    tell(await follow(node, id, context), context);
  });
}

async function goOn(
  context: CommandContext,
  id: string,
  iterations: number | undefined,
  file: string | undefined,
): Promise<void> {
  if (file !== undefined) throw noFile();
  const found = await context.withNode({}, (node) => detailsOf(node, id));
  const withNode = await nodeAgain(context, found);
  await withNode(needs(found.plan.target), async (node) => {
    await node.optimiser.resume({ id, ...(iterations !== undefined && { iterations }) });
    tell(await follow(node, id, context), context);
  });
}

/** @throws BAD_REQUEST for who cannot be asked for a program */
function writerOf(model: string | undefined, server: string | undefined): EvaluationTarget {
  const target = server === undefined ? targetOf(model, {}) : targetOf(server, { ...(model && { model }) });
  const isServer = target.kind === 'address';
  if (target.kind === 'axon' || isServer !== (server !== undefined)) throw noWriter(server ?? model ?? '');
  return target;
}

/** Shows how it goes until it is over; ^C stops it. @returns how it was last seen; undefined where ^C came before that */
async function follow(
  node: NodeClient,
  id: string,
  { output, signal }: CommandContext,
): Promise<OptimiserDetails | undefined> {
  const remark = new Remark(output);
  let last: OptimiserDetails | undefined;
  try {
    for await (const details of await node.optimiser.watch({ id }, { signal })) {
      last = details;
      if (details.state === 'running') remark.show(progressText(details));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    remark.end();
  }
  if (!signal.aborted) return last;
  await node.optimiser.stop({ id });
  return await detailsOf(node, id);
}

/** What came of it, and what can be done next. @throws what keeps it from going on */
function tell(details: OptimiserDetails | undefined, { output, signal }: CommandContext): void {
  if (!details) return;
  const { id, list: attempts, best, error, endedBy } = details;
  output.document(details);
  if (attempts.length > 0) output.line(attemptsTable(details));
  output.line(
    best ? `The best: attempt ${best.number}, ${speedText(best)} as fast as the baseline.` : 'No kernel was right.',
  );
  if (endedBy === 'plateau') output.note('It ended as nothing better came any more.');
  if (signal.aborted || error) output.note(`To go on: quarry optimise --resume ${id}`);
  if (signal.aborted) process.exitCode = 130;
  else if (error) throw new QuarryError(error);
  else if (best) output.note(`As files: quarry optimise export ${id} kernel.ts`);
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.optimiser.list({});
    output.document(all);
    if (all.length === 0) return output.line('No kernel was searched for yet: quarry optimise');
    output.line(table(['ID', 'BEGUN', 'MODEL', 'IDEAS', 'ATTEMPTS', 'BEST', 'STATE'], all.map(rowOf)));
  });
}

const rowOf = ({ id, createdAt, model, iterations, attempts, plan, best, state }: OptimiserRun) => [
  ...[id, timeText(createdAt), model ?? '–', `${iterations} of ${plan.iterations}`, attempts],
  ...[best ? speedText(best) : '–', state],
];

async function remove({ output, withNode }: CommandContext, id: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.optimiser.remove({ id });
    output.document({ id });
    output.line(`${id} is forgotten.`);
  });
}

/** For a model by its name, a node is opened with it: one that runs keeps the model that it has. */
async function nodeFor(context: CommandContext, model = 'local', target: EvaluationTarget) {
  if (target.kind === 'address') return nodeAt(context, target);
  if (target.kind !== 'local' || model === 'local') return context.withNode;
  await checkNoneRuns(context.config, 'Name no model');
  return nodeWith(context, { model });
}

/** With the model that it was begun with, where a node is opened for it. */
async function nodeAgain(context: CommandContext, { plan: { target } }: OptimiserRun) {
  if (target.kind === 'address') return nodeAt(context, target);
  const model = target.kind === 'local' ? target.model : undefined;
  if (model === undefined || (await readRunningNode(context.config.dataDir))) return context.withNode;
  return nodeWith(context, { model });
}

const needs = ({ kind }: EvaluationTarget): NodeNeeds => ({ engine: kind === 'local', mesh: kind === 'mesh' });

const noWriter = (named: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${named}» is nobody who writes kernels.`,
    hint: 'Name a model of this computer, «mesh», «mesh:NAME», or a server by «--server».',
    field: 'model',
  });

const noFile = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: 'A search that goes on has its code already.',
    hint: 'Leave the file out, or begin a new one without --resume.',
    field: 'file',
  });
