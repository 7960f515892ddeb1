import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Dataset } from '../../store/results/stored-datasets.ts';
import type { Environment } from '../environment.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** What may be asked out of the rows of a data set. */
export interface DatasetKind<Row = unknown, Task = unknown> extends Pick<Environment<Task>, 'prompt' | 'judge'> {
  /** As data sets have it: `elr`. */
  readonly name: string;
  /** Another one whenever the same row would be asked, or judged, otherwise. */
  readonly version: string;
  /** What a row may be; what it makes of one is kept, and is a row again. */
  readonly row: z.ZodType<Row>;
  /** @param draw a row, each as likely as the others */
  pose(random: SeededRandom, draw: () => Promise<Row>): Task | Promise<Task>;
}

/** Reads a row's JSON; undefined where the data set is not there any more. */
export type ReadRow = (dataset: number, index: number) => Promise<string | undefined>;

/** Hex digits of a digest: enough that no other data set has them, and few enough for a version. */
const DIGEST_DIGITS = 24;

/**
 * Challenges out of a data set. Its contents are part of the version: what was asked out of others is not there any more, and is not mistaken for
 * what the same seed stands for now.
 */
export function datasetEnvironment(set: Dataset, kind: DatasetKind, read: ReadRow): Environment {
  const { prompt, judge } = kind;
  const draw = async (random: SeededRandom) => {
    const data = await read(set.id, random.below(set.rows));
    if (data === undefined) throw replaced(set.name);
    return kind.row.parse(JSON.parse(data));
  };
  return {
    name: `${kind.name}:${set.name}`,
    version: `${kind.version}.${set.sha256.slice(0, DIGEST_DIGITS)}`,
    levels: ['usual'],
    pose: (random) => kind.pose(random, () => draw(random)),
    ...{ prompt, judge },
  };
}

function replaced(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('datasets.replaced', { name }),
    hint: say('datasets.again'),
    field: 'environments',
  });
}
