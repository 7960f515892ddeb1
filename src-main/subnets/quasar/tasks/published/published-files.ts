import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { GOVREPORT_SPLITS, govReportFile, govReportName } from './govreport-rows.ts';
import { HOTPOT_FILE, HOTPOT_POOL_FILE } from './hotpot-rows.ts';
import { LONGBENCH_NAMES } from './longbench-sets.ts';
import { LIMITS_FILE, PROMPTS_FILE } from './official-prompts.ts';
import { indexRows, type RowFormat, type RowIndex } from './row-index.ts';

/** Where a file is published. */
export type Origin =
  /** A file of a data set on the Hugging Face Hub; or, of a zip there, one member. */
  | { type: 'hub'; repo: string; path: string; member?: string }
  /** Rows that the Hub has as a table alone: to be written as JSON, one in each line, with the table's own names of columns. */
  | { type: 'hub-table'; repo: string; config: string; split: string }
  | { type: 'web'; url: string };

/** A file that is looked for, by its name, and where it comes from. None of them comes with Quarry. */
export interface PublishedFile {
  /** Of {@link PublishedTasks.name}; the group where the file is for all of it. */
  dataset: string;
  file: string;
  origin: Origin;
  /** Without it there are no tasks; with the others there are better ones. */
  required: boolean;
  /** Of what is fetched, where that is known: of the zip, if it is a member of one. */
  bytes?: number;
  /** Of the file itself, where that is known. */
  sha256?: string;
  /** Few want it, and it may be large: fetched only for its own data set, or where somebody asks for all. */
  extra?: true;
}

/** Its owner was called THUDM before; the Hub leads from there to here. The templates are on GitHub alone, where nothing has changed them for years. */
const LONGBENCH = { repo: 'zai-org/LongBench', zip: 'data.zip', commit: '2e00731f8d0bff23dc4325161044d0ed8af94c1e' };
const longBenchConfig = (file: string): Origin => ({
  type: 'web',
  url: `https://raw.githubusercontent.com/THUDM/LongBench/${LONGBENCH.commit}/LongBench/config/${file}`,
});
/** HotpotQA's own address: the Hub has its rows as tables, in another shape. */
const hotpot = (file: string): Origin => ({ type: 'web', url: `http://curtis.ml.cmu.edu/datasets/hotpot/${file}` });

export const PUBLISHED_FILES: readonly PublishedFile[] = [
  ...LONGBENCH_NAMES.map((dataset) => ({
    ...{ dataset, file: `${dataset}.jsonl`, required: true },
    origin: { type: 'hub', repo: LONGBENCH.repo, path: LONGBENCH.zip, member: `data/${dataset}.jsonl` } as const,
  })),
  {
    ...{ dataset: 'longbench', file: PROMPTS_FILE, origin: longBenchConfig(PROMPTS_FILE), required: false },
    ...{ bytes: 5_437, sha256: '56d22ad4f382169c2b8a11ff4c982a4a1bea096c8152b0f0b85b64686b157c30' },
  },
  {
    ...{ dataset: 'longbench', file: LIMITS_FILE, origin: longBenchConfig(LIMITS_FILE), required: false },
    ...{ bytes: 459, sha256: '72966b3c0933e214591637fb085798c5e687ebff4ddaab5d99bbc31120532022' },
  },
  {
    ...{ dataset: 'hotpotqa-distractor', file: HOTPOT_FILE, origin: hotpot(HOTPOT_FILE), required: true },
    ...{ bytes: 46_320_117, sha256: '4e9ecb5c8d3b719f624d66b60f8d56bf227f03914f5f0753d6fa1b359d7104ea' },
  },
  {
    ...{ dataset: 'hotpotqa-distractor', file: HOTPOT_POOL_FILE, origin: hotpot(HOTPOT_POOL_FILE), required: false },
    ...{ bytes: 566_426_227, sha256: '26650cf50234ef5fb2e664ed70bbecdfd87815e6bffc257e068efea5cf7cd316', extra: true },
  },
  ...GOVREPORT_SPLITS.map((split) => ({
    ...{ dataset: govReportName(split), file: govReportFile(split), required: true },
    origin: { type: 'hub-table', repo: 'ccdv/govreport-summarization', config: 'document', split } as const,
    ...(split !== 'test' && { extra: true as const }),
  })),
];

/** @throws BAD_REQUEST that says where a file comes from that is not there */
export async function checkThere(path: string): Promise<void> {
  await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** As {@link indexRows}. @throws BAD_REQUEST that says where a file comes from that is not there */
export async function indexPublished<Row>(
  path: string,
  format: RowFormat<Row>,
  signal?: AbortSignal,
): Promise<RowIndex<Row>> {
  try {
    return await indexRows(path, format, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof QuarryError || code === '') return error;
  if (code === 'ENOENT') return missing(path);
  return new QuarryError({ code: 'BAD_REQUEST', message: say('datasets.unreadable', { path, code }), field: 'path' });
}

function missing(path: string): QuarryError {
  const [file, folder] = [basename(path), dirname(path)];
  const found = PUBLISHED_FILES.find((one) => one.file === file);
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('contextFiles.missing', { file, folder }),
    ...(found && {
      hint: say('contextFiles.missing.hint', { suite: found.dataset, from: fromWhere(found.origin) }),
    }),
    field: 'path',
  });
}

/** Where it is published, for people. */
function fromWhere(origin: Origin): Saying | string {
  if (origin.type === 'web') return origin.url;
  const page = `https://huggingface.co/datasets/${origin.repo}`;
  if (origin.type === 'hub-table') return say('contextFiles.fromTable', { page, split: origin.split });
  const url = `${page}/resolve/main/${origin.path}`;
  return origin.member === undefined ? url : say('contextFiles.fromZip', { url, member: origin.member });
}
