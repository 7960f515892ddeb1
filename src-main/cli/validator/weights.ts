import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { WeighedView } from '../../../src-preload/contract/validator.ts';
import { LAYER_RULES } from '../../../src-preload/contract/validator-names.ts';
import { collect, number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { table } from '../terminal/output.ts';
import { tellOfOthers } from './results-of-others.ts';
import { percent, range } from './share-text.ts';

interface WeighFlags {
  days?: number;
  environment?: string[];
  preset?: string;
  layers?: (typeof LAYER_RULES)[number];
  burn: number;
}

/** `quarry validator stats`, `weights` and `explain`: what the results come to. */
export function registerWeights(validator: Command): void {
  since(validator.command('stats').description('how each model or miner does in each environment')).action(
    runCommand(stats),
  );
  weighing(
    validator.command('weights').description('what the results come to as weights; none are set on a chain'),
  ).action(runCommand(weights));
  weighing(validator.command('explain').argument('<miner>', 'as «quarry validator weights» names it'))
    .description('why one has the weight that it has, and what it lacks')
    .action(runCommand(explain));
}

const since = (command: Command) =>
  command.option('--days <n>', 'results of so many days (default: all)', number(0, 10_000));

const weighing = (command: Command) =>
  since(command)
    .option('--environment <name>', 'that counts; may be repeated (default: all that there are results of)', collect)
    .option('--preset <date>', 'constants of Affine as they were from a date on, or «home», which wants fewer results')
    .addOption(
      new Option(
        '--layers <rule>',
        'what winning in several environments is worth (default: as usual with the constants)',
      ).choices(LAYER_RULES),
    )
    .option('--burn <share>', 'the share of all that goes to nobody, 0 to 1', number(0, 1), 0);

const sinceOf = ({ days }: Pick<WeighFlags, 'days'>) =>
  days === undefined ? 0 : Math.max(0, Math.round(Date.now() - days * 86_400_000));

async function stats({ output, withNode }: CommandContext, flags: WeighFlags): Promise<void> {
  await withNode({}, async (node) => {
    const since = sinceOf(flags);
    const samples = await node.validator.stats({ since });
    output.document(samples);
    await tellOfOthers(node, output, since);
    if (samples.length === 0) return output.line(NOTHING);
    const rows = samples.map((one) => [one.environment, one.miner, one.count, percent(one.mean), range(one)]);
    output.line(table(['ENVIRONMENT', 'MINER', 'RESULTS', 'MEAN', '95 % RANGE'], rows));
  });
}

/** Where there is nothing to be looked at. */
export const NOTHING = 'There are no results yet: «quarry validator local --keep» makes some.';

const weighed = (node: NodeClient, { environment, preset, layers, burn, ...flags }: WeighFlags) =>
  node.validator.weigh({
    ...(environment && { environments: environment }),
    ...(preset !== undefined && { preset }),
    ...(layers && { layers }),
    burn,
    since: sinceOf(flags),
  });

async function weights({ output, withNode }: CommandContext, flags: WeighFlags): Promise<void> {
  await withNode({}, async (node) => {
    const told = await weighed(node, flags);
    output.document(told);
    await tellOfOthers(node, output, sinceOf(flags));
    if (told.miners.length === 0) return output.line(NOTHING);
    const layers = told.environments.map((_, at) => `L${at + 1}`);
    const head = ['MINER', ...told.environments.map((name) => name.toUpperCase()), ...layers, 'ENOUGH', 'WEIGHT'];
    const rows = told.miners.map((miner) => [
      miner.miner,
      ...told.environments.map((name) => sampleText(miner, name)),
      ...told.environments.map((_, at) => miner.points[at] ?? 0),
      miner.isEligible ? 'yes' : 'no',
      miner.weight.toFixed(4),
    ]);
    output.line(table(head, rows));
    output.note(
      styleText(
        'dim',
        `mean/results, * where it wins alone; L1, L2 …: points for winning in 1, 2 … together; constants of ${told.preset}`,
      ),
    );
  });
}

/** «81.2/160*» */
function sampleText({ samples, wins }: WeighedView, environment: string): string {
  const sample = samples.find((one) => one.environment === environment);
  if (!sample) return '–';
  return `${(100 * sample.mean).toFixed(1)}/${sample.count}${wins.includes(environment) ? '*' : ''}`;
}

async function explain({ output, withNode }: CommandContext, name: string, flags: WeighFlags): Promise<void> {
  await withNode({}, async (node) => {
    const { miners } = await weighed(node, flags);
    const miner = miners.find((one) => one.miner === name);
    if (!miner) {
      const names = miners.map((one) => one.miner).slice(0, 20);
      const hint = names.length > 0 ? `There are: ${names.join(', ')}.` : NOTHING;
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: `There are no results of «${name}».`,
        hint,
        field: 'miner',
      });
    }
    output.document(miner);
    output.line(`${miner.miner}: weight ${miner.weight.toFixed(4)}`);
    for (const { text } of miner.reasons) output.line(`  ${text}`);
  });
}
