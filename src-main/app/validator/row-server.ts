import type { DatasetImportRequest } from '../../../src-preload/contract/datasets.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { version } from '../../base/version.ts';
import { HttpClient } from '../../models/downloads/http-client.ts';
import { type DatasetPage, DatasetServer } from '../../models/hub/dataset-server.ts';
import {
  MOST_ROW_BYTES,
  type RowSource,
  type SourceRow,
  type SourceRows,
} from '../../validation/datasets/source-row.ts';

type ServerPart = Extract<DatasetImportRequest['from'], { type: 'server' }>;

/** Rows that a server of data sets has. @param usual the server that is asked unless the request names one */
export function rowServer({ dataset, config, split, ...of }: ServerPart, usual: string): RowSource {
  const endpoint = of.endpoint ?? usual;
  return {
    name: `${endpoint} ${dataset} ${config} ${split}`,
    read: (signal) => readServer(endpoint, { dataset, config, split }, signal),
  };
}

/** What asks a server of data sets. A person has named it, in the settings or just now. */
export function rowsHttpClient(endpoint: string): HttpClient {
  const { origin, hostname } = new URL(endpoint);
  return new HttpClient({
    userAgent: `quarry/${version}`,
    isNamed: (asked) => asked === origin,
    witness: hostname,
  });
}

async function* readServer(
  endpoint: string,
  part: Omit<ServerPart, 'type' | 'endpoint'>,
  signal?: AbortSignal,
): AsyncGenerator<SourceRows, void, undefined> {
  const client = rowsHttpClient(endpoint);
  try {
    for await (const page of new DatasetServer({ endpoint, client }).pages(part, signal)) {
      const last = page.rows.at(-1);
      yield { rows: page.rows.map(rowOf), share: last ? (last.at + 1) / page.total : 1 };
    }
  } finally {
    await client.close();
  }
}

function rowOf({ at, value, cut }: DatasetPage['rows'][number]): SourceRow {
  const line = at + 1;
  if (cut.length > 0) return { line, fault: say('datasets.rowCut', { fields: cut.slice(0, 5) }) };
  const isTooLong = Buffer.byteLength(JSON.stringify(value)) > MOST_ROW_BYTES;
  return isTooLong ? { line, fault: say('datasets.rowTooLong', { most: MOST_ROW_BYTES }) } : { line, value };
}
