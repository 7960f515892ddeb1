import type { SeededRandom } from '../../../validation/seeded-random.ts';
import type { ContextTask, CountTokens } from '../tasks/context-task.ts';

/** How long a text is to be, by whose count. */
export interface WantedLength {
  /** Of all that is asked. */
  tokens: number;
  count: CountTokens;
  signal: AbortSignal;
}

/** Questions about one text; whoever answers them reads it once. */
export interface PosedText {
  tasks: readonly ContextTask[];
  /** Words of which the text was made, so that it can be made again without anybody who counts tokens; null where it was not made. */
  words: number | null;
}

/** One kind of questions about long texts. */
export interface Suite {
  readonly name: string;
  /** Whatever changes what is posed changes it. */
  readonly version: string;
  /** At least one. */
  readonly variants: readonly string[];
  /**
   * The same draws pose the same, if tokens are counted alike.
   * @param draws begins them anew, each time it is called @throws CONTEXT_TOO_LONG, BAD_REQUEST; the signal's reason; what counting throws
   */
  pose(draws: () => SeededRandom, variant: string, wanted: WantedLength): Promise<PosedText>;
}
