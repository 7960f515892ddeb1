import { type Command, Option } from 'commander';
import { shortId } from '../../src-preload/contract/limits.ts';
import type { PeerView } from '../../src-preload/contract/mesh.ts';
import { number } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { durationText, table, timeText } from './terminal/output.ts';

const UNVERIFIED = `
«unverified»: it does not say which file its model is, so nobody can check whether it answers with that model. Where a
model is asked for by name, those who say it come first.`;

/** `quarry peers`: who is on the mesh with us. */
export function registerPeers(program: Command): void {
  program
    .command('peers')
    .description('list the nodes this one is connected to; joins the mesh for a moment when no node is running')
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for peers; ends when a second passes without a new one')
        .argParser(number(0, 60))
        .default(5),
    )
    .addHelpText('after', UNVERIFIED)
    .action(runCommand((context, flags: { wait: number }) => peers(context, flags.wait)));
}

function modelsText({ models, toLoad = [] }: PeerView): string {
  const loads = new Map(toLoad.map(({ name, ms }) => [name, ` (loads in about ${durationText(ms)})`]));
  return models.map((name) => name + (loads.get(name) ?? '')).join(', ') || '–';
}

async function peers({ output, signal, withNode }: CommandContext, waitSeconds: number): Promise<void> {
  await withNode({ mesh: true }, async (node) => {
    const view = await node.mesh.peers({ waitMs: Math.round(waitSeconds * 1_000) }, { signal });
    output.document(view);
    if (view.peers.length === 0) {
      output.line(
        'No peers yet. A mesh needs a second node: start one here with another --data folder, or on another machine.',
      );
      output.line('If others should see you and do not, run: quarry doctor');
    } else {
      output.line(
        table(
          ['PEER', 'SIDES', 'OWES YOU', 'YOU OWE', 'SHOWN TIER', 'HEALTH', 'QUEUE', 'RTT', 'MODELS'],
          view.peers.map((peer) => [
            shortId(peer.id),
            [...peer.sides, ...(peer.validator ? ['validator'] : [])].join(',') || '–',
            peer.owes,
            peer.owed,
            peer.tier,
            peer.health === undefined ? '–' : Math.round(peer.health),
            peer.queue ?? '–',
            peer.rttMs === undefined ? '–' : `${peer.rttMs.toFixed(1)} ms`,
            `${modelsText(peer)}${peer.unverified ? ' (unverified)' : ''}`,
          ]),
        ),
      );
    }
    for (const mark of view.marks) {
      output.line(
        `false score ${shortId(mark.id)} (its points count for nothing until ${timeText(mark.expiresAt)}): ${mark.detail}`,
      );
    }
    if (view.moreMarks > 0) output.line(`and ${view.moreMarks} more whose scores are false`);
    for (const ban of view.bans) {
      output.line(`banned ${shortId(ban.id)} until ${timeText(ban.expiresAt)}: ${ban.reason}`);
    }
  });
}
