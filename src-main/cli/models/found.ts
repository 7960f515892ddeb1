import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { table } from '../terminal/output.ts';
import { withProgress } from './progress.ts';

/** `quarry models found|use`: what Ollama and LM Studio have on this computer. */
export function registerFoundModels(models: Command): void {
  models
    .command('found')
    .description('models of Ollama and LM Studio on this computer')
    .addHelpText('after', '\nExamples:\n  quarry models found\n  quarry models found --json')
    .action(runCommand(found));
  models
    .command('use')
    .argument('<model>', 'one of `quarry models found`, by its name there or here')
    .option('--name <name>', 'what to call it')
    .description('use a model of another app where it is: nothing is copied')
    .addHelpText('after', '\nExamples:\n  quarry models use llama3.2:3b\n  quarry models use llama3.2:3b --name llama')
    .action(runCommand((context, model: string, flags: { name?: string }) => use(context, model, flags.name)));
}

const APPS = { ollama: 'Ollama', 'lm-studio': 'LM Studio' };

async function found({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const models = await node.models.found();
    output.document(models);
    if (models.length === 0) return output.line('Neither Ollama nor LM Studio has a model on this computer.');
    output.line(
      table(
        ['', 'MODEL', 'OF', 'SIZE', 'HERE', ''],
        models.map(({ installed, title, app, bytes, name, problem }) => [
          installed === null ? '' : '✓',
          title,
          APPS[app],
          sizeText(bytes),
          installed ?? name,
          problem ?? '',
        ]),
      ),
    );
    output.line('\nUse one where it is: quarry models use MODEL');
  });
}

async function use({ output, signal, withNode }: CommandContext, wanted: string, name?: string): Promise<void> {
  await withNode({}, async (node) => {
    const model = (await node.models.found()).find((one) => one.title === wanted || one.name === wanted);
    if (!model) {
      throw new QuarryError({
        code: 'MODEL_NOT_FOUND',
        message: `Neither Ollama nor LM Studio has a model «${wanted}» on this computer.`,
        hint: 'See what there is: quarry models found',
      });
    }
    const events = await node.models.useInPlace({ path: model.path, name: name ?? model.name }, { signal });
    const used = await withProgress('reading', output, events);
    if (!used) throw new QuarryError({ code: 'INTERNAL', message: 'It ended without a model.' });
    output.document(used);
    output.line(`${used.name} (${sizeText(used.bytes)}) is in the library, and its file stays at ${used.path}.`);
  });
}
