import { dataPath } from '../../../base/data-folder.ts';
import { ClipRows } from '../../../clips/dataset/clip-rows.ts';
import { DataSet } from '../../../clips/dataset/data-set.ts';
import type { CardNotes } from '../../../clips/dataset/data-set-card.ts';
import { destinationOf } from '../../../clips/dataset/upload/destination.ts';
import { ClipShardStore } from '../../../store/clips/clip-shards.ts';
import { ClipStore } from '../../../store/clips/clips.ts';
import type { Core } from '../core.ts';

/** The data set that clips become. */
export type DataSetPart = Pick<DataSet, 'view' | 'export' | 'upload' | 'takeDowns' | 'takeDown' | 'undoTakeDown'>;

/** @param thresholds by which clips were taken, for its card */
export function openDataSet(
  { db, config, settings, log, onDrain, onClose, until }: Core,
  { thresholds }: { thresholds: () => CardNotes['thresholds'] },
): DataSetPart {
  const set = settings.follow('data.upload');
  const shards = new ClipShardStore(db);
  const dataSet = new DataSet({
    ...{ store: shards, rows: new ClipRows({ shards, clips: new ClipStore(db) }) },
    folder: dataPath(config.dataDir, 'dataSet'),
    destination: () => destinationOf(set.now),
    notes: () => ({ thresholds: thresholds() }),
  });
  onDrain(() =>
    dataSet
      .flushAtStop(until())
      .catch((err: unknown) => log.warn({ err }, 'data set: what was left could not be written to a file')),
  );
  onClose(() => dataSet.close());
  return dataSet;
}
