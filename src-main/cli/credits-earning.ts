import type { Command } from 'commander';
import type { EarningToday, Shortfall } from '../../src-preload/contract/earning.ts';
import type { Energy } from '../../src-preload/contract/node.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { counted, dayText, table, timeText } from './terminal/output.ts';

/** `quarry credits today` and `models`: what was earned with what, and why not more. */
export function registerEarning(credits: Command): void {
  credits
    .command('today')
    .description('what today has brought, why it was not more, and what energy that took')
    .action(runCommand(today));
  credits
    .command('models')
    .description('what each model has done for the mesh: answers, tokens, points, points an hour, speed')
    .action(runCommand(models));
}

async function today({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const [earning, energy] = await Promise.all([node.credits.today(), node.node.energy()]);
    output.document({ ...earning, energy });
    output.line(earnedText(earning));
    const missed = earning.reasons.filter(({ ownChoice }) => !ownChoice);
    const chosen = earning.reasons.filter(({ ownChoice }) => ownChoice);
    if (earning.reasons.length === 0 && earning.asked > 0) output.line('Nothing held mining back today.');
    if (earning.asked === 0) output.line('Nobody asked today.');
    if (missed.length > 0) output.line(`\nWhy it was not more:\n${table(['POINTS', 'WHY'], missed.map(reasonCells))}`);
    for (const { text } of chosen) output.line(`${text}: that counts as nothing missed.`);
    for (const line of energyLines(energy)) output.line(line);
  });
}

function earnedText({ earned, waiting, usual }: EarningToday): string {
  const compared = usual ? `, ${Math.round(usual.soFar)} by this time on a usual day` : '';
  const unsigned =
    waiting.answers > 0 ? `; ${counted(waiting.answers, 'answer')} not signed yet (${waiting.points})` : '';
  return `${counted(earned, 'point')} today${compared}${unsigned}`;
}

/** What waits is on its way, everything else was missed; where too little is known there is no figure. */
function reasonCells({ kind, points, text, why }: Shortfall): string[] {
  const rounded = points === undefined ? undefined : Math.round(points);
  const amount = rounded === undefined ? '?' : kind === 'unsigned' ? `+${rounded}` : `-${rounded}`;
  return [amount, `${text}. ${why}`];
}

/** @returns nothing where nobody knows what this computer draws */
function energyLines({ basis, entered, of, today, week, currency = '' }: Energy): string[] {
  if (!today || !week) return [];
  const span = ({ wattHours, cost }: typeof today) =>
    `${(wattHours / 1_000).toFixed(2)} kWh${cost === undefined ? '' : ` (${`${cost.toFixed(2)} ${currency}`.trim()})`}`;
  const names = { gpu: 'graphics card', cpu: 'processor' };
  const by =
    basis === 'entered'
      ? `reckoned with the ${entered} W that were entered`
      : `measured while mining (${of.map((part) => names[part]).join(' and ') || 'by sensors that are silent now'})`;
  return [`Energy: ${span(today)} today, ${span(week)} in 7 days, ${by}.`];
}

async function models({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const statistics = await node.credits.byModel();
    output.document(statistics);
    if (statistics.since === null) return output.line('No answer was given yet.');
    const known = (value: number | null) => (value === null ? '?' : value.toFixed(1));
    output.line(
      table(
        ['MODEL', 'ANSWERS', 'TOKENS', 'POINTS', 'POINTS/H', 'TOKENS/S', 'LAST'],
        statistics.models.map((one) => [
          ...[one.name, one.answers, one.tokens, one.points],
          ...[known(one.pointsPerHour), known(one.tokensPerSecond), timeText(one.lastAt)],
        ]),
      ),
    );
    const since = dayText(statistics.since);
    output.line(`By the receipts of the last ${counted(statistics.answers, 'answer')}, since ${since}.`);
  });
}
