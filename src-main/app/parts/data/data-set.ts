import { dataPath } from '../../../base/data-folder.ts';
import { ClipRows } from '../../../clips/dataset/clip-rows.ts';
import { DataSet } from '../../../clips/dataset/data-set.ts';
import { destinationOf } from '../../../clips/dataset/upload/destination.ts';
import type { ClipPlace } from '../../../clips/kept/clip-folder.ts';
import { speechOfCut } from '../../../clips/reading/read-cut.ts';
import type { Core } from '../core.ts';
import type { ClipStores } from './clip-stores.ts';
import type { ClipToolsPart } from './clip-tools.ts';

/** The data set that clips become. */
export type DataSetPart = Pick<DataSet, 'view' | 'export' | 'upload' | 'takeDowns' | 'takeDown' | 'undoTakeDown'>;

export function openDataSet(
  { config, settings, log, onDrain, onClose, until }: Core,
  { stores, thresholds, media }: Pick<ClipToolsPart, 'thresholds' | 'media'> & { stores: ClipStores },
): DataSetPart {
  const set = settings.follow('data.upload');
  const { shards, clips, folder } = stores;
  const sound = async (clip: ClipPlace) => {
    const tool = await media.tool();
    return tool ? await speechOfCut(folder.video(clip), { media: tool, signal: until() }) : null;
  };
  const dataSet = new DataSet({
    ...{ store: shards, rows: new ClipRows({ shards, clips, sound }) },
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
