import { type Command, Option } from 'commander';
import { MAX_DATA_PAGE } from '../../../src-preload/contract/data-limits.ts';
import { SUBMISSION_ROLES, type SubmissionRole } from '../../../src-preload/contract/data-names.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table, timeText } from '../terminal/output.ts';
import { scoreTable } from './clips.ts';

interface Flags {
  role?: SubmissionRole;
  limit: number;
  clips?: boolean;
}

/** `quarry data submissions` and `miners`. */
export function registerSubmissions(data: Command): void {
  data
    .command('submissions')
    .addOption(new Option('--role <role>', 'those of this node, or those that it was handed').choices(SUBMISSION_ROLES))
    .option('--clips', 'with what each clip is worth, and why')
    .option('--limit <n>', 'how many, the newest first', integer(1, MAX_DATA_PAGE), 20)
    .description('clips that were handed in, by this node and to it')
    .action(runCommand(submissions));
  data.command('miners').description('who has handed in what to this node, the best first').action(runCommand(miners));
}

async function submissions({ output, withNode }: CommandContext, { role, limit, clips }: Flags): Promise<void> {
  await withNode({}, async (node) => {
    const page = await node.data.submissions({ rows: limit, ...(role && { role }) });
    output.document(page.submissions);
    if (page.submissions.length === 0) return output.line('Nothing was handed in yet.');
    const rows = page.submissions.map((one) => [
      ...[one.number, timeText(one.at), one.role, one.with, one.topic, one.clips.length],
      ...[one.score?.toFixed(3) ?? '–', one.reason?.text ?? ''],
    ]);
    output.line(table(['#', 'WHEN', 'ROLE', 'WITH', 'TOPIC', 'CLIPS', 'SCORE', 'WHY'], rows));
    if (clips)
      for (const one of page.submissions) output.line(`\n#${one.number} ${one.topic}\n${scoreTable(one.clips)}`);
  });
}

async function miners({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.data.miners();
    output.document(all);
    if (all.length === 0) return output.line('Nobody has handed in anything yet.');
    const share = (value: number | null) => value?.toFixed(2) ?? '–';
    const rows = all.map((one) => [
      ...[one.miner, one.submissions, one.clips, one.meanScore.toFixed(3), share(one.meanDescriptionRelevance)],
      ...[share(one.meanTopicRelevance), share(one.meanNovelty), one.lies, timeText(one.lastAt)],
    ]);
    output.line(table(['MINER', 'HANDED IN', 'CLIPS', 'SCORE', 'DESCRIPTION', 'TOPIC', 'NEW', 'LIES', 'LAST'], rows));
  });
}
