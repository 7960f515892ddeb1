import type { EvaluationFile } from '../../../../src-preload/contract/evaluation.ts';

/** What is to be fetched. */
export interface FetchWish {
  suites: string[];
  all: boolean;
}

/** Files that are fetched together. */
export interface Pack {
  key: string;
  /** Or the group, where its files are of several. */
  suite: string;
  /** Few want it. */
  isExtra: boolean;
  /** Without it there is nothing to ask. */
  isRequired: boolean;
  files: EvaluationFile[];
  here: number;
  state: EvaluationFile['state'];
  /** Of all its files together; null where that is not known. */
  bytes: number | null;
  /** What fetches them. */
  wish: FetchWish;
}

/** Files by what is fetched together: what is published together, and what few want, each alone. */
export function packsOf(files: readonly EvaluationFile[]): Pack[] {
  const groups = Map.groupBy(files, ({ extra, file, group }) => (extra ? file : group));
  return [...groups].map(([key, together]) => packOf(key, together));
}

function packOf(key: string, files: EvaluationFile[]): Pack {
  const suites = [...new Set(files.map(({ suite }) => suite))];
  const isExtra = files.some(({ extra }) => extra);
  const here = files.filter(({ state }) => state === 'here').length;
  const isBegun = here > 0 || files.some(({ state }) => state === 'begun');
  const isKnown = files.every(({ bytes }) => bytes !== null);
  return {
    ...{ key, suite: suites.length > 1 ? key : (suites[0] ?? key), files, here, isExtra },
    isRequired: files.some(({ required }) => required),
    state: here === files.length ? 'here' : isBegun ? 'begun' : 'missing',
    bytes: isKnown ? files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null,
    wish: { suites, all: isExtra },
  };
}

/** Those of which a file is missing without which these suites have nothing to ask. */
export function missingFor(packs: readonly Pack[], suites: readonly string[]): Pack[] {
  const isWanted = ({ suite, required, state }: EvaluationFile) =>
    required && state !== 'here' && suites.includes(suite);
  return packs.filter(({ files }) => files.some(isWanted));
}
