import { z } from 'zod';
import { SOURCE_KINDS, type SourceKind } from '../../../src-preload/contract/data-names.ts';
import { keptJson } from '../../base/kept-json.ts';

const kind = z.enum(SOURCE_KINDS);
const cursorsSchema = z.partialRecord(kind, z.string().max(2_000).nullable());

/** The sources of an order as it is kept; none where that cannot be read any more. */
export const keptSources = (json: string): SourceKind[] => keptJson(json, z.array(kind)) ?? [];

/** Where the search goes on, by source. */
export const keptCursors = (json: string): z.infer<typeof cursorsSchema> => keptJson(json, cursorsSchema) ?? {};
