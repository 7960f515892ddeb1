import { styleText } from 'node:util';
import type { Command } from 'commander';
import { isWorthBackup } from '../../src-preload/contract/limits.ts';
import { version } from '../base/version.ts';
import { readRunningNode } from '../client/running-node.ts';
import { checkAxon } from '../hardware/doctor/axon.ts';
import { checkBackup } from '../hardware/doctor/backup.ts';
import type { CheckStatus } from '../hardware/doctor/check.ts';
import { checkClips } from '../hardware/doctor/clips.ts';
import { type CompetitionFacts, checkCompetition } from '../hardware/doctor/competition.ts';
import { checkLedger } from '../hardware/doctor/ledger.ts';
import { checkMarket } from '../hardware/doctor/market.ts';
import { checkMyNodes } from '../hardware/doctor/my-nodes.ts';
import { checkUpdates } from '../hardware/doctor/updates.ts';
import { type Config, readNotTaken, readWithheld } from '../settings/config.ts';
import { newerHeardOf } from '../updates/update-watch.ts';
import { stateOf } from './data/state-of.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { interruptible } from './terminal/interruption.ts';
import type { NodeClient } from './terminal/node-client.ts';

const SIGNS: Record<CheckStatus, string> = {
  ok: styleText('green', '✓'),
  warn: styleText('yellow', '!'),
  fail: styleText('red', '✗'),
  skip: styleText('dim', '–'),
};

/** `quarry doctor`: what stands in the way, and what to do about it. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'check GPU, model, disk, clock, ports, ledger, backup and how other nodes can reach this one; changes nothing',
    )
    .action(runCommand(doctor));
}

async function doctor({ config, sources, output, signal, withNode }: CommandContext): Promise<void> {
  output.note('Examining this machine; the network check takes up to 10 seconds …');
  const running = await readRunningNode(config.dataDir);
  const { examineComputer } = await import('../app/node/examination.ts');
  const bootstrap = running?.url ? await bootstrapOf(withNode) : config.bootstrap;
  const newer = await newerHeardOf(config.dataDir);
  const examination = examineComputer(
    { ...config, bootstrap },
    {
      url: running?.url,
      withheld: () => readWithheld(sources),
      notTaken: () => readNotTaken(sources),
      // Only a running node knows peers: joining the mesh for this would write into the data folder.
      peerOffsets: running?.url
        ? async () => (await withNode({}, ({ node }) => node.status())).peerClockOffsetsMs
        : undefined,
      checks: {
        ...(newer !== undefined && { updates: async () => checkUpdates({ version, newer }) }),
        ...(running?.url ? checksOf(withNode, config) : {}),
      },
    },
  );
  const report = await interruptible(examination, signal);
  output.document(report);
  for (const { name, status, found, advice } of report.checks) {
    output.line(`${SIGNS[status]} ${name.padEnd(12)} ${found}`);
    if (advice) output.line(`${' '.repeat(15)}${styleText('dim', advice)}`);
  }
  if (!report.healthy) process.exitCode = 1;
}

/** What the running node alone knows: how its look at the ledger stands, whom it is paired with, what it has to lose, who reaches its axon. */
function checksOf(
  withNode: CommandContext['withNode'],
  { axon, market, competition }: Pick<Config, 'axon' | 'market' | 'competition'>,
) {
  return {
    ...(axon.wallet !== undefined && { axon: () => withNode({}, async (node) => checkAxon(await node.axon.state())) }),
    ...(market.enabled && { market: () => withNode({}, async (node) => checkMarket(await node.market.state())) }),
    ...(competition.enabled && {
      competition: () => withNode({}, async (node) => checkCompetition(servedFacts(await node.competition.served()))),
    }),
    clips: () => withNode({}, async (node) => checkClips(await stateOf(node))),
    ledger: () => withNode({}, async ({ credits }) => checkLedger(await credits.check())),
    'my nodes': () =>
      withNode({}, async ({ fleet }) => {
        const { nodes } = await fleet.list();
        return checkMyNodes(
          nodes.filter(({ self }) => !self),
          Date.now(),
        );
      }),
    backup: () =>
      withNode({}, async ({ backup, node }) => {
        const [{ lastAt }, { credits }] = [await backup.state(), await node.status()];
        return checkBackup({ lastAt, worthIt: isWorthBackup(credits.tier) }, Date.now());
      }),
  };
}

function servedFacts({ running, error }: Awaited<ReturnType<NodeClient['competition']['served']>>): CompetitionFacts {
  const closed = running?.tracks.find(({ track }) => track === 'gpu')?.closed?.said?.text ?? null;
  return { error, served: running && { ...running, closed } };
}

/** Where the running node meets its mesh: it may have been started with other settings than this command. */
async function bootstrapOf(withNode: CommandContext['withNode']): Promise<string[]> {
  const { settings } = await withNode({}, (node) => node.settings.list());
  const value = settings.find(({ path }) => path === 'bootstrap')?.value;
  return Array.isArray(value) ? value.map(String) : [];
}
