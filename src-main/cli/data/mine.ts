import { type Command, Option } from 'commander';
import type { DataJob, DataState } from '../../../src-preload/contract/data.ts';
import { MAX_DATA_PAGE, MAX_MINED, USUAL_MINED } from '../../../src-preload/contract/data-limits.ts';
import { JOB_STATES, type JobState, SOURCE_KINDS, type SourceKind } from '../../../src-preload/contract/data-names.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { topic } from './arguments.ts';
import { miningText } from './mining-text.ts';
import { stateOf } from './state-of.ts';

const HELP = `
A running node goes on by itself, over restarts, until there are as many clips; where none runs, this command does the
work, and what is left goes on when a node is started or the command is given again. ^C stops it: the clip that is being
made is finished, and what waits stays in the queue.`;

/** `quarry data mine|stop|resume|jobs|retry|cancel` */
export function registerMining(data: Command): void {
  data
    .command('mine')
    .argument('<topic>', 'in words', topic)
    .addOption(new Option('--source <sources...>', 'only these (default: all that can be asked)').choices(SOURCE_KINDS))
    .option('--most <n>', 'clips that are wanted', integer(1, MAX_MINED), USUAL_MINED)
    .option('--wait', 'show how it goes until it has ended')
    .description('look for clips of a topic, and make them')
    .addHelpText('after', HELP)
    .action(runCommand(mine));
  data.command('stop').description('end that; what waits stays in the queue').action(runCommand(stop));
  data
    .command('resume')
    .option('--wait', 'show how it goes until it has ended')
    .description('go on with what is in the queue')
    .action(runCommand(resume));
  data
    .command('jobs')
    .addOption(new Option('--state <state>', 'only those in this state').choices(JOB_STATES))
    .option('--limit <n>', 'how many, the newest first', integer(1, MAX_DATA_PAGE), 20)
    .description('the videos in the queue, and what came of them')
    .action(runCommand(jobs));
  data
    .command('retry')
    .argument('[number]', 'of «quarry data jobs» (default: all that have failed)', integer(1))
    .description('try again what has failed')
    .action(runCommand(retry));
  data
    .command('cancel')
    .argument('<number>', 'of «quarry data jobs»', integer(1))
    .description('take a video out of the queue, with what was fetched of it')
    .action(runCommand(cancel));
}

interface MineFlags {
  source?: SourceKind[];
  most: number;
  wait?: boolean;
}

async function mine(context: CommandContext, words: string, { source, most, wait = false }: MineFlags): Promise<void> {
  await context.withNode({}, async (node, runs) => {
    await node.data.mine({ topic: words, most, ...(source && { sources: source }) });
    await begun(context, node, wait || !runs);
  });
}

async function resume(context: CommandContext, { wait = false }: { wait?: boolean }): Promise<void> {
  await context.withNode({}, async (node, runs) => {
    await node.data.resume();
    await begun(context, node, wait || !runs);
  });
}

/** Says what was begun, or follows it to its end. */
async function begun(context: CommandContext, node: NodeClient, follows: boolean): Promise<void> {
  const { output } = context;
  if (follows) return tell(await follow(context, node), context);
  for await (const now of await node.data.state()) {
    output.document(now);
    output.line(miningText(now));
    return output.note('To see how it goes: quarry data, or the page «Data».');
  }
}

/** Shows how it goes until it is over; ^C stops it. @returns how it was at last */
async function follow({ output, signal }: CommandContext, node: NodeClient): Promise<DataState | undefined> {
  const remark = new Remark(output);
  let last: DataState | undefined;
  try {
    for await (const now of await node.data.state({}, { signal })) {
      last = now;
      remark.show(progressText(now));
      if (now.mining === 'off') break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    remark.end();
  }
  if (signal.aborted) await node.data.stop();
  return last;
}

function tell(last: DataState | undefined, { output, signal }: CommandContext): void {
  if (last) output.document(last);
  if (last) output.line(`${counted(last.clips, 'clip')} in the library.`);
  if (last?.fault) output.line(last.fault.text);
  output.note(signal.aborted ? 'Stopped. To go on: quarry data resume' : 'To see them: quarry data clips');
  if (!signal.aborted) return;
  process.exitCode = 130;
}

/** «working, 12 clips, 3 waiting. #7 fetching 40 %: Cats at play» */
export function progressText({ mining, clips, jobs: counts, now, fault }: DataState): string {
  const [job] = now;
  const doing = job ? ` ${jobText(job)}` : fault ? ` ${fault.text}` : '';
  return `${mining}, ${counted(clips, 'clip')}, ${counts.waiting} waiting.${doing}`;
}

function jobText({ number, state, done, fetched, title }: DataJob): string {
  const share = done === null ? '' : ` ${Math.round(100 * done)} %`;
  const bytes = fetched ? ` ${sizeText(fetched.bytes)}${fetched.of === null ? '' : ` of ${sizeText(fetched.of)}`}` : '';
  return `#${number} ${state}${bytes || share}: ${title}`;
}

async function stop({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const wasOff = (await stateOf(node)).mining === 'off';
    if (!wasOff) await node.data.stop();
    output.document({ stopped: !wasOff });
    if (wasOff) return output.line('Nothing was being mined.');
    output.line('Stopped, after the clip that is being made. «quarry data resume» goes on.');
  });
}

async function jobs(
  { output, withNode }: CommandContext,
  { state, limit }: { state?: JobState; limit: number },
): Promise<void> {
  await withNode({}, async (node) => {
    const page = await node.data.jobs({ rows: limit, ...(state && { state }) });
    output.document(page.jobs);
    if (page.jobs.length === 0) return output.line('There are no videos in the queue: quarry data mine TOPIC');
    const rows = page.jobs.map((job) => [
      ...[job.number, timeText(job.changedAt), job.source, job.state, job.clips, job.title],
      job.reason?.text ?? '',
    ]);
    output.line(table(['#', 'CHANGED', 'SOURCE', 'STATE', 'CLIPS', 'TITLE', 'WHY'], rows));
    if (page.next !== null) output.note('There are more: --limit, --state.');
  });
}

async function retry({ output, withNode }: CommandContext, number: number | undefined): Promise<void> {
  await withNode({}, async (node, runs) => {
    const done = await node.data.retry(number === undefined ? {} : { number });
    output.document(done);
    output.line(done.retried === 0 ? 'None has failed.' : `${counted(done.retried, 'video')} waits again.`);
    if (done.retried > 0 && !runs) output.note('No node runs: «quarry data resume» does the work.');
  });
}

async function cancel({ output, withNode }: CommandContext, number: number): Promise<void> {
  await withNode({}, async (node) => {
    await node.data.cancel({ number });
    output.document({ number });
    output.line(`Number ${number} is out of the queue.`);
  });
}
