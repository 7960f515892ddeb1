import { ClipCalibration } from '../../../clips/calibration/clip-calibration.ts';
import type { ClipModelDesk } from '../../../clips/models/files/clip-model-desk.ts';
import type { TranscriptionDoor } from '../../../server/transcription/transcription-door.ts';
import type { ClipWorker } from '../../../subnets/omega/clips/synapse/serve-clips.ts';
import type { Environment } from '../../../validation/environment.ts';
import type { Core } from '../core.ts';
import type { PolicyPart } from '../policy.ts';
import { openClipChecking } from './clip-checking.ts';
import { openClipModelDesk } from './clip-models.ts';
import { type ClipStores, clipStores } from './clip-stores.ts';
import { type ClipToolsPart, openClipTools } from './clip-tools.ts';
import { clipWorker } from './clip-worker.ts';
import { type DataPart, openData } from './data.ts';
import { type DataSetPart, openDataSet } from './data-set.ts';
import { keptSubmissions, type Submissions } from './kept-submissions.ts';
import { openTranscription } from './transcription.ts';

/** Clips of videos: found and made, kept and published, handed in to validators, and judged where others hand them in. */
export interface ClipsPart extends DataPart {
  readonly dataSet: DataSetPart;
  /** Models of clips that can be fetched. */
  readonly models: ClipModelDesk;
  /** From where on these models call two clips alike. */
  readonly calibration: ClipCalibration;
  /** Speech as text, for programs. */
  readonly transcription: TranscriptionDoor;
  readonly submissions: Submissions;
  /** Who hands in clips of this node. */
  readonly worker: ClipWorker;
  /** What others are asked for clips by. */
  readonly environments: readonly Environment[];
}

/** @param stays whether the node stays: a single command goes on with nothing by itself */
export async function openClips(
  core: Core,
  { policy, stays }: { policy: PolicyPart | undefined; stays: boolean },
): Promise<ClipsPart> {
  const stores = clipStores(core);
  const clipTools = await openClipTools(core);
  const dataSet = openDataSet(core, { stores, ...clipTools });
  const data = await openData(core, { stores, ...clipTools, policy, stays });
  const onOthers = async () => {
    await data.scoredBy.look();
    data.changes.tell();
  };
  const models = await openClipModelDesk(core, { models: clipTools.models, onOthers });
  const calibration = clipCalibration({ stores, ...clipTools, onOthers });
  const transcription = await openTranscription({ stores, ...clipTools });
  const environments = await openClipChecking(core, { stores, ...clipTools });
  const worker = clipWorker({ stores, models: clipTools.models, index: data.index });
  const submissions = keptSubmissions(stores);
  return { ...data, dataSet, models, calibration, transcription, submissions, worker, environments };
}

type CalibrationNeeds = { stores: ClipStores; onOthers: () => Promise<void> } & Pick<ClipToolsPart, 'media' | 'models'>;

function clipCalibration({ stores, media, models, onOthers }: CalibrationNeeds): ClipCalibration {
  return new ClipCalibration({
    ...{ store: stores.clips, folder: stores.folder, now: Date.now },
    media: () => media.tool(),
    models: () => models.now,
    onMeasured: async () => {
      await models.lookAgain();
      await onOthers();
    },
  });
}
