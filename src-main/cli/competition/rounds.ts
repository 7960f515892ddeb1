import { styleText } from 'node:util';
import type { Command } from 'commander';
import type {
  CompetitionRound,
  OpenRound,
  RecordCheck,
  VerificationStep,
} from '../../../src-preload/contract/competition.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, durationText, type Output, table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { registerBaseline } from './baseline.ts';
import { boardText, countsText } from './board-text.ts';
import { registerServed } from './served.ts';

interface ServerFlags {
  server?: string;
}
interface VerifyFlags extends ServerFlags {
  wallet?: string;
  hotkey?: string;
  judge?: boolean;
}
const SERVER = ['--server <url>', 'of the competition (default: competitor.server)'] as const;
const ROUND = integer(1, 0x7fff_ffff);
const STATE_WORDS = { open: 'open', judging: 'being judged', ended: 'ended' } as const;

/** `quarry rounds`, `quarry leaderboard`: a competition, as everybody sees it. */
export function registerRounds(program: Command): void {
  const rounds = program.command('rounds').description('the rounds of a competition, and whether they were fair');
  rounds
    .command('list', { isDefault: true })
    .description('the round that is open, and those before')
    .option(...SERVER)
    .action(runCommand(list));
  rounds
    .command('show')
    .argument('<round>', 'its number', ROUND)
    .description('one round: its places, and what was submitted')
    .option(...SERVER)
    .action(runCommand(show));
  rounds
    .command('verify')
    .argument('<round>', 'its number', ROUND)
    .description('reckon again what a server has signed of a round: it ends with 1 where something is not so')
    .option(...SERVER)
    .option('--wallet <name>', 'whose hotkey asks (default: competitor.wallet)')
    .option('--hotkey <name>', 'its hotkey (default: competitor.hotkey)')
    .option('--judge', 'fetch what was submitted, and measure it again here: takes long')
    .action(runCommand(verify));
  registerBaseline(rounds);
  registerServed(rounds);
  program
    .command('leaderboard')
    .argument('[round]', 'its number (default: the one that ended last)', ROUND)
    .description('who is where in a round of a competition, and with what share')
    .option(...SERVER)
    .action(runCommand(leaderboard));
}

/** What is asked of a server that was named, or of the one that is set. */
const at = ({ server }: ServerFlags) => (server === undefined ? {} : { server });

export async function list({ output, withNode, signal }: CommandContext, flags: ServerFlags): Promise<void> {
  await withNode({}, async (node) => {
    const current = await node.competition.current(at(flags), { signal });
    const { rounds, more } = await node.competition.rounds(at(flags), { signal });
    output.document({ current, rounds, more });
    output.line(currentText(current));
    output.line();
    output.line(
      table(
        ['ROUND', 'STATE', 'OPENED', 'ENDS', 'SUBMISSIONS'],
        rounds.map((one) => [
          one.round,
          one.state,
          timeText(one.openedAt),
          timeText(one.endsAt),
          countsText(one.submissions),
        ]),
      ),
    );
  });
}

function currentText(current: OpenRound): string {
  const { round, url, server, endsAt, block, clock, lastBlockToCommit, blockMs } = current;
  const left = lastBlockToCommit - block;
  const late =
    left < 0
      ? 'what is committed now counts in the next round'
      : `${left} blocks, about ${durationText(left * blockMs)}`;
  return [
    `Round ${round} at ${url} is open, for ${durationText(Math.max(0, endsAt - Date.now()))} more.`,
    `  its server   ${server}`,
    `  now          block ${block} (${clock === 'chain' ? 'of the chain' : 'of the server’s own clock'})`,
    `  to commit    ${late}`,
    `  to beat      ${baselinesText(current)}`,
    ...current.tracks.map(
      ({ track, closed }) => `  track        ${track}: ${closed ? `closed. ${foreignLine(closed.text)}` : 'open'}`,
    ),
  ].join('\n');
}

function baselinesText({ baselines }: CompetitionRound): string {
  if (!baselines) return 'not known before the round before has ended';
  const fastest = baselines.find(({ submission }) => submission !== null)?.submission;
  return fastest ? `${fastest.slice(0, 8)}, the fastest so far` : 'the kernel that the competition began with';
}

export async function show(
  { output, withNode, signal }: CommandContext,
  round: number,
  flags: ServerFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const [found] = (await node.competition.rounds({ ...at(flags), before: round + 1 }, { signal })).rounds;
    if (found?.round !== round) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: `There is no round ${round}.`, field: 'round' });
    }
    const board = await node.competition.leaderboard({ ...at(flags), round }, { signal });
    output.document({ ...found, board });
    output.line(
      `Round ${round}, ${timeText(found.openedAt)} to ${timeText(found.endsAt)}: ${STATE_WORDS[found.state]}.`,
    );
    output.line(`Submissions: ${countsText(found.submissions)}. To beat: ${baselinesText(found)}.`);
    output.line();
    output.line(boardText(board));
  });
}

export async function leaderboard(
  { output, withNode, signal }: CommandContext,
  round: number | undefined,
  flags: ServerFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const board = await node.competition.leaderboard(
      { ...at(flags), ...(round !== undefined && { round }) },
      { signal },
    );
    output.document(board);
    output.line(`Round ${board.round}: ${STATE_WORDS[board.state]}`);
    output.line(boardText(board));
  });
}

export async function verify(
  { output, withNode, signal }: CommandContext,
  round: number,
  { judge = false, wallet, hotkey, ...flags }: VerifyFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const who = { ...(wallet !== undefined && { wallet }), ...(hotkey !== undefined && { hotkey }) };
    const wanted = { ...at(flags), ...who, round, judge };
    const end = await followed(await node.competition.verify(wanted, { signal }), output);
    output.document(end);
    for (const { at: when, what } of end.interventions) output.note(`${timeText(when)}: ${foreignLine(what)}`);
    const wrong = end.checks.filter(({ isRight }) => isRight === false).length;
    if (end.isRight) return output.line(`Round ${round} is as its server says.`);
    process.exitCode = 1;
    output.line(`Round ${round} is not as its server says: ${counted(wrong, 'thing')} of ${end.checks.length}.`);
  });
}

/** Tells each thing as it is looked at. */
async function followed(steps: AsyncIterable<VerificationStep>, output: Output) {
  const remark = new Remark(output);
  try {
    for await (const step of steps) {
      if (step.type === 'done') return step;
      if (step.type === 'judging') {
        remark.show(`Measuring again: ${step.done} of ${step.of}`);
        continue;
      }
      remark.end();
      output.line(checkText(step.check));
    }
  } finally {
    remark.end();
  }
  throw new Error('a verification without an end');
}

function checkText({ isRight, text }: RecordCheck): string {
  const mark = isRight === null ? '–' : isRight ? styleText('green', '✓') : styleText('red', '✗');
  return `${mark} ${foreignLine(text)}`;
}
