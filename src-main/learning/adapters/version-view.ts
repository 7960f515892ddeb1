import type { AdapterVersion } from '../../../src-preload/contract/learning-versions.ts';
import { parsedJson } from '../../base/json-text.ts';
import type { AdapterVersionRow } from '../../store/learning-adapters.ts';

/** A version as people see it. @param latest id of the version that its adapter stands for */
export function versionView(row: AdapterVersionRow, latest: string | null): AdapterVersion {
  const { id, name, number, parent, created_at: at, origin, rank, alpha, bytes, gguf_sha256: sha256, run } = row;
  const modules = parsedJson(row.modules) as string[];
  const feedback = parsedJson(row.feedback) as number[];
  const metrics = row.metrics === null ? null : (parsedJson(row.metrics) as AdapterVersion['metrics']);
  const fetched = fetchedFrom(row);
  return {
    id,
    name,
    number,
    parent,
    at,
    origin,
    from: fetched?.from ?? null,
    rank,
    alpha,
    modules,
    bytes,
    sha256,
    feedback,
    metrics,
    run,
    inUse: id === latest,
  };
}

/** Of what was fetched from others: who vouched for it (id of a node), and the SHA-256 of the file that came. */
export interface FetchedFrom {
  from: string;
  sha256: string;
}

export function fetchedFrom({ fetched }: Pick<AdapterVersionRow, 'fetched'>): FetchedFrom | undefined {
  return fetched === null ? undefined : (parsedJson(fetched) as FetchedFrom);
}
