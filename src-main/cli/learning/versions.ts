import { extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type AdapterVersion, EXPORT_FORMS, type ExportForm } from '../../../src-preload/contract/learning-versions.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { PLAIN_MODEL } from '../../learning/adapters/learnt-models.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table, timeText } from '../terminal/output.ts';
import { checkPlace, takeFile } from '../terminal/take-file.ts';

const VERSION = 'a version: personal@3, personal, or its id';

/** `quarry learn versions|undo|redo|use|compare|export|import|rename|delete`: what was learnt, and the way back. */
export function registerVersions(learn: Command): void {
  const adapter = () => new Option('--adapter <name>', 'which adapter, if not the one that is set');
  learn
    .command('versions')
    .addOption(adapter())
    .description('versions of what was learnt, newest first; the one in use is marked')
    .action(runCommand(list));
  learn
    .command('undo')
    .addOption(adapter())
    .description('go back to the version before: the one that the version in use was learnt on from')
    .action(runCommand(undo));
  learn.command('redo').addOption(adapter()).description('take an undo back').action(runCommand(redo));
  learn
    .command('use')
    .argument('<version>', `${VERSION}; base: none of them, the model as it is`)
    .addOption(new Option('--adapter <name>', 'with base: whose versions rest, if not those of the one that is set'))
    .description('use a version from now on')
    .action(runCommand(use));
  learn
    .command('compare')
    .argument('<one>', VERSION)
    .argument('<other>', VERSION)
    .description('how much two versions change the model, and how far apart they are')
    .action(runCommand(compare));
  learn
    .command('export')
    .argument('<version>', VERSION)
    .argument('<file>', 'to be written')
    .addOption(
      new Option(
        '--as <form>',
        'zip: for PEFT and llama.cpp; peft: a zip for PEFT; gguf: for llama.cpp (default: gguf where the file ends so, else zip)',
      ).choices(EXPORT_FORMS),
    )
    .option('--force', 'replace a file that is there')
    .description('write a version to a file')
    .action(runCommand(exportVersion));
  learn
    .command('import')
    .argument('<path>', 'a PEFT folder, a zip of it, or a GGUF file')
    .addOption(adapter())
    .option('--model <name>', 'the model that it is for')
    .option('--use', 'use it from now on')
    .description('take in an adapter from elsewhere, as a new version')
    .action(runCommand(importVersion));
  learn
    .command('rename')
    .argument('<adapter>', 'its name')
    .argument('<name>', 'the new one')
    .description('call an adapter something else')
    .action(runCommand(rename));
  learn
    .command('delete')
    .argument('<version>', VERSION)
    .option('--in-use', 'also the one in use: the version before takes its place')
    .option('--yes', 'without asking')
    .description('delete a version; others stay as they are')
    .action(runCommand(remove));
}

async function list({ output, withNode }: CommandContext, { adapter }: { adapter?: string }): Promise<void> {
  await withNode({}, async (node) => {
    const page = await node.learning.versions({ adapter });
    output.document(page);
    if (page.versions.length === 0) {
      return output.line(`There is no version of «${page.name}». Which adapters there are: quarry learn adapters`);
    }
    const rows = page.versions.map((version) => {
      const { number, id, at, origin, from, parent, bytes, feedback, shared } = version;
      const came = from === null ? origin : `${origin}, ${shortId(from)}`;
      const marks = [version.inUse ? '*' : '', number, id, timeText(at), came, feedback.length, sizeText(bytes)];
      return [...marks, parent ?? '–', shared ?? ''];
    });
    output.line(table(['', '#', 'VERSION', 'WHEN', 'FROM', 'FEEDBACK', 'SIZE', 'LEARNT ON FROM', 'SHARED'], rows));
    if (page.more) output.note('There are older ones.');
  });
}

async function undo({ output, withNode }: CommandContext, { adapter }: { adapter?: string }): Promise<void> {
  await withNode({}, async (node) => {
    const { current } = (await node.learning.versions({ adapter })).steps;
    const { version } = await node.learning.undo({ adapter });
    output.document({ version });
    const was = current === null ? 'what was in use' : nameOf(current);
    if (version) output.line(`${inUse(version)} That is what ${was} was learnt on from.`);
    else output.line(`The model answers as it is: there is no version before ${was}.`);
  });
}

async function redo({ output, withNode }: CommandContext, { adapter }: { adapter?: string }): Promise<void> {
  await withNode({}, async (node) => {
    const version = await node.learning.redo({ adapter });
    output.document(version);
    output.line(inUse(version));
  });
}

async function use(
  { output, withNode }: CommandContext,
  version: string,
  { adapter }: { adapter?: string },
): Promise<void> {
  await withNode({}, async (node) => {
    if (version === PLAIN_MODEL) {
      await node.learning.rest({ adapter });
      output.document({ version: null });
      return output.line('The model answers as it is. To use a version again: quarry learn use VERSION');
    }
    const used = await node.learning.use({ version });
    output.document(used);
    output.line(inUse(used));
  });
}

const nameOf = ({ name, number }: AdapterVersion) => `${name}@${number}`;
const inUse = (version: AdapterVersion) => `In use: ${nameOf(version)}, ${version.id}.`;

async function compare({ output, withNode }: CommandContext, one: string, other: string): Promise<void> {
  await withNode({}, async (node) => {
    const found = await node.learning.compare({ one, other });
    output.document(found);
    const rows = found.modules.map((each) => [
      each.module,
      ...[each.one, each.other, each.apart].map((norm) => norm.toFixed(4)),
    ]);
    output.line(table(['MATRICES', nameOf(found.one), nameOf(found.other), 'APART'], rows));
    output.line(`Sizes: ${sizeText(found.one.bytes)} and ${sizeText(found.other.bytes)}.`);
  });
}

async function exportVersion(
  { output, withNode, signal }: CommandContext,
  version: string,
  file: string,
  { as, force = false }: { as?: ExportForm; force?: boolean },
): Promise<void> {
  const form = as ?? (extname(file).toLowerCase() === '.gguf' ? 'gguf' : 'zip');
  const path = resolve(file);
  await checkPlace({ file: path, force });
  await withNode({}, async (node) => {
    for await (const made of await node.learning.exportVersion({ version, form }, { signal })) {
      await takeFile(made.path, { file: path, force });
      output.document({ version: made.version, form, path, bytes: made.bytes });
      output.line(`${file}: ${made.version.id} as ${form}, ${sizeText(made.bytes)}`);
      return; // the node takes its own copy away once the stream is left
    }
  });
}

async function importVersion(
  { output, withNode }: CommandContext,
  path: string,
  flags: { adapter?: string; model?: string; use?: boolean },
): Promise<void> {
  await withNode({}, async (node) => {
    const taken = await node.learning.importVersion({ path: resolve(path), ...flags }); // a running node has a working folder of its own
    output.document(taken);
    output.line(`Taken in as ${nameOf(taken)}, ${taken.id}, for the model ${taken.model}.`);
    if (taken.same !== null) {
      output.note(
        `It has the very bytes of ${taken.same}: whoever shares one of them, or shares it no longer, does so with both.`,
      );
    }
    if (!taken.inUse) output.note(`It is not in use: quarry learn use ${nameOf(taken)}`);
  });
}

async function rename({ output, withNode }: CommandContext, adapter: string, name: string): Promise<void> {
  await withNode({}, async (node) => {
    await node.learning.rename({ adapter, name });
    output.document({ adapter, name });
    output.line(`«${adapter}» is called «${name}» now.`);
    const { adapter: set } = await node.learning.status();
    if (set === adapter)
      output.note(`«${adapter}» is what learns and answers, as learning.adapter says: set it to «${name}».`);
  });
}

async function remove(
  { output, withNode }: CommandContext,
  version: string,
  { inUse: evenInUse = false, yes = false }: { inUse?: boolean; yes?: boolean },
): Promise<void> {
  if (!yes && !(await askYes(`Delete ${version} for good?`, 'Nothing was deleted', output.json))) return;
  await withNode({}, async (node) => {
    const removed = await node.learning.remove({ version, evenInUse }).catch(withWayOn);
    output.document(removed);
    output.line(`${removed.id} is deleted.`);
    if (!removed.inUse) return;
    const { current } = (await node.learning.versions({ adapter: removed.name })).steps;
    output.line(current ? inUse(current) : 'The model answers as it is.');
  });
}

/** @throws the same; of a version that is in use, with what deletes it all the same */
function withWayOn(error: unknown): never {
  const { code, message, said } = QuarryError.from(error);
  if (said?.message?.key !== 'adapters.inUse') throw error;
  const hint = 'Undo it or use another one first; or say --in-use, and the version before takes its place.';
  throw new QuarryError({ code, message, hint });
}
