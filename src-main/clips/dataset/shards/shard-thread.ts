/** The thread of a ShardWriter: makes Parquet files of rows. */
import { carryOutOrders } from '../../../base/asked-thread.ts';
import { clipOf, recordOf } from './columns.ts';
import { ParquetFile } from './parquet-file.ts';
import { parquetRecords } from './parquet-records.ts';
import type { RowsOf, ShardAnswer, ShardOrder } from './shard-orders.ts';

let file: ParquetFile | undefined;

carryOutOrders(carryOut);

async function carryOut(order: ShardOrder): Promise<ShardAnswer> {
  if (order.what === 'begin') file = new ParquetFile(order.kind, order.path);
  if (order.what === 'rows') file?.write(recordsOf(order));
  if (order.what === 'copy') await copy(order.from, new Set(order.without));
  if (order.what === 'drop') file?.drop();
  return order.what === 'finish' ? (file?.finish() ?? null) : null;
}

function recordsOf({ kind, rows }: RowsOf) {
  return kind === 'videos' ? rows.map((row) => recordOf(kind, row)) : rows.map((row) => recordOf(kind, row));
}

async function copy(from: string, without: ReadonlySet<string>): Promise<void> {
  for await (const records of parquetRecords(from)) {
    file?.write(records.filter(({ uuid }) => !without.has(clipOf(String(uuid)))));
  }
}
