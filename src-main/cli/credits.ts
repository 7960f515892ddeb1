import { type Command, InvalidArgumentError } from 'commander';
import type { LedgerReport } from '../../src-preload/contract/credits.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ENTRY_KINDS } from '../store/credits/entry-kinds.ts';
import { registerEarning } from './credits-earning.ts';
import { integer } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import type { NodeClient } from './terminal/node-client.ts';
import { counted, dayText, table, timeText } from './terminal/output.ts';

/** `quarry credits`: what this node has earned and spent, and the proof of it. */
export function registerCredits(program: Command): void {
  const credits = program.command('credits').description('what this node has earned and spent, and the ledger');
  credits
    .command('show', { isDefault: true })
    .description('what others owe this node and it owes them, points, tier and achievements')
    .action(runCommand(show));
  registerEarning(credits);
  credits
    .command('trusted')
    .option('--limit <n>', 'how many peers', integer(1, 200), 20)
    .description('peers that have served this node: it owes them, and serves them first')
    .action(runCommand(trusted));
  credits
    .command('owed')
    .option('--limit <n>', 'how many peers', integer(1, 200), 20)
    .description('peers that owe this node credits, and which of them are in reach')
    .action(runCommand(owed));
  credits
    .command('history')
    .option('--limit <n>', 'how many entries', integer(1, 1_000), 20)
    .option('--kind <kind>', `only these (${ENTRY_KINDS.join(', ')}); may be repeated`, entryKinds)
    .option('--since <when>', 'only from then on: a date, or a number of days such as 7d', pastTime)
    .option('--csv', 'all of it as CSV, oldest first')
    .description('the ledger, newest first')
    .action(runCommand((context, flags: HistoryFlags) => (flags.csv ? csv : history)(context, flags)));
  credits
    .command('verify')
    .option('--full', 'read everything, also what was verified before')
    .description('verify the ledger: every entry balances, every receipt is genuine and booked once')
    .action(
      runCommand((context, { full = false }: { full?: boolean }) =>
        prove(context, ({ credits }) => credits.verify({ full })),
      ),
    );
  credits
    .command('rebuild')
    .description('recalculate balances and score from the journal, then verify')
    .action(runCommand((context) => prove(context, ({ credits }) => credits.rebuild())));
}

async function show({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const summary = await node.credits.summary();
    output.document(summary);
    output.line(
      `${counted(summary.available, 'credit')} to spend: others owe this node as much${summary.reserved ? `; ${summary.reserved} in flight` : ''}`,
    );
    output.line(`${counted(summary.owed, 'credit')} owed to others`);
    output.line(
      `${counted(summary.points, 'point')} earned: ${summary.tier}${summary.next ? ` (${summary.next.missing} to ${summary.next.tier})` : ''}`,
    );
    output.line(
      `${counted(summary.served, 'request')} served, ${counted(summary.earnedToday, 'point')} today, ${summary.earnedWeek} in 7 days, ${counted(summary.spent, 'credit')} spent, ${summary.gifts.given} given away`,
    );
    if (summary.pending.requests > 0) {
      output.line(
        `not signed for yet: ${counted(summary.pending.requests, 'request')} (${counted(summary.pending.credits, 'credit')})`,
      );
    }
    for (const achievement of summary.achievements) {
      output.line(`★ ${achievement.title} (+${achievement.bonus}), ${dayText(achievement.at)}`);
    }
  });
}

async function trusted({ output, withNode }: CommandContext, { limit }: { limit: number }): Promise<void> {
  await withNode({}, async (node) => {
    const trusted = await node.credits.trusted({ limit, offset: 0 });
    const { peers, total } = trusted;
    output.document(trusted);
    if (total === 0) return output.line('No peer has served this node yet, so it owes nothing.');
    output.line(
      table(
        ['PEER', 'OWED', 'HAS SERVED', 'TIER HERE'],
        peers.map(({ peer, owed, served, tier }) => [peer.slice(0, 16), owed, served, tier]),
      ),
    );
    if (total > peers.length) output.line(`${peers.length} of ${total}; --limit shows more.`);
    output.line(`This node owes ${counted(trusted.owed, 'credit')} in all.`);
  });
}

async function owed({ output, withNode }: CommandContext, { limit }: { limit: number }): Promise<void> {
  await withNode({}, async (node) => {
    const debtors = await node.credits.debtors({ limit, offset: 0 });
    const { peers, total, owes, inReach } = debtors;
    output.document(debtors);
    if (total === 0) return output.line('No peer owes this node anything yet. Serve others, and they do.');
    output.line(
      table(
        ['PEER', 'OWES', 'IN REACH'],
        peers.map((one) => [
          one.peer.slice(0, 16),
          one.owes,
          one.inReach === undefined ? '?' : one.inReach ? 'yes' : 'no',
        ]),
      ),
    );
    if (total > peers.length) output.line(`${peers.length} of ${total}; --limit shows more.`);
    output.line(
      inReach === undefined
        ? `Others owe this node ${counted(owes, 'credit')}. Which of them are in reach, only a running node knows.`
        : `Others owe this node ${counted(owes, 'credit')}; ${inReach} of it is in reach now.`,
    );
  });
}

interface HistoryFlags {
  limit: number;
  kind?: string[];
  /** Unix milliseconds. */
  since?: number;
  csv?: boolean;
}

async function history({ output, withNode }: CommandContext, { limit, kind, since }: HistoryFlags): Promise<void> {
  await withNode({}, async (node) => {
    const entries = await node.credits.entries({ limit, kinds: kind, from: since });
    output.document(entries);
    if (entries.length === 0)
      return output.line(kind || since !== undefined ? 'Nothing found.' : 'Nothing booked yet.');
    output.line(
      table(
        ['#', 'WHEN', 'KIND', 'CREDITS', 'POINTS', 'WHAT HAPPENED'],
        entries.map((entry) => [
          entry.seq,
          timeText(entry.at),
          entry.kind,
          signed(entry.amount),
          signed(entry.points),
          entry.happened,
        ]),
      ),
    );
  });
}

async function csv({ output, signal, withNode }: CommandContext, { kind, since }: HistoryFlags): Promise<void> {
  if (output.json) throw eitherOr();
  await withNode({}, async (node) => {
    for await (const piece of await node.credits.csv({ kinds: kind, from: since }, { signal })) output.write(piece);
  });
}

function eitherOr(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: 'The history comes as CSV or as JSON, not as both.' });
}

async function prove(
  { output, withNode }: CommandContext,
  work: (node: NodeClient) => Promise<LedgerReport>,
): Promise<void> {
  await withNode({}, async (node) => {
    const report = await work(node);
    output.document(report);
    output.line(
      [
        counted(report.entries, 'entry', 'entries'),
        counted(report.receipts, 'receipt'),
        counted(report.openReservations, 'open reservation'),
      ].join(', '),
    );
    if (report.provenBefore !== undefined) {
      output.line(`Entries up to ${report.provenBefore} were verified before; --full reads them again.`);
    }
    for (const problem of report.problems) output.line(`✗ ${problem}`);
    output.line(
      report.ok
        ? '✓ The ledger is fine.'
        : '✗ The ledger is DAMAGED. Keep a copy of quarry.db; docs/credits.md says how to repair it.',
    );
    if (!report.ok) process.exitCode = 1;
  });
}

/** An option's parser: kinds of entries, collected. */
function entryKinds(kind: string, previous: string[] = []): string[] {
  if (ENTRY_KINDS.some((known) => known === kind)) return [...previous, kind];
  throw new InvalidArgumentError(`There are ${ENTRY_KINDS.join(', ')}.`);
}

/** An option's parser: `2026-11-01` (midnight where the machine stands), a date with a time, or `7d`. As Unix milliseconds. */
function pastTime(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return Date.now() - Number(days) * 86_400_000;
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  const at = Date.parse(date === text ? `${text}T00:00` : text);
  if (date !== undefined && !Number.isNaN(at)) return at;
  throw new InvalidArgumentError('A date such as 2026-11-01, or a number of days such as 7d, is wanted.');
}

const signed = (amount: number) => (amount > 0 ? `+${amount}` : String(amount));
