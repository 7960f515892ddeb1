import type { Command } from 'commander';
import { foreignLine } from '../../base/foreign-text.ts';
import { integer, number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, durationText, percent, table, timeText } from '../terminal/output.ts';
import { countsText } from './board-text.ts';

const ROUND = integer(1, 0x7fff_ffff);

/** `quarry rounds served` and below: the competition that this node serves itself. */
export function registerServed(rounds: Command): void {
  const served = rounds.command('served').description('the competition that this node serves');
  served.command('show', { isDefault: true }).description('how it stands').action(runCommand(show));
  served.command('bans').description('addresses that it takes nothing from').action(runCommand(bans));
  served.command('lift').argument('<address>').description('take from an address again').action(runCommand(lift));
  served
    .command('extend')
    .argument('<round>', 'its number', ROUND)
    .argument('<hours>', 'by which it ends later', number(0.01, 720))
    .description('let the open round go on')
    .action(runCommand(extend));
  served
    .command('end')
    .argument('<round>', 'its number', ROUND)
    .description('close the open round now')
    .action(runCommand(end));
}

export async function show({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node, runs) => {
    const { running, error } = await node.competition.served();
    output.document({ running, error });
    if (!running && !runs) return output.line('No node runs here: a competition is served while one does.');
    if (!running) return output.line(error?.message ?? 'This node serves no competition.');
    const { url, server, round, endsAt, judging, submissions, banned, appeals } = running;
    const left = durationText(Math.max(0, endsAt - Date.now()));
    output.line(`Round ${round} is open at ${url} until ${timeText(endsAt)}, for ${left} more.`);
    output.line(`  its key      ${server} (miners set it as competitor.key)`);
    output.line(`  submissions  ${countsText(submissions)}`);
    if (judging)
      output.line(`Of round ${judging.round}, ${judging.submission.slice(0, 8)} is judged: ${percent(judging.done)}`);
    if (banned > 0)
      output.line(
        `${counted(banned, 'address', 'addresses')} banned, ${counted(appeals, 'appeal')}: quarry rounds served bans`,
      );
  });
}

export async function bans({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.competition.bans();
    output.document(all);
    if (all.length === 0) return output.line('No address is banned.');
    const rows = all.map(({ address, bannedUntil, appeal }) => [
      ...[address, timeText(bannedUntil), appeal ? foreignLine(appeal.note) : '–'],
    ]);
    output.line(table(['ADDRESS', 'UNTIL', 'APPEAL'], rows));
  });
}

export async function lift({ output, withNode }: CommandContext, address: string): Promise<void> {
  await withNode({}, async (node) => {
    const answer = await node.competition.lift({ address });
    output.document(answer);
    output.line(answer.lifted ? `${address} is let in again.` : `${address} was not banned.`);
  });
}

export async function extend({ output, withNode }: CommandContext, round: number, hours: number): Promise<void> {
  await withNode({}, async (node) => {
    const open = await node.competition.extend({ round, hours });
    output.document(open);
    output.line(`Round ${round} is open until ${timeText(open.endsAt)}.`);
  });
}

export async function end({ output, withNode }: CommandContext, round: number): Promise<void> {
  await withNode({}, async (node) => {
    const closed = await node.competition.end({ round });
    output.document(closed);
    output.line(`Round ${round} is ${closed.state}.`);
  });
}
