import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OfferedAdapter, VersionSharing } from '../../../src-preload/contract/learning-sharing.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { number } from '../terminal/arguments.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { followDownload } from '../terminal/follow-download.ts';
import { counted, table } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';
import { sharedText } from '../terminal/shared-text.ts';

/** Milliseconds between two looks at what is being prepared. */
const LOOK_MS = 500;
const VERSION = 'a version: personal@3, personal, or its id';

/** `quarry learn share|unshare|offers|fetch`: versions between nodes. */
export function registerVersionSharing(learn: Command): void {
  learn
    .command('share')
    .argument('<version>', VERSION)
    .option('--yes', 'without asking')
    .description('offer a version to other nodes, until you unshare it; a running node sends it')
    .action(runCommand(share));
  learn
    .command('unshare')
    .argument('<version>', VERSION)
    .description('offer it no longer; who has it keeps it')
    .action(runCommand(unshare));
  learn
    .command('offers')
    .description('versions that other nodes share')
    .addOption(new Option('--wait <seconds>', 'how long to look around').argParser(number(0, 60)).default(5))
    .action(runCommand((context, flags: { wait: number }) => offers(context, flags.wait)));
  learn
    .command('fetch')
    .argument('<version>', 'what others share: personal@3 as they call it, or its SHA-256')
    .option('--adapter <name>', 'of which adapter it is to be a version here, if not of one called so')
    .option('--model <name>', 'the model that it is for, where it is shared for several')
    .option('--trust', 'also take one that none of your trusted signers vouches for')
    .description('get a version that another node shares, or go on where that stopped; Ctrl+C pauses')
    .action(runCommand(fetchVersion));
}

async function share(
  { output, signal, withNode }: CommandContext,
  version: string,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  await withNode({ sharing: true }, async (node, runs) => {
    let sharing = await node.learning.sharing({ version });
    const named = nameOf(sharing.offer);
    if (!yes) {
      output.note(goesOut(sharing.offer));
      if (!(await askYes(`Share ${named}?`, 'Nothing was shared', output.json))) return;
    }
    sharing = await node.learning.share({ version }, { signal });
    const progress = new Progress(named, output);
    try {
      for (; sharing.status?.state === 'preparing'; sharing = await node.learning.sharing({ version })) {
        const { prepared, bytes: total } = sharing.status;
        progress.show({ done: prepared * total, total, note: 'preparing' });
        await sleep(LOOK_MS, undefined, { signal });
      }
    } finally {
      progress.end();
    }
    const problem = sharing.status?.problem;
    if (problem) throw new QuarryError({ code: 'ADAPTER_INVALID', message: `${named} cannot be shared: ${problem}` });
    output.document(sharing);
    output.line(sharedText(named, sharing.offer.sha256, runs));
  });
}

/** Before it is shared: what others get, and what they may learn from it. */
function goesOut(offer: VersionSharing['offer']): string {
  const { bytes, sha256, base, baseName } = offer;
  return [
    `Anybody on the models network can fetch ${nameOf(offer)}, and keeps it when you unshare it.`,
    'It has learnt from private feedback and what that was said of. None of it is in the file, and yet parts of it may be read out of the weights.',
    `  goes out   ${sizeText(bytes)}, SHA-256 ${sha256}`,
    `  is for     ${baseName}, SHA-256 ${base}`,
  ].join('\n');
}

async function unshare({ output, withNode }: CommandContext, version: string): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    await node.learning.unshare({ version });
    output.document({ unshared: version });
    output.line(`${version} is no longer shared.`);
  });
}

async function offers({ output, signal, withNode }: CommandContext, waitSeconds: number): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    output.note('Looking around …');
    const { peers, offers: found } = await node.learning.offers(
      { waitMs: Math.round(waitSeconds * 1_000) },
      { signal },
    );
    output.document(found);
    if (found.length === 0) {
      const among =
        peers === 0 ? 'No other node is in reach yet' : `None of ${counted(peers, 'node')} in reach shares one`;
      return output.line(`${among}. --wait 30 looks longer.`);
    }
    output.line(
      table(
        ['VERSION', 'SIZE', 'FOR THE MODEL', 'SEEDERS', 'SIGNED BY', 'HERE', 'SHA-256'],
        found.map((offer) => [
          nameOf(offer),
          sizeText(offer.bytes),
          modelText(offer),
          offer.seeders,
          offer.trusted ? 'someone you trust' : offer.signers.slice(0, 2).map(shortId).join(', '),
          offer.here ?? '',
          offer.sha256.slice(0, 12),
        ]),
      ),
    );
    output.line(
      '\nGet one: quarry learn fetch VERSION. One that nobody you trust has signed: by the whole SHA-256 that whoever shared it gives, with --trust',
    );
  });
}

function modelText({ base, baseName, baseHere }: OfferedAdapter): string {
  return baseHere === null ? `${baseName} (not here: ${base.slice(0, 12)})` : baseHere;
}

async function fetchVersion(
  { output, signal, withNode }: CommandContext,
  version: string,
  { adapter, model, trust = false }: { adapter?: string; model?: string; trust?: boolean },
): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    const begun = await node.learning.fetch({ version, adapter, model, trust }, { signal });
    const end = begun.state === 'done' ? begun : await followDownload(node, begun.name, output, signal);
    output.document(end);
    if (end.state === 'done') {
      const { versions, name } = await node.learning.versions({ adapter: end.adapter?.name });
      const [newest] = versions;
      output.line(`${newest ? nameOf(newest) : name} is here, and not in use: quarry learn use ${newest?.id ?? name}`);
    } else if (signal.aborted) {
      output.note(
        `\nStopped at ${sizeText(end.received)}; nothing is lost. Go on with: quarry models resume ${end.name}`,
      );
      process.exitCode = 130;
    } else throw failure(end);
  });
}

function failure({ name, problem }: Download): QuarryError {
  return new QuarryError({
    code: 'DOWNLOAD_FAILED',
    message: problem?.message ?? `The download ${name} was paused.`,
    hint: problem?.hint ?? `Go on with: quarry models resume ${name}`,
  });
}

const nameOf = ({ name, number: of }: { name: string; number: number }) => `${name}@${of}`;
