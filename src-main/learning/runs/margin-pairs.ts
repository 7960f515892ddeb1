import type { AskOptions } from '../asked.ts';
import { answerTo, type Measuring } from '../evaluation/measures/answers.ts';
import type { Compliance } from '../evaluation/measures/compliance.ts';
import type { AnswerPair } from '../evaluation/measures/margin.ts';
import { waysToTell } from './hindsight.ts';
import type { LessonPlan } from './lesson.ts';
import { isAnswer } from './sampling.ts';

/** Each costs a full look two scores: of three, a twentieth of its time (SmolLM2-135M, one thread). */
const MOST_PAIRS = 3;
/** So many questions are put to the teacher at the most: some it cannot answer as it is wanted either. */
const MOST_TAUGHT = 5;
/** As long as the answers that they are compared with. */
const ANSWER_TOKENS = 64;

/**
 * What a run's margin compares, of held-out questions that the model did not answer as it is wanted before the run: as the wanted answer that of the teacher (the model
 * without adapter, which has the feedback before its eyes), where it passes the same check; as the other one what the model itself had answered.
 * @param before how the model answered
 * @returns three at the most; none where the teacher knows no answer either
 */
export async function marginPairs(
  { answers, passes }: Pick<Compliance, 'answers' | 'passes'>,
  { lesson, verifier }: Pick<LessonPlan, 'lesson' | 'verifier'>,
  measuring: Pick<Measuring, 'asked'> & Pick<AskOptions, 'signal'>,
): Promise<AnswerPair[]> {
  const unwanted = answers.filter(({ text }, at) => passes[at] === false && text !== '');
  const pairs: AnswerPair[] = [];
  for (const { messages = [], text: negative } of unwanted.slice(0, MOST_TAUGHT)) {
    const [told] = waysToTell(lesson, messages);
    if (!told || pairs.length === MOST_PAIRS) break;
    const taught = await answerTo(told(messages), { maxTokens: ANSWER_TOKENS }, measuring);
    const isWanted =
      isAnswer(taught.text, lesson) && (await verifier.check({ ...taught, messages }, measuring.signal)).passes;
    if (isWanted) pairs.push({ messages, positive: taught.text, negative });
  }
  return pairs;
}
