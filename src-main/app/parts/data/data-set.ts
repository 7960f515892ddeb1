import { MOST_CLIP_SECONDS } from '../../../../src-preload/contract/data-limits.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { ClipRows } from '../../../clips/dataset/clip-rows.ts';
import { DataSet } from '../../../clips/dataset/data-set.ts';
import type { CardNotes } from '../../../clips/dataset/data-set-card.ts';
import { destinationOf } from '../../../clips/dataset/upload/destination.ts';
import { ClipFolder, type ClipPlace } from '../../../clips/kept/clip-folder.ts';
import type { MediaTool } from '../../../clips/media/media.ts';
import { SPEECH_RATE } from '../../../clips/models/clip-models.ts';
import { ClipShardStore } from '../../../store/clips/clip-shards.ts';
import { ClipStore } from '../../../store/clips/clips.ts';
import type { Core } from '../core.ts';

/** The data set that clips become. */
export type DataSetPart = Pick<DataSet, 'view' | 'export' | 'upload' | 'takeDowns' | 'takeDown' | 'undoTakeDown'>;

/**
 * @param thresholds by which clips were taken, for its card
 * @param media what reads clips; undefined where nothing does now
 */
export function openDataSet(
  { db, config, settings, log, onDrain, onClose, until }: Core,
  { thresholds, media }: { thresholds: () => CardNotes['thresholds']; media: () => Promise<MediaTool | undefined> },
): DataSetPart {
  const set = settings.follow('data.upload');
  const shards = new ClipShardStore(db);
  const folder = new ClipFolder(dataPath(config.dataDir, 'clips'));
  const whole = { from: 0, to: MOST_CLIP_SECONDS };
  const sound = async (clip: ClipPlace) =>
    (await (await media())?.sound(folder.video(clip), whole, { rate: SPEECH_RATE, signal: until() })) ?? null;
  const dataSet = new DataSet({
    ...{ store: shards, rows: new ClipRows({ shards, clips: new ClipStore(db), sound }) },
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
