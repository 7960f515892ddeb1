import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, runCommand } from './command.ts';
import { asTyped } from './invocation.ts';
import { bytesText, table } from './output.ts';

/** `quarry models`: what this machine can serve. */
export function registerModels(program: Command): void {
  const models = program.command('models').description('the models on this machine');
  models
    .command('list', { isDefault: true })
    .description('list them; ● marks the one that `quarry start` loads')
    .action(runCommand(list));
  models
    .command('import')
    .argument('<file>', 'a .gguf file')
    .option('--name <name>', 'what to call it (default: the file’s name)')
    .description('take a GGUF file into the library; `quarry start` then serves it')
    .action(runCommand((context, file: string, flags: { name?: string }) => importModel(context, file, flags.name)));
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
          bytesText(model.bytes),
          model.sha256.slice(0, 12),
          model.tiny ? 'built in, only for trying things out' : '',
        ]),
      ),
    );
  });
}

async function importModel({ output, signal, withNode }: CommandContext, file: string, name?: string): Promise<void> {
  const path = resolve(file); // a running node has a working folder of its own
  await withNode({}, async (node) => {
    const model = await node.models.import({ path, name }, { signal });
    output.document(model);
    output.line(`Imported ${model.name} (${bytesText(model.bytes)}). ${asTyped('The next `quarry start` serves it.')}`);
  });
}
