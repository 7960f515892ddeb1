import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import type { ContextTask, CountTokens, TaskSource } from '../context-task.ts';
import { isOwnText } from './own-texts.ts';
import type { FoundRow, RowIndex } from './row-index.ts';

/** One published data set, whose files somebody has put into a folder. */
export interface PublishedTasks {
  /** `narrativeqa`, `hotpotqa-distractor`, `govreport`. */
  readonly name: string;
  /** What it is published with. */
  readonly group: 'longbench' | 'hotpotqa' | 'govreport';
  /** What may be asked about a row; one that is empty where it is always the same. */
  readonly variants: readonly [string, ...string[]];
  /** What has to be in the folder. */
  readonly files: readonly string[];
  /**
   * Looks its file through, once.
   * @param folder absolute @throws BAD_REQUEST where its file is missing or of no use; the signal's reason
   */
  open(folder: string, signal?: AbortSignal): Promise<OpenedTasks>;
}

/** The tasks of a data set that is there. */
export interface OpenedTasks {
  /** Rows that can be asked about. */
  readonly items: number;
  /** Rows that are left out, and the first of their faults. */
  readonly skipped: number;
  readonly faults: readonly Saying[];
  /** As every task of it has them: see {@link TaskSource}. */
  readonly source: Omit<TaskSource, 'row'>;
  /**
   * A task of at most so many tokens. The same draws make the same task of the same file for ever, byte for byte, if tokens are counted alike.
   * @throws CONTEXT_TOO_LONG where what must not be cut is longer; BAD_REQUEST where the file was changed
   */
  task(random: SeededRandom, wanted: WantedTask): Promise<ContextTask>;
}

export interface WantedTask {
  /** Below {@link OpenedTasks.items}. Default: drawn. */
  item?: number;
  /** Default: drawn. */
  variant?: string;
  /** Of all that is asked, at most. */
  tokens: number;
  count: CountTokens;
}

type Pose = (random: SeededRandom, wanted: WantedTask, source: (row: string) => TaskSource) => Promise<ContextTask>;

/** Hex digits of a file in a version: enough that no other file has them. */
const DIGITS = 24;

/** Puts together what there is to be told about a file with how tasks are made of it. @param is its version without the file's */
export async function opened(
  rows: Pick<RowIndex<unknown>, 'file' | 'sha256' | 'rows' | 'skipped' | 'faults'>,
  is: Pick<TaskSource, 'version' | 'templates'>,
  pose: Pose,
): Promise<OpenedTasks> {
  const { file, sha256, rows: items, skipped, faults } = rows;
  const own = await isOwnText(file, sha256);
  const source = { ...is, version: `${is.version}.${sha256.slice(0, DIGITS)}`, file, sha256, own };
  return {
    ...{ items, skipped, faults, source },
    task: (random, wanted) => pose(random, wanted, (row) => ({ ...source, row })),
  };
}

/** @param item default: drawn */
export function drawnRow<Row>(rows: RowIndex<Row>, random: SeededRandom, item?: number): Promise<FoundRow<Row>> {
  return rows.read(item ?? random.below(rows.rows));
}
