import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import type { OfferedModel, Sharing } from '../../../src-preload/contract/models.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, durationText, type Output, table } from '../terminal/output.ts';
import { Progress, Remark } from '../terminal/progress.ts';
import { sharedText } from '../terminal/shared-text.ts';

/** Milliseconds between two looks at what is being prepared or sent. */
const LOOK_MS = 500;
const REPORT_MS = 10_000;

/** `quarry models share|unshare|seed|offers`. */
export function registerModelSharing(models: Command): void {
  models
    .command('share')
    .argument('<name>', 'a model of the library')
    .description('offer a model to other nodes, and vouch for what it is; a running node seeds it')
    .action(runCommand(share));
  models
    .command('unshare')
    .argument('<name>', 'a shared model')
    .description('offer it no longer')
    .action(runCommand(unshare));
  models
    .command('seed')
    .description('send shared models to other nodes, until Ctrl+C; with a running node: show what it sends')
    .action(runCommand(seed));
  models
    .command('offers')
    .description('models that other nodes share')
    .addOption(new Option('--wait <seconds>', 'how long to look around').argParser(number(0, 60)).default(5))
    .action(runCommand((context, flags: { wait: number }) => offers(context, flags.wait)));
}

async function share({ output, signal, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({ sharing: true }, async (node, runs) => {
    let sharing = await node.models.share({ name }, { signal });
    const progress = new Progress(name, output);
    const own = () => sharing.models.find((model) => model.name === name);
    try {
      for (let model = own(); model?.state === 'preparing'; model = own()) {
        progress.show({ done: model.prepared * model.bytes, total: model.bytes, note: 'preparing' });
        await sleep(LOOK_MS, undefined, { signal });
        sharing = await node.models.sharing();
      }
    } finally {
      progress.end();
    }
    const problem = own()?.problem;
    if (problem) throw new QuarryError({ code: 'MODEL_INVALID', message: `${name} cannot be shared: ${problem}` });
    const shared = own();
    output.document(shared);
    if (shared) output.line(sharedText(name, shared.sha256, runs));
  });
}

async function unshare({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    output.document(await node.models.unshare({ name }));
    output.line(`${name} is no longer shared.`);
  });
}

async function seed({ output, signal, withNode }: CommandContext): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    const first = await node.models.sharing();
    output.document(first);
    if (first.models.length + first.versions.length === 0) {
      return output.line('Nothing is shared yet: quarry models share NAME, or set sharing.seed = true.');
    }
    showSharing(first, output);
    if (output.json) return;
    output.line('Ctrl+C stops.');
    for (;;) {
      await sleep(REPORT_MS, undefined, { signal });
      showSharing(await node.models.sharing(), output);
    }
  });
}

function showSharing({ models, versions, uploadLimit, diskUsed, diskLimit }: Sharing, output: Output): void {
  output.line(
    table(
      ['MODEL', 'STATE', 'PEERS', 'SENT', ''],
      [...models, ...versions].map(({ name, state, prepared, peers, uploadedBytes, problem }) => [
        name,
        state === 'preparing' ? `preparing, ${Math.floor(prepared * 100)} %` : state,
        peers,
        sizeText(uploadedBytes),
        problem ?? '',
      ]),
    ),
  );
  const upload = uploadLimit === null ? 'no cap on uploads' : `at most ${sizeText(uploadLimit)}/s`;
  const room = diskLimit === null ? '' : ` of ${sizeText(diskLimit)}`;
  output.line(`${upload}; ${sizeText(diskUsed)}${room} held on disk for sharing.`);
}

/** Says meanwhile how many nodes it has found, and how many models. */
async function lookAround(node: NodeClient, seconds: number, output: Output, signal: AbortSignal) {
  const remark = new Remark(output);
  let seen: { peers: number; offers: OfferedModel[] } = { peers: 0, offers: [] };
  try {
    for await (const look of await node.models.watchOffers({ waitMs: Math.round(seconds * 1_000) }, { signal })) {
      seen = look;
      remark.show(lookText(seconds, look.peers, look.offers.length));
    }
  } finally {
    remark.end();
  }
  return seen;
}

/** «Looking around for 5 s: 3 nodes, 1 model» */
export function lookText(seconds: number, peers: number, models: number): string {
  return `Looking around for ${durationText(seconds * 1_000)}: ${counted(peers, 'node')}, ${counted(models, 'model')}`;
}

async function offers({ output, signal, withNode }: CommandContext, waitSeconds: number): Promise<void> {
  await withNode({ sharing: true }, async (node) => {
    const { peers, offers: found } = await lookAround(node, waitSeconds, output, signal);
    output.document(found);
    if (found.length === 0) {
      const among =
        peers === 0 ? 'No other node is in reach yet' : `None of ${counted(peers, 'node')} in reach shares a model`;
      return output.line(`${among}. --wait 30 looks longer.`);
    }
    output.line(
      table(
        ['MODEL', 'SIZE', 'QUANT', 'LICENCE', 'SEEDERS', 'SIGNED BY', 'SHA-256'],
        found.map(({ name, bytes, quantisation, licence, seeders, signers, trusted, inCatalogue, sha256 }) => [
          inCatalogue ? `${name} ✓` : name,
          sizeText(bytes),
          quantisation,
          licence,
          seeders,
          trusted ? 'someone you trust' : signers.slice(0, 2).map(shortId).join(', '),
          sha256.slice(0, 12),
        ]),
      ),
    );
    output.line(
      '\n✓ is in the catalogue: quarry models pull NAME. Others: quarry models pull SHA256 --trust, with the whole one that whoever shared it gives',
    );
  });
}
