import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { DataRecord } from './columns.ts';

/** Rows of a file of the data set, a group of them at a time. @throws what reading throws, also for a file that is damaged */
export async function* parquetRecords(path: string): AsyncGenerator<DataRecord[]> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    yield await parquetReadObjects({ file, metadata, rowStart, rowEnd, utf8: false });
    rowStart = rowEnd;
  }
}
