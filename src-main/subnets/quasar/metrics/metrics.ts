import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { beginningOf } from '../../../validation/answer-text.ts';
import { f1Chinese, rougeLChinese } from './chinese.ts';
import { classification } from './classification.ts';
import { codeSimilarity } from './code-similarity.ts';
import { mrcr } from './mrcr.ts';
import { count, retrieval, retrievalChinese } from './numbers.ts';
import { exactMatch, f1 } from './overlap.ts';
import { position } from './position.ts';
import { linesOf } from './python-text.ts';
import { rougeL } from './rouge.ts';

/**
 * Of every text so much is compared, UTF-16 units: right answers have a few thousand. Some metrics take time that grows with the square of it, and whoever answers
 * may send megabytes.
 */
export const MOST_COMPARED = 16_384;

interface Metric {
  /** What it looks at, for people. */
  readonly name: Saying;
  /** Of one answer and one right answer, 0 to 1. Never throws, whatever they say. @param classes all there are, where the answer is one of a few */
  score(answer: string, reference: string, classes: readonly string[]): number;
  /** It compares with all classes there are. */
  readonly needsClasses?: boolean;
}

/** How answers are compared with what was expected (QUASAR, metrics: those of LongBench and of MRCR, and one for places). */
export const METRICS = {
  f1: { name: say('quasar.metric.f1'), score: f1 },
  'exact-match': { name: say('quasar.metric.exactMatch'), score: exactMatch },
  'rouge-l': { name: say('quasar.metric.rougeL'), score: rougeL },
  classification: { name: say('quasar.metric.classification'), score: classification, needsClasses: true },
  retrieval: { name: say('quasar.metric.retrieval'), score: retrieval },
  count: { name: say('quasar.metric.count'), score: count },
  'code-similarity': { name: say('quasar.metric.codeSimilarity'), score: codeSimilarity },
  mrcr: { name: say('quasar.metric.mrcr'), score: mrcr },
  'f1-zh': { name: say('quasar.metric.f1Chinese'), score: f1Chinese },
  'rouge-l-zh': { name: say('quasar.metric.rougeLChinese'), score: rougeLChinese },
  position: { name: say('quasar.metric.position'), score: position },
  'retrieval-zh': { name: say('quasar.metric.retrieval'), score: retrievalChinese },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

export interface Comparison {
  /** All classes there are, where the answer is to name one. */
  classes?: readonly string[] | undefined;
  /** Only the first line of the answer that says anything counts. Default false. */
  firstLine?: boolean | undefined;
}

/**
 * What an answer is worth, 0 to 1: as much as beside the right answer that it is most like. Takes any text, at any length: of each {@link MOST_COMPARED} are compared.
 * @throws QuarryError BAD_REQUEST where the metric needs classes and there are none: the answer is not at fault
 */
export function scoreBy(
  name: MetricName,
  answer: string,
  references: readonly string[],
  { classes, firstLine = false }: Comparison = {},
): number {
  const metric: Metric = METRICS[name];
  if (metric.needsClasses && !classes?.length) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('quasar.noClasses'), field: 'classes' });
  }
  const compared = cut(answer);
  const said = firstLine ? (linesOf(compared)[0] ?? '') : compared;
  const scores = references.map((reference) => metric.score(said, cut(reference), classes ?? []));
  return Math.min(1, Math.max(0, ...scores));
}

/** The one place where what is compared is cut. */
const cut = (text: string) => beginningOf(text, MOST_COMPARED);
