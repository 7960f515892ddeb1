import type { Command } from 'commander';
import { integer } from './arguments.ts';
import { type CommandContext, runCommand } from './command.ts';
import { table } from './output.ts';

/** `quarry credits`: what this node has earned and spent, and the proof of it. */
export function registerCredits(program: Command): void {
  const credits = program.command('credits').description('what this node has earned and spent');
  credits.command('show', { isDefault: true }).description('balance, tier and achievements').action(runCommand(show));
  credits
    .command('history')
    .option('--limit <n>', 'how many entries', integer(1, 1_000), 20)
    .description('the ledger, newest first')
    .action(runCommand((context, flags: { limit: number }) => history(context, flags.limit)));
  credits
    .command('verify')
    .description('prove the ledger: every entry balances, every receipt is genuine and booked once')
    .action(runCommand((context) => prove(context, 'verify')));
  credits
    .command('rebuild')
    .description('work out balances and score anew from the journal, then verify')
    .action(runCommand((context) => prove(context, 'rebuild')));
}

async function show({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const summary = await node.credits.summary();
    output.document(summary);
    output.line(`${summary.available} credits to spend${summary.reserved ? `, ${summary.reserved} set aside` : ''}`);
    output.line(
      `${summary.points} points earned: ${summary.tier}${summary.next ? ` (${summary.next.missing} to ${summary.next.tier})` : ''}`,
    );
    output.line(
      `${summary.served} requests served, ${summary.earnedToday} points today, ${summary.spent} credits spent`,
    );
    for (const achievement of summary.achievements) {
      output.line(`★ ${achievement.title} (+${achievement.bonus}), ${new Date(achievement.at).toLocaleDateString()}`);
    }
  });
}

async function history({ output, withNode }: CommandContext, limit: number): Promise<void> {
  await withNode({}, async (node) => {
    const entries = await node.credits.entries({ limit });
    output.document(entries);
    if (entries.length === 0) return output.line('Nothing booked yet.');
    output.line(
      table(
        ['#', 'WHEN', 'KIND', 'CREDITS', ''],
        entries.map((entry) => [
          entry.seq,
          new Date(entry.at).toLocaleString(),
          entry.kind,
          signed(entry.amount),
          entry.memo,
        ]),
      ),
    );
  });
}

async function prove({ output, withNode }: CommandContext, how: 'verify' | 'rebuild'): Promise<void> {
  await withNode({}, async (node) => {
    const report = await node.credits[how]();
    output.document(report);
    output.line(`${report.entries} entries, ${report.receipts} receipts, ${report.openReservations} open reservations`);
    for (const problem of report.problems) output.line(`✗ ${problem}`);
    output.line(
      report.ok
        ? '✓ The ledger is sound.'
        : '✗ The ledger is NOT sound. Keep a copy of quarry.db; docs/credits.md says how to repair it.',
    );
    if (!report.ok) process.exitCode = 1;
  });
}

const signed = (amount: number) => (amount > 0 ? `+${amount}` : String(amount));
