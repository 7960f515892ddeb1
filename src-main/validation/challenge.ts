import { sha256 } from '../base/sha256.ts';
import { taggedBytes } from '../base/signing.ts';
import { judgedText } from './answer-text.ts';
import type { Ask, Environment, Judgement, Judging } from './environment.ts';
import { SeededRandom } from './seeded-random.ts';

/** Where a challenge comes from: with these it can be posed again. */
export interface Origin {
  environment: string;
  version: string;
  level: string;
  /** 64 hex: nobody guesses it. Miners never see it; whoever has it has the solution. */
  seed: string;
}

/** What is asked of a miner, and how its answer is judged. */
export interface Challenge<Verdict extends Judgement | Promise<Judgement> = Judgement | Promise<Judgement>>
  extends Origin {
  /** 64 hex; the same for the same question, and of the seed and the solution it tells nothing. */
  id: string;
  prompt: string;
  /** How it is asked, for whoever has a protocol for it. */
  ask: Ask;
  judge(answer: string, judging?: Judging): Verdict;
}

/** The challenge that a seed stands for. @throws what keeps it from being posed: a data set that cannot be read */
export async function pose<Task, Verdict extends Judgement | Promise<Judgement>>(
  environment: Environment<Task, Verdict>,
  level: string,
  seed: string,
): Promise<Challenge<Verdict>> {
  const { name, version } = environment;
  const random = new SeededRandom(
    taggedBytes('quarry-challenge-1', { environment: name, version, level, seed }).toString(),
  );
  const task = await environment.pose(random, level);
  const prompt = environment.prompt(task);
  const id = sha256(taggedBytes('quarry-challenge-id-1', { environment: name, version, prompt }).toString()).toString(
    'hex',
  );
  const ask = environment.ask?.(task) ?? TEXT;
  const judge = (answer: string, judging?: Judging) =>
    environment.judge(task, isText(ask) ? judgedText(answer) : answer, judging);
  return { environment: name, version, level, seed, id, prompt, ask, judge };
}

const TEXT: Ask = { kind: 'text' };

const isText = ({ kind }: Ask) => kind === 'text' || kind === 'longText';
