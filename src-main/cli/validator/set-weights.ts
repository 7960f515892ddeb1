import type { Command } from 'commander';
import type { WeightSetting } from '../../../src-preload/contract/validator-run.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted } from '../terminal/output.ts';

/** `quarry validator set-weights`: on the chain, now. */
export function registerSetWeights(validator: Command): void {
  validator
    .command('set-weights')
    .description('set weights on the chain now, by what the results come to')
    .addHelpText('after', HELP)
    .action(runCommand(setWeights));
}

const HELP = `
On which subnet, in whose name and by which rules, the settings say: validator.netuid, validator.setWeights (wallet or
signer), validator.wallet and validator.hotkey, or validator.signerUrl and validator.signerToken; validator.preset,
validator.layers, validator.burn, validator.days. «quarry validator weights» shows beforehand what results come to by
these. While the validator runs, it sets them by itself, once an epoch.`;

/** What is not as it was signed. */
export const forgedText = ({ checked, forged }: Pick<WeightSetting, 'checked' | 'forged'>) =>
  `${forged.toLocaleString('en')} of ${counted(checked, 'result')} not as signed, and not counted: «quarry validator verify» says which.`;

async function setWeights({ output, withNode, signal }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const set = await node.validator.setWeights(undefined, { signal });
    output.document(set);
    output.line(`Weights of ${set.onSubnet} neurons of subnet ${set.netuid} were set.`);
    if (set.forged > 0) output.line(forgedText(set));
  });
}
