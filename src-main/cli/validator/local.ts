import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { PracticeEvent, PracticeTally } from '../../../src-preload/contract/validator.ts';
import { MOST_SAMPLES } from '../../../src-preload/contract/validator-names.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { collect, integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { checkNoneRuns } from '../terminal/named-model.ts';
import { durationText, type Output, percent, table } from '../terminal/output.ts';
import { range } from './share-text.ts';

interface LocalFlags {
  environment?: string[];
  level?: string;
  samples: number;
  seed?: string;
  model?: string;
  maxTokens: number;
  keep?: boolean;
  show?: boolean;
}

/** `quarry validator local` and `environments`: what is asked, and how this machine’s model does. */
export function registerLocal(validator: Command): void {
  validator
    .command('local')
    .description('ask this machine’s own model: no chain, no account')
    .option(
      '--environment <task>',
      'only this task; may be given several times (default: those of Affine that need no data set)',
      collect,
    )
    .option('--level <name>', 'how hard, for tasks that have it: see «quarry validator environments»')
    .option('--model <name>', 'the model to ask, where no node runs yet (default: that of the settings)')
    .option('--samples <n>', 'challenges of each task', integer(1, MOST_SAMPLES), 10)
    .option('--seed <text>', 'the same seed asks the same again (default: another one each time)')
    .option('--max-tokens <n>', 'tokens of an answer, at most', integer(1, 100_000), 512)
    .option('--keep', 'keep what comes of it among the results, signed')
    .option('--show', 'show each challenge with its answer')
    .addHelpText('after', HELP)
    .action(runCommand(local));
  validator
    .command('environments')
    .description('the tasks that there are to be asked, and how hard they may be')
    .action(runCommand(environments));
}

const HELP = `
The share of right answers stands beside the range in which the true one lies, in 95 of 100 cases: the more samples, the
narrower it is. Small models get few right or none; that is no fault of theirs or of this machine.`;

async function environments({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.validator.environments();
    output.document(all);
    const rows = all.map(({ name, version, levels }) => [name, version, levels.join(', '), aboutText(name)]);
    output.line(table(['TASK', 'VERSION', 'LEVELS', 'WHAT IS ASKED'], rows));
  });
}

/** Of «elr:NAME», too: the same, asked out of a data set. */
function aboutText(name: string): string {
  const [kind = '', dataset] = name.split(':');
  const what = ABOUT[kind] ?? '';
  return dataset === undefined ? what : `${what}, from a data set`;
}

const ABOUT: Record<string, string> = {
  abd: 'a program’s input, by its output',
  ded: 'a program in Python',
  sat: 'values that make a formula true',
  hvm: 'numbers for a program’s holes',
  elr: 'a number that is reckoned out',
  'quasar-needle': 'one sentence in a long text',
  'quasar-needles': 'one of five alike in a long text',
  'quasar-two-hop': 'two sentences of a long text, put together',
  'quasar-anchors': 'a marked place in a long text',
  'quasar-patterns': 'a row in a long text, gone on with',
  'quasar-scaling': 'the same kind of sentence, whatever the length',
  'quasar-code': 'a program about a long code base',
  'quasar-inference': 'with which model it computes, and how fast',
};

async function local({ config, output, signal, withNode }: CommandContext, flags: LocalFlags): Promise<void> {
  if (flags.model !== undefined) await checkNoneRuns(config, 'Leave --model out');
  const { environment, level, samples, seed, maxTokens, keep = false } = flags;
  await withNode({ engine: true }, async (node) => {
    const asked = { ...(environment && { environments: environment }), level, samples, seed, maxTokens, keep };
    let last: Judged | undefined;
    let begun: Begins | undefined;
    try {
      for await (const event of await node.validator.practise(asked, { signal })) {
        if (event.type === 'begins') begun = event;
        else {
          if (!last) output.note(`${event.model} is asked.`);
          last = event;
          if (flags.show) show(event, output);
          output.note(styleText('dim', progressLine(event, begun?.challenges ?? 0)));
        }
      }
    } finally {
      // Also of a run that was ended early, what came of it so far.
      if (begun && last) tell(begun, last, output);
    }
  });
}

function tell({ seed }: Begins, { model, tallies }: Judged, output: Output): void {
  output.document({ model, seed, tallies });
  output.line(talliesTable(tallies));
  output.note(styleText('dim', `the same again: --seed ${seed}`));
}

type Judged = Extract<PracticeEvent, { type: 'judged' }>;
type Begins = Extract<PracticeEvent, { type: 'begins' }>;

function progressLine({ done, environment, score, reason, ms }: Judged, challenges: number): string {
  const time = ms === null ? '' : `, ${durationText(ms)}`;
  return foreignLine(`${done} of ${challenges}: ${environment} ${score === 1 ? '✓' : '✗'} ${reason}${time}`);
}

function show({ prompt, answer }: Judged, output: Output): void {
  output.line(`\n${prompt}\n`);
  output.write(`${answer ?? '–'}\n`);
  output.line();
}

function talliesTable(tallies: readonly PracticeTally[]): string {
  return table(
    ['TASK', 'LEVEL', 'RIGHT', 'SHARE', '95 % RANGE', 'MEDIAN TIME'],
    tallies.map((tally) => [
      ...[
        tally.environment,
        tally.level,
        `${Number(tally.score.toFixed(2))} of ${tally.asked}`,
        percent(tally.score / tally.asked),
      ],
      ...[range(tally), tally.medianMs > 0 ? durationText(tally.medianMs) : '–'],
    ]),
  );
}
