import { say } from '../../../../src-preload/contract/saying.ts';
import { lastBlock, withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, type Judgement, wrong } from '../../../validation/environment.ts';
import { numberOf } from './number.ts';
import { PROBLEMS, type Problem } from './problems.ts';

/** A problem, and the number that answers it. */
export interface Reckoned extends Omit<Problem, 'answer'> {
  /** In plain digits where it is a text: see {@link numberOf}. */
  answer: bigint | string;
}

/** How the number is asked for and judged, wherever the problem comes from. */
export const reckoning: Pick<Environment<Reckoned, Judgement>, 'prompt' | 'judge'> = {
  prompt: ({ text }) => `${text}

Give the number in these tags, and nothing else in them: <Answer>20</Answer>`,

  judge({ answer }, said) {
    const given = lastBlock(withoutThoughts(said), 'Answer');
    if (given === undefined) return wrong(say('affine.elr.noAnswer'));
    const isRight = numberOf(given) === String(answer);
    return { score: isRight ? 1 : 0, reason: say(isRight ? 'affine.elr.right' : 'affine.elr.wrong') };
  },
};

/** Reckon something out: each sort of problem has its answer computed here, exactly. */
export const elr: Environment<Problem, Judgement> = {
  name: 'elr',
  version: '1',
  levels: ['usual'],
  pose: (random) => random.pick(PROBLEMS)(random),
  ...reckoning,
};
