import { styleText } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { WeighedView } from '../../../src-preload/contract/validator.ts';
import { LAYER_RULES, PRESET_NAMES } from '../../../src-preload/contract/validator-names.ts';
import { collect, number } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, percent, table } from '../terminal/output.ts';
import { type NodeRules, rulesOf } from './node-rules.ts';
import { tellOfOthers } from './results-of-others.ts';
import { range } from './share-text.ts';

interface WeighFlags {
  days?: number;
  environment?: string[];
  preset?: string;
  layers?: (typeof LAYER_RULES)[number];
  burn?: number;
}

/** `quarry validator stats`, `weights` and `explain`: what the results come to. */
export function registerWeights(validator: Command): void {
  validator
    .command('stats')
    .description('how each model or miner does in each task')
    .option('--days <n>', 'results of so many days (default: all)', days)
    .action(runCommand(stats));
  weighing(
    validator.command('weights').description('what the results come to as weights; none are set on a chain'),
  ).action(runCommand(weights));
  weighing(validator.command('explain').argument('<miner>', 'as «quarry validator weights» names it'))
    .description('why one has the weight that it has, and what it lacks')
    .option('--all', 'also what it won of each set of tasks')
    .action(runCommand(explain));
}

const days = number(0, 10_000);

const weighing = (command: Command) =>
  command
    .option('--days <n>', 'results of so many days (default: validator.days)', days)
    .option(
      '--environment <task>',
      'task that counts, in all versions and levels, or as «sat (easy)» in one; may be repeated (default: what is asked now, by the settings)',
      collect,
    )
    .option(
      '--preset <date>',
      `constants of Affine as they were from a date on, «home», which wants fewer results, or «quasar», by speed: ${PRESET_NAMES.join(', ')} (default: validator.preset)`,
    )
    .addOption(
      new Option(
        '--layers <rule>',
        'what winning in several tasks is worth (default: validator.layers, or as usual with the constants)',
      ).choices(LAYER_RULES),
    )
    .option('--burn <share>', 'the share of all that goes to nobody, 0 to 1 (default: validator.burn)', number(0, 1));

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
    output.line(table(['TASK', 'MINER', 'RESULTS', 'MEAN', '95 % RANGE'], rows));
  });
}

/** Where there is nothing to be looked at. */
export const NOTHING =
  'There are no results yet: «quarry validator local --keep» asks this machine’s model, «quarry validator run» miners.';

/** By the rules of the node that is asked, unless the command says otherwise. */
async function weighed(node: NodeClient, { environment, ...flags }: WeighFlags) {
  const set = await rulesOf(node);
  const { days = set.days, preset = set.preset, layers = set.layers, burn = set.burn } = flags;
  const told = await node.validator.weigh({
    ...(environment && { environments: environment }),
    ...(preset !== undefined && { preset }),
    ...(layers && { layers }),
    burn,
    since: sinceOf({ days }),
  });
  return { told, since: sinceOf({ days }), used: usedText(told.preset, { days, layers, burn }) };
}

/** «constants of 2025-11-01, layers as usual, 0 % burnt, results of 30 days» */
function usedText(preset: string, { days: count, layers, burn }: Omit<NodeRules, 'preset'>): string {
  const worth = layers === undefined ? 'layers as usual' : `layers ${layers}`;
  return `constants of ${preset}, ${worth}, ${Number((100 * burn).toFixed(2))} % burnt, results of ${counted(count, 'day')}`;
}

async function weights({ output, withNode }: CommandContext, flags: WeighFlags): Promise<void> {
  await withNode({}, async (node) => {
    const { told, since, used } = await weighed(node, flags);
    output.document(told);
    await tellOfOthers(node, output, since);
    if (told.miners.length === 0) return output.line(NOTHING);
    const layers = told.environments.map((_, at) => `L${at + 1}`);
    const hasHotkeys = told.miners.some(({ hotkey }) => hotkey !== null);
    const who = hasHotkeys ? ['MINER', 'HOTKEY'] : ['MINER'];
    const head = [...who, ...told.environments.map((name) => name.toUpperCase()), ...layers, 'ENOUGH', 'WEIGHT'];
    const rows = told.miners.map((miner) => [
      miner.miner,
      ...(hasHotkeys ? [miner.hotkey ?? '–'] : []),
      ...told.environments.map((name) => sampleText(miner, name)),
      ...told.environments.map((_, at) => Number((miner.points[at] ?? 0).toFixed(2))),
      miner.copyOf === null ? (miner.isEligible ? 'yes' : 'no') : 'a copy',
      miner.weight.toFixed(4),
    ]);
    output.line(table(head, rows));
    if (!told.miners.some(({ isEligible }) => isEligible)) output.line(PROVISIONAL);
    output.note(styleText('dim', LEGEND));
    output.note(styleText('dim', used));
  });
}

const PROVISIONAL = 'Nobody has enough results: the best so far has everything meanwhile.';
const LEGEND = 'mean/results, * where it wins alone; L1, L2 …: points for winning in 1, 2 … together';

/** «81.2/160*» */
function sampleText({ samples, wins }: WeighedView, environment: string): string {
  const sample = samples.find((one) => one.environment === environment);
  if (!sample) return '–';
  return `${(100 * sample.mean).toFixed(1)}/${sample.count}${wins.includes(environment) ? '*' : ''}`;
}

async function explain(
  { output, withNode }: CommandContext,
  name: string,
  { all = false, ...flags }: WeighFlags & { all?: boolean },
): Promise<void> {
  await withNode({}, async (node) => {
    const { told, used } = await weighed(node, flags);
    const { miners } = told;
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
    if (miner.hotkey !== null) output.line(`  On the chain ${miner.hotkey} stands for it.`);
    for (const { text } of miner.reasons) output.line(`  ${text}`);
    if (all) for (const { text } of miner.ofSets) output.line(`    ${text}`);
    output.note(styleText('dim', used));
  });
}
