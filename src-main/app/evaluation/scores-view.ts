import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { type Saying, told } from '../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../src-preload/contract/saying-schema.ts';
import type { EvaluationStore } from '../../store/evaluations.ts';
import { ScoreTally } from '../../subnets/quasar/evaluation/score-tally.ts';
import { type ScoreLine, scoreLines } from '../../subnets/quasar/reward/explain.ts';

/** So many answers at a time, so that others have their turns. */
const PAGE = 1_000;

/** QUASAR’s scores of an evaluation, out of all answers that are kept of it. */
export async function scoresOf(
  store: Pick<EvaluationStore, 'answers'>,
  id: string,
  isTwice: boolean,
): Promise<EvaluationScore[]> {
  const tally = new ScoreTally(isTwice);
  let after: { text: number; question: number } | undefined;
  for (;;) {
    const page = await store.answers(id, PAGE, after);
    for (const row of page) tally.add(row);
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  return scoresView(scoreLines(tally.scores));
}

/** As people are told of them. */
export function scoresView(lines: readonly ScoreLine[]): EvaluationScore[] {
  return lines.map(({ score, value, name, is, from }) => ({
    ...{ score, value, name: sentenceOf(name), is: sentenceOf(is), from: sentenceOf(from) },
  }));
}

const sentenceOf = (words: Saying): Sentence => told({ text: words });
