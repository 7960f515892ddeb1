import { z } from 'zod';
import { type AdapterVersion, adapterVersionSchema } from '../../../src-preload/contract/learning-versions.ts';
import { parsedJson } from '../../base/json-text.ts';
import type { AdapterVersionRow } from '../../store/learning/learning-adapters.ts';

const { modules: modulesSchema, feedback: feedbackSchema, metrics: metricsSchema } = adapterVersionSchema.shape;

/** A version as people see it; without what of it is damaged. @param latest id of the version that its adapter stands for */
export function versionView(row: AdapterVersionRow, latest: string | null): AdapterVersion {
  const { id, name, number, parent, created_at: at, origin, rank, alpha, bytes, gguf_sha256: sha256, run } = row;
  const modules = modulesSchema.safeParse(parsedJson(row.modules)).data ?? [];
  const feedback = feedbackSchema.safeParse(parsedJson(row.feedback)).data ?? [];
  const metrics = row.metrics === null ? null : (metricsSchema.safeParse(parsedJson(row.metrics)).data ?? null);
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
const fetchedSchema = z.object({ from: z.string(), sha256: z.string() });
export type FetchedFrom = z.infer<typeof fetchedSchema>;

function fetchedFrom({ fetched }: Pick<AdapterVersionRow, 'fetched'>): FetchedFrom | undefined {
  return fetched === null ? undefined : fetchedSchema.safeParse(parsedJson(fetched)).data;
}
