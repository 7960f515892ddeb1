import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import type { LearningNow, LearningProgress, LearningRunView } from '../../../src-preload/contract/learning-runs.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { outcomeText, stateText } from './run-text.ts';

/** So many are looked at for what came of it. */
const MOST_RUNS = 100;
/** Milliseconds between two lines that say how far a run is. */
const PROGRESS_EVERY_MS = 10_000;

/** What came of it, by the run that went worst; `unfinished`: it was paused, or waits for something; `interrupted`: by ^C. */
type Outcome = 'nothing' | 'learnt' | 'not-learnt' | 'failed' | 'cancelled' | 'unfinished' | 'interrupted';

const EXIT_CODES = `
Exit code 0: what waited was learnt; or it was tried and was not better («Not learnt»); or nothing waited.
1: a run failed, was cancelled or paused, or nothing can be learnt here. 130: ^C.
With --json, \`outcome\` tells them apart: learnt, not-learnt, nothing; failed, cancelled, unfinished; interrupted.`;

/** `quarry learn now`: learns what waits, and sees it through. */
export function registerNow(learn: Command): void {
  learn
    .command('now')
    .description('learn what waits, whatever this computer does, and see it through; ^C leaves it to the node')
    .addHelpText('after', EXIT_CODES)
    .action(runCommand(learnNow));
}

/** The body. @throws ENGINE_UNAVAILABLE where nothing is ever learnt here: then nothing was begun */
export async function learnNow({ output, withNode, signal }: CommandContext): Promise<void> {
  const { status, runs: isRunning } = await withNode({}, async (node, runs) => ({
    status: await node.learning.status(),
    runs,
  }));
  if (status.hindrance) throw neverHere(status.hindrance);
  // A node that runs may be paused: then this goes on with it.
  const { runs, outcome } =
    isRunning || hasSome(status)
      ? await withNode({ engine: true }, (node) => learn(node, output, signal))
      : { runs: [], outcome: 'nothing' as const };
  output.document({ outcome, runs });
  const which = ({ id, name }: LearningRunView) => (runs.length > 1 ? `${id} for «${name}»: ` : '');
  for (const run of runs) output.line(`${which(run)}${outcomeText(run)}`);
  if (outcome === 'nothing') output.line('Nothing waits to be learnt.');
  if (outcome === 'interrupted') output.note(leftText(isRunning));
  process.exitCode = exitCode(outcome);
}

function neverHere({ text: message }: { text: string }): QuarryError {
  const hint = 'Give feedback on the node that runs the model, or run one here: backend = "local".';
  return new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, hint });
}

function hasSome({ feedback: { waiting, taken, aside } }: LearningStatus): boolean {
  return waiting + taken + aside > 0;
}

/** @returns the runs that came of it, the oldest first */
async function learn(
  node: NodeClient,
  output: CommandContext['output'],
  signal: AbortSignal,
): Promise<{ runs: LearningRunView[]; outcome: Outcome }> {
  const before = await node.learning.runs({ limit: MOST_RUNS });
  const ended = new Set(before.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id));
  const tell = teller(output);
  await node.learning.start();
  for await (const now of await node.learning.follow(undefined, { signal })) {
    tell(now);
    if (await isOver(now, node)) break;
  }
  const all = await node.learning.runs({ limit: MOST_RUNS });
  const runs = all.filter(({ id }) => !ended.has(id)).toReversed();
  return { runs, outcome: signal.aborted ? 'interrupted' : outcomeOf(runs) };
}

/** Says how it stands whenever that changes, and now and then how far it is. */
function teller({ note }: CommandContext['output']): (now: LearningNow) => void {
  let told = '';
  let toldAt = 0;
  return (now) => {
    const line = stateText(now);
    if (line !== told) note(line);
    else if (now.progress && Date.now() - toldAt >= PROGRESS_EVERY_MS) note(progressText(now.progress));
    else return;
    told = line;
    toldAt = Date.now();
  };
}

function progressText({ doing, done, of }: LearningProgress): string {
  return doing === 'sampling' ? `  sampling: ${done} of ${of} questions` : `  looking: ${done} of ${of} answers`;
}

/** Between two runs nothing is under way either: then something waits, and nothing speaks against it. */
async function isOver({ run, state, why }: LearningNow, node: NodeClient): Promise<boolean> {
  if (state === 'paused') return true;
  if (run !== null || state === 'learning') return false;
  if (state !== 'waiting' || why.length > 0) return true;
  return (await node.learning.status()).feedback.waiting === 0;
}

function outcomeOf(runs: readonly LearningRunView[]): Outcome {
  const has = (state: LearningRunView['state']) => runs.some((run) => run.state === state);
  if (runs.length === 0) return 'nothing';
  if (has('failed')) return 'failed';
  if (has('cancelled')) return 'cancelled';
  if (runs.some(({ endedAt }) => endedAt === null)) return 'unfinished';
  return has('accepted') ? 'learnt' : 'not-learnt';
}

function exitCode(outcome: Outcome): number {
  if (outcome === 'interrupted') return 130;
  return outcome === 'failed' || outcome === 'cancelled' || outcome === 'unfinished' ? 1 : 0;
}

function leftText(isRunning: boolean): string {
  return isRunning
    ? 'The node goes on with it: quarry learn status. To stop it: quarry learn pause, or quarry learn cancel.'
    : 'What is done is saved. «quarry learn now» goes on, or a node that is started.';
}
