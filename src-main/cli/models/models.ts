import { resolve } from 'node:path';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LocalModel } from '../../../src-preload/contract/models.ts';
import { modelBytes, sizeText } from '../../../src-preload/contract/sizes.ts';
import { readRunningNode } from '../../client/running-node.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { durationText, table } from '../terminal/output.ts';
import { registerModelDownloads } from './downloads.ts';
import { registerFoundModels } from './found.ts';
import { registerModelHub } from './hub.ts';
import { withProgress } from './progress.ts';
import { registerModelSharing } from './sharing.ts';
import { registerModelShow } from './show.ts';

/** `quarry models`: what this machine can serve, where to get more, and what others get from here. */
export function registerModels(program: Command): void {
  const models = program.command('models').description('find, download, keep and share models');
  models
    .command('list', { isDefault: true })
    .description('list those on this machine; ● marks the one that `quarry start` loads')
    .action(runCommand(list));
  registerModelHub(models);
  registerModelShow(models);
  registerModelDownloads(models);
  registerFoundModels(models);
  models
    .command('import')
    .argument('<file>', 'a .gguf file')
    .option('--name <name>', 'what to call it (default: the file’s name)')
    .description('take a GGUF file into the library; `quarry start` then serves it')
    .action(runCommand((context, file: string, flags: { name?: string }) => importModel(context, file, flags.name)));
  models
    .command('verify')
    .argument('[name]', 'a model (default: all of them)')
    .description('hash the file again: is it still what was downloaded or imported?')
    .action(runCommand((context, name?: string) => verify(context, name)));
  models
    .command('remove')
    .argument('<name>', 'a model')
    .description('delete a model from this machine')
    .action(runCommand(remove));
  models
    .command('free')
    .argument('<name>', 'a model that `quarry ps` lists')
    .description('take a model out of memory now, instead of after its idle time')
    .action(runCommand(free));
  models
    .command('disk')
    .description('what models, unfinished downloads and kept instructions take on the disk')
    .action(runCommand(disk));
  models
    .command('forget-prompts')
    .description('remove the long instructions that are kept on the disk: they will be read again when next asked')
    .action(runCommand(forgetPrompts));
  models
    .command('move')
    .argument('<folder>', 'a folder that is empty or not there yet')
    .description('move the models to another folder, on another drive perhaps')
    .action(runCommand(move));
  registerModelSharing(models);
}

async function list({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const models = await node.models.list();
    output.document(models);
    output.line(
      table(
        ['', 'MODEL', 'SIZE', 'SHA-256', ''],
        models.map((model) => [
          model.selected ? '●' : '',
          model.name,
          sizeText(model.bytes),
          model.sha256.slice(0, 12),
          [ORIGINS[model.origin], offeredText(model)].filter(Boolean).join('; '),
        ]),
      ),
    );
    if (models.every(({ tiny }) => tiny)) output.line('\nGet a real one: quarry models recommend');
  });
}

function offeredText({ offered }: LocalModel): string {
  if (!offered) return '';
  const { loadMs } = offered;
  return loadMs === undefined ? 'offered to the mesh' : `offered to the mesh: loads in about ${durationText(loadMs)}`;
}

async function free({ config, output, withNode }: CommandContext, name: string): Promise<void> {
  if (!(await readRunningNode(config.dataDir)))
    throw new QuarryError({ code: 'NOT_RUNNING', message: 'No node runs here, so no model is in memory.' });
  await withNode({}, async (node) => {
    const was = await node.models.loaded();
    const known = [...was, ...(await node.models.list())];
    if (!known.some((model) => model.name === name)) throw noSuchModel(name, was);
    const loaded = await node.models.free({ name });
    output.document(loaded);
    output.line(
      was.some((model) => model.name === name) ? `${name} is no longer in memory.` : `${name} was not in memory.`,
    );
  });
}

function noSuchModel(name: string, loaded: readonly { name: string }[]): QuarryError {
  const names = loaded.map((model) => model.name).join(', ');
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: `There is no model «${name}» here.`,
    hint: names ? `In memory: ${names}.` : 'No model is in memory.',
    field: 'name',
  });
}

const ORIGINS = {
  imported: '',
  downloaded: '',
  found: 'only found in the folder: loaded when you name it',
  'built-in': 'built in, only for trying things out',
};

async function importModel(
  { config, output, signal, withNode }: CommandContext,
  file: string,
  name?: string,
): Promise<void> {
  const path = resolve(file); // a running node has a working folder of its own
  await withNode({}, async (node) => {
    const model = await withProgress('importing', output, await node.models.import({ path, name }, { signal }));
    if (!model) throw new QuarryError({ code: 'INTERNAL', message: 'The import ended without a model.' });
    output.document(model);
    const running = await readRunningNode(config.dataDir);
    const isElsewhere = running !== undefined && running.pid !== process.pid; // else it is this command's own
    const next = isElsewhere ? ` ${USE_NOW}` : model.selected ? ` ${USE_NEXT}` : '';
    output.line(`Imported ${model.name} (${sizeText(model.bytes)}): ${TAKEN[model.taken]}.${next}`);
  });
}

const USE_NOW = 'The node that runs keeps its model until another is chosen: in the app, Models › Use this model.';
const USE_NEXT = 'The next `quarry start` serves it.';

const TAKEN = {
  linked: 'the library has a second name (a hard link) for the same file, which takes no more space',
  copied: 'the library has a copy, because that is another drive',
  outside: 'it is used where it is',
  known: 'it was in the library already',
};

async function verify({ output, signal, withNode }: CommandContext, name?: string): Promise<void> {
  await withNode({}, async (node) => {
    const names = name === undefined ? (await node.models.list()).map((model) => model.name) : [name];
    const findings = [];
    for (const model of names) {
      const finding = await withProgress(model, output, await node.models.verify({ name: model }, { signal }));
      if (finding) findings.push({ name: model, ...finding });
    }
    output.document(name === undefined ? findings : findings[0]);
    for (const finding of findings) {
      output.line(finding.ok ? `${finding.name} is whole.` : `${finding.name} is damaged.`);
    }
    const [damaged] = findings.filter(({ ok }) => !ok);
    if (damaged) throw damagedModel(damaged.name);
  });
}

function damagedModel(name: string): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: `${name} is not the file that it was: its SHA-256 has changed.`,
    hint: `Delete it and get it again: quarry models remove ${name}, then quarry models pull ${name}.`,
  });
}

async function remove({ output, withNode }: CommandContext, name: string): Promise<void> {
  await withNode({}, async (node) => {
    const { freed, message } = await node.models.remove({ name });
    output.document({ removed: name, freed });
    output.line(message);
  });
}

async function disk({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const use = await node.models.diskUse();
    output.document(use);
    const unfinished = use.partial.map(({ name, bytes }) => ({ name: `${name} (unfinished)`, bytes }));
    const models = use.models.map(({ name, bytes, sameAs }) => [
      name,
      sameAs === undefined ? sizeText(bytes) : `the file of ${sameAs}, by a second name`,
    ]);
    const rows = [...models, ...unfinished.map(({ name, bytes }) => [name, sizeText(bytes)])];
    const total = unfinished.reduce((sum, { bytes }) => sum + bytes, modelBytes(use));
    if (rows.length > 1) rows.push(['all together', sizeText(total)]);
    output.line(rows.length > 0 ? table(['MODEL', 'SIZE'], rows) : 'No models yet.');
    output.line(`\n${use.folder}: ${sizeText(use.free)} free on its drive.`);
    if (use.prompts > 0) output.line(`Instructions that models have read: ${sizeText(use.prompts)}.`);
  });
}

async function forgetPrompts({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { prompts: bytes } = await node.models.diskUse();
    await node.models.forgetPrompts();
    output.document({ removed: bytes });
    output.line(bytes > 0 ? `Removed ${sizeText(bytes)}.` : 'No instructions were kept.');
  });
}

async function move({ output, signal, withNode }: CommandContext, folder: string): Promise<void> {
  const target = resolve(folder);
  await withNode({}, async (node) => {
    await withProgress('moving', output, await node.models.move({ folder: target }, { signal }));
    output.document({ folder: target });
    output.line(`The models are in ${target} now.`);
  });
}
