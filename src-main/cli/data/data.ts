import type { Command } from 'commander';
import type { DataState } from '../../../src-preload/contract/data.ts';
import { JOB_STATES } from '../../../src-preload/contract/data-names.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, percent, table } from '../terminal/output.ts';
import { registerClips } from './clips.ts';
import { registerDataSet } from './data-set.ts';
import { registerFinding } from './finding.ts';
import { registerMining } from './mine.ts';
import { miningText } from './mining-text.ts';
import { registerClipModels } from './models.ts';
import { stateOf } from './state-of.ts';
import { registerSubmissions } from './submissions.ts';

const HELP = `
A clip is 5 to 120 seconds of a video that may be used, with a description and, where there are models, with numbers by
which it can be found and compared. Videos come from folders of yours and from openly licensed sources:
«quarry settings set data.folders ~/Videos», and «quarry settings list data» for all that can be set.

To begin: «quarry data sources» says what can be asked, «quarry data mine TOPIC» looks for clips of a topic, and
«quarry data clips» lists them. What is missing for that is said by «quarry data».`;

/** `quarry data`: clips of videos, found, cut, described and handed on. */
export function registerData(program: Command): void {
  const data = program
    .command('data')
    .summary('clips of videos, with descriptions')
    .description('clips of videos, found, cut, described, scored and published')
    .addHelpText('after', HELP);
  data
    .command('state', { isDefault: true })
    .description('what is being looked for, what there is, and what is missing')
    .action(runCommand(state));
  registerFinding(data);
  registerMining(data);
  registerClipModels(data);
  registerClips(data);
  registerSubmissions(data);
  registerDataSet(data);
}

async function state({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const now = await stateOf(node);
    output.document(now);
    output.line(miningText(now));
    if (now.fault) output.line(now.fault.text);
    output.line(`${counted(now.clips, 'clip')}. ${sizeText(now.bytes)} of ${sizeText(now.diskBudget)} are used.`);
    if (now.reckoning !== null) output.line(`Clips are made into numbers or scored anew: ${percent(now.reckoning)}.`);
    const queue = JOB_STATES.flatMap((one) => (now.jobs[one] > 0 ? [`${now.jobs[one]} ${one}`] : []));
    if (queue.length > 0) output.line(`Videos: ${queue.join(', ')}.`);
    for (const job of now.now) output.line(`#${job.number} ${job.state}: ${job.title}`);
    output.line(`\n${abilitiesText(now.abilities)}`);
    output.note('Settings of all that: quarry settings list data');
  });
}

/** What is there with what does it; below, what is lost without the others, and each thing that can be done about it once. */
function abilitiesText(abilities: DataState['abilities']): string {
  const there = table(
    ['ABILITY', 'BY'],
    abilities.map(({ ability, isReady, by }) => [ability, by ?? (isReady ? 'ready' : 'missing')]),
  );
  const lost = abilities.flatMap((one) => (one.lost ? [`${one.ability}: ${one.lost.text}`] : []));
  const hints = new Set(abilities.flatMap(({ hint }) => hint?.text ?? []));
  return [there, ...lost, ...(hints.size > 0 ? ['', ...hints] : [])].join('\n');
}
