import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { type CatalogueModel, type Download, MODEL_USES } from '../../../src-preload/contract/models.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { downloadText, followDownload } from '../terminal/follow-download.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { durationText, table } from '../terminal/output.ts';
import { ofRepository } from './hub.ts';
import { RUNS, rateText } from './rates.ts';

interface PullFlags {
  from?: 'anywhere' | 'http' | 'peers';
  sha256?: string;
  name?: string;
  trust?: boolean;
  limit?: number;
}

/** `quarry models catalogue|recommend|pull|add|downloads|pause|resume|cancel`. */
export function registerModelDownloads(models: Command): void {
  const context = () =>
    new Option('--context <tokens>', 'tokens of context for one request').argParser(integer(256, 10_000_000));
  models
    .command('catalogue')
    .description('the models that Quarry knows, and how each would run on this machine')
    .addOption(context())
    .action(runCommand((command, flags: { context?: number }) => catalogue(command, flags.context)));
  models
    .command('recommend')
    .description('what fits this machine best')
    .addOption(new Option('--use <use>', 'what for').choices(MODEL_USES).default('chat'))
    .addOption(context())
    .action(runCommand(recommend));
  const from = () => new Option('--from <where>', 'where to take it from').choices(['anywhere', 'http', 'peers']);
  const limit = () =>
    new Option('--limit <kB/s>', 'speed limit for all downloads of this node together').argParser(
      integer(1, 100_000_000),
    );
  models
    .command('pull')
    .argument(
      '<name>',
      'a model of the catalogue, OWNER/NAME[:QUANTISATION] at Hugging Face, or a SHA-256 that peers share',
    )
    .description('download a model, or go on where a download stopped; Ctrl+C pauses')
    .addOption(from())
    .addOption(limit())
    .option('--name <name>', 'what to call a file that is pulled by its SHA-256, if not as a trusted signer does')
    .option('--trust', 'also take a file that none of your trusted signers vouches for')
    .action(runCommand(pullByName));
  models
    .command('add')
    .argument('<url>', 'web address of a .gguf file')
    .description('download a model that is not in the catalogue')
    .option('--name <name>', 'what to call it (default: the file’s name)')
    .option('--sha256 <hash>', 'refuse the file unless it has this SHA-256')
    .addOption(limit())
    .action(
      runCommand((command, url: string, flags: PullFlags) =>
        pull(command, { url, name: flags.name, sha256: flags.sha256?.toLowerCase() }, flags.limit),
      ),
    );
  models.command('downloads').description('downloads that are not complete').action(runCommand(downloads));
  for (const verb of ['pause', 'resume', 'cancel'] as const) {
    models
      .command(verb)
      .argument('<name>', 'a download')
      .description(VERBS[verb])
      .action(runCommand((command, name: string) => change(command, verb, name)));
  }
}

const VERBS = {
  pause: 'stop a download and keep what is there',
  resume: 'let the running node go on with a download',
  cancel: 'end a download and delete what is there',
};

async function catalogue({ output, withNode }: CommandContext, contextSize?: number): Promise<void> {
  await withNode({}, async (node) => {
    const models = await node.models.catalogue({ contextSize });
    output.document(models);
    output.line(modelTable(models));
    output.line('\nDownload one: quarry models pull NAME');
  });
}

async function recommend(
  { output, withNode }: CommandContext,
  flags: { use: CatalogueModel['use']; context?: number },
): Promise<void> {
  await withNode({}, async (node) => {
    const models = await node.models.recommend({ use: flags.use, contextSize: flags.context });
    output.document(models);
    const [best] = models;
    if (!best) return output.line('No model of the catalogue runs well on this machine.');
    output.line(`${styleText('bold', best.title)}: ${best.description}`);
    if (best.fit) output.line(best.fit.reason);
    output.line(best.installed ? 'It is installed.' : `Get it: quarry models pull ${best.name}`);
    if (models.length > 1) output.line(`\n${modelTable(models)}`);
  });
}

function modelTable(models: CatalogueModel[]): string {
  return table(
    ['', 'MODEL', 'FOR', 'SIZE', 'RUNS', 'TOKENS/S', 'LICENCE'],
    models.map(({ installed, name, use, bytes, fit, licence }) => [
      installed ? '✓' : '',
      name,
      use,
      bytes === null ? '–' : sizeText(bytes),
      fit ? RUNS[fit.runs] : '–',
      fit && fit.runs !== 'no' ? rateText(fit.speed) : '–',
      licence,
    ]),
  );
}

async function pullByName(command: CommandContext, name: string, flags: PullFlags): Promise<void> {
  const { from, trust, limit } = flags;
  const sha256 = name.toLowerCase();
  const byHash = hexPattern(32).test(sha256);
  if (flags.name !== undefined && !byHash) throw onlyByHash();
  const wanted = name.includes('/') ? ofRepository(name) : byHash ? { sha256, name: flags.name } : { name };
  await pull(command, { ...wanted, from, trust }, limit);
}

function onlyByHash(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'Only what is pulled by its SHA-256 can be given a name.',
    hint: 'Leave --name out.',
    field: 'name',
  });
}

type Wanted = Parameters<NodeClient['models']['pull']>[0];

async function pull(
  { output, signal, config, withNode }: CommandContext,
  wanted: Wanted,
  limitKb?: number,
): Promise<void> {
  const sharing = config.models.fromPeers && wanted.from !== 'http' && (wanted.url ?? wanted.repository) === undefined;
  await withNode({ sharing }, async (node) => {
    if (limitKb !== undefined) await node.models.limit({ bytesPerSecond: limitKb * 1_000 });
    const begun = await node.models.pull(wanted, { signal });
    const { name } = begun;
    const end = begun.state === 'done' ? begun : await followDownload(node, name, output, signal);
    output.document(end);
    if (end.state === 'done') {
      output.line(`${name} is here (${sizeText(end.received)}). \`quarry start\` serves it.`);
    } else if (signal.aborted) {
      const word = `Go on with: quarry models pull ${again(wanted, name)}`;
      output.note(`\nStopped at ${sizeText(end.received)}; nothing is lost. ${word}`);
      process.exitCode = 130;
    } else throw failure(end, again(wanted, name));
  });
}

/** What to type to go on. */
function again({ repository, quantisation }: Wanted, name: string): string {
  if (repository === undefined) return name;
  return quantisation === undefined ? repository : `${repository}:${quantisation}`;
}

function failure({ name, problem }: Download, typed: string): QuarryError {
  return new QuarryError({
    code: 'DOWNLOAD_FAILED',
    message: problem?.message ?? `The download of ${name} was paused.`,
    hint: problem?.hint ?? `Go on with: quarry models pull ${typed}`,
  });
}

async function downloads({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.models.downloads();
    output.document(all);
    if (all.length === 0) return output.line('No downloads.');
    output.line(
      table(
        ['MODEL', 'STATE', 'HAVE', 'OF', 'SPEED', 'LEFT', ''],
        all.map((download) => [
          download.name,
          downloadText(download),
          sizeText(download.received),
          download.bytes === null ? '–' : sizeText(download.bytes),
          download.bytesPerSecond ? `${sizeText(download.bytesPerSecond)}/s` : '–',
          download.secondsLeft === null ? '–' : durationText(download.secondsLeft * 1_000),
          download.problem?.message ?? '',
        ]),
      ),
    );
  });
}

async function change(
  { output, withNode }: CommandContext,
  verb: 'pause' | 'resume' | 'cancel',
  name: string,
): Promise<void> {
  await withNode({}, async (node) => {
    const download = await node.models[verb]({ name });
    output.document(download ?? { cancelled: name });
    if (download) output.line(`${name}: ${download.state}, ${sizeText(download.received)} so far.`);
    else output.line(`The download of ${name} is cancelled and what it had is deleted.`);
  });
}
