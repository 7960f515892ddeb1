import { styleText } from 'node:util';
import type { Command } from 'commander';
import { readRunningNode } from '../app/host/running-node.ts';
import type { CheckStatus } from '../hardware/doctor/check.ts';
import { checkLedger } from '../hardware/doctor/ledger.ts';
import { readWithheld } from '../settings/config.ts';
import { type CommandContext, runCommand } from './command.ts';
import { interruptible } from './interruption.ts';

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
    .description('check GPU, model, disk, clock, ports and how other nodes can reach this one; changes nothing')
    .action(runCommand(doctor));
}

async function doctor({ config, sources, output, signal, withNode }: CommandContext): Promise<void> {
  output.note('Examining this machine; the network check takes up to 10 seconds …');
  const running = await readRunningNode(config.dataDir);
  const { examineComputer } = await import('../app/node/examination.ts');
  const bootstrap = running?.url ? await bootstrapOf(withNode) : config.bootstrap;
  const examination = examineComputer(
    { ...config, bootstrap },
    {
      url: running?.url,
      withheld: () => readWithheld(sources),
      // Only a running node knows peers: joining the mesh for this would write into the data folder.
      peerOffsets: running?.url
        ? async () => (await withNode({}, ({ node }) => node.status())).peerClockOffsetsMs
        : undefined,
      // It alone knows how its own look at the ledger stands.
      checks: running?.url
        ? { ledger: () => withNode({}, async ({ credits }) => checkLedger(await credits.check())) }
        : {},
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

/** Where the running node meets its mesh: it may have been started with other settings than this command. */
async function bootstrapOf(withNode: CommandContext['withNode']): Promise<string[]> {
  const { settings } = await withNode({}, (node) => node.settings.list());
  const value = settings.find(({ path }) => path === 'bootstrap')?.value;
  return Array.isArray(value) ? value.map(String) : [];
}
