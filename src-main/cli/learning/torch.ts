import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import {
  TORCH_VARIANTS,
  type TorchProgress,
  type TorchVariant,
  type TorchView,
} from '../../../src-preload/contract/learning-torch.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { ignoring } from '../../base/swallowed.ts';
import { askYes } from '../terminal/ask-yes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { Progress } from '../terminal/progress.ts';

/** `quarry learn torch status|install|remove`: PyTorch, the second trainer, which is downloaded only when it is asked for. */
export function registerTorch(learn: Command): void {
  const torch = learn
    .command('torch')
    .description('PyTorch for learning on this computer: larger models, and GPUs of NVIDIA');
  torch
    .command('status', { isDefault: true })
    .description('whether it is installed, and how much it would download')
    .action(runCommand(status));
  torch
    .command('install')
    .addOption(
      new Option('--for <what>', `what computes: cpu, ${COMPUTES.cpu}; cuda, ${COMPUTES.cuda}`)
        .choices(TORCH_VARIANTS)
        .default('cpu'),
    )
    .option('--yes', 'without asking')
    .description('download and install it into the data folder; what arrived before ^C is kept')
    .action(runCommand(install));
  torch
    .command('remove')
    .option('--yes', 'without asking')
    .description('remove it from the data folder')
    .action(runCommand(remove));
}

async function status({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const view = await node.learning.torch();
    output.document(view);
    output.line(stateLine(view));
    if (view.state === 'ready') return;
    for (const { variant, download, disk } of view.choices) {
      const sizes = `downloads ${sizeText(download)}, takes up to ${sizeText(disk)} of disk`;
      output.line(`For ${variant}, ${COMPUTES[variant]}: ${sizes}.`);
    }
    if (view.choices.length === 0) return output.line('There is none for this kind of computer.');
    const [one, other] = view.choices;
    if (other && one?.download === other.download) {
      output.line('On this system both are the same packages; what differs is what computes.');
    }
    output.note(`Install one: quarry learn torch install --for ${one?.variant}`);
  });
}

function stateLine({ state, installed, progress }: TorchView): string {
  switch (state) {
    case 'ready':
      return `PyTorch ${installed?.torch} for ${installed?.variant} is installed, with Python ${installed?.python}: ${sizeText(installed?.bytes ?? 0)}.`;
    case 'installing':
      return `PyTorch is being installed${progress ? `: ${PHASES[progress.phase]}` : ''}.`;
    case 'broken':
      return 'PyTorch was installed, but does not fit this version of Quarry: install it again.';
    case 'absent':
      return 'PyTorch is not installed.';
  }
}

/** What each is for. */
const COMPUTES: Record<TorchVariant, string> = {
  cpu: 'the processor',
  cuda: 'GPUs of NVIDIA, and the processor where there is none',
};

const PHASES: Record<TorchProgress['phase'], string> = {
  python: 'preparing Python',
  packages: 'packages',
  check: 'looking whether it works',
};

async function install(
  { output, withNode, signal }: CommandContext,
  { for: variant, yes = false }: { for: TorchVariant; yes?: boolean },
): Promise<void> {
  await withNode({}, async (node) => {
    const { state, installed, choices } = await node.learning.torch();
    if (state !== 'ready' || installed?.variant !== variant) {
      const size = choices.find((choice) => choice.variant === variant);
      if (!size) throw noBuild(variant);
      const question = `Download ${sizeText(size.download)} for PyTorch? It takes up to ${sizeText(size.disk)} of disk.`;
      if (!yes && !(await askYes(question, 'Nothing was downloaded', output.json))) return;
      await followed(node.learning.installTorch({ variant }, { signal }), output).catch(async (error: unknown) => {
        if (signal.aborted) await node.learning.cancelTorch().catch(ignoring('the node that did it is gone'));
        throw error;
      });
      if (signal.aborted) await node.learning.cancelTorch();
    }
    const view = await node.learning.torch();
    output.document(view);
    output.line(stateLine(view));
    if (view.state === 'ready') output.note('Learning uses it once learning.trainer is "torch".');
  });
}

async function followed(asked: Promise<AsyncIterable<TorchProgress>>, output: CommandContext['output']): Promise<void> {
  const progress = new Progress('PyTorch', output);
  try {
    for await (const { phase, bytes, of } of await asked) {
      progress.show({ done: bytes, total: of, note: PHASES[phase] });
    }
  } finally {
    progress.end();
  }
}

function noBuild(variant: TorchVariant): QuarryError {
  const message = `There is no PyTorch for ${variant} on this kind of computer.`;
  return new QuarryError({ code: 'UNSUPPORTED', message, hint: 'quarry learn torch status' });
}

async function remove({ output, withNode }: CommandContext, { yes = false }: { yes?: boolean }): Promise<void> {
  await withNode({}, async (node) => {
    const { state } = await node.learning.torch();
    if (state !== 'absent') {
      if (!yes && !(await askYes('Remove PyTorch?', 'Nothing was removed', output.json))) return;
      await node.learning.removeTorch();
    }
    output.document({ state: 'absent' });
    output.line('PyTorch is not installed.');
  });
}
