import type { FocusState } from '../../../src-preload/contract/focus.ts';
import { dataPath } from '../../base/data-folder.ts';
import { watched } from '../../base/watched.ts';
import { Library } from '../../focus/library/library.ts';
import { videoRoad } from '../../focus/media/video-road.ts';
import { Videos } from '../../focus/media/videos.ts';
import { chunkRoad } from '../../focus/recording/chunk-road.ts';
import { Recorder } from '../../focus/recording/recorder.ts';
import { RecordingFiles } from '../../focus/recording/recording-files.ts';
import { verify } from '../../mesh/transport/identity.ts';
import { FocusRecordingStore } from '../../store/focus-recordings.ts';
import type { Core } from './core.ts';
import { type FocusScoreNeeds, type FocusScorePart, openFocusScores } from './focus-score.ts';

/** Recordings of the screen: what is being recorded, and what there is. */
export interface FocusPart {
  readonly recorder: Recorder;
  readonly library: Library;
  readonly videos: Videos;
  /** Takes chunks: see {@link chunkRoad}. */
  takeChunk(request: Request): Promise<Response>;
  /** Gives videos: see {@link videoRoad}. */
  giveVideo(request: Request): Promise<Response>;
  /** How recording stands, now and whenever that changes. */
  watch(signal?: AbortSignal): AsyncGenerator<FocusState, void, undefined>;
  /** What they are worth. */
  readonly scores: FocusScorePart;
}

/** @param stays whether the node does: a single command records nothing, and what another node records is not interrupted by it */
export async function openFocus(
  core: Core,
  { stays, embedding }: { stays: boolean } & Pick<FocusScoreNeeds, 'embedding'>,
): Promise<FocusPart> {
  const { config, db, identity, ports, settings, changes, until, onClose } = core;
  const store = new FocusRecordingStore(db);
  const files = new RecordingFiles(dataPath(config.dataDir, 'focus'));
  const followed = settings.follow('focus.diskBudget');
  const idleMs = async () => {
    const seconds = await ports.power?.userIdleSeconds();
    return seconds?.value === undefined ? null : Math.round(seconds.value * 1_000);
  };
  const recorder = new Recorder({ store, files, signer: identity, budget: () => followed.now, idleMs, changes });
  if (stays) {
    await recorder.open();
    onClose(() => recorder.close());
  }
  const videos = new Videos({ store, files, isLive: (id) => recorder.isLive(id), spawner: ports.spawner });
  onClose(() => videos.close());
  const library = new Library({ store, files, recorder, videos, signer: identity.id, verify });
  const read = async (): Promise<FocusState> => ({
    live: recorder.live,
    interrupted: await store.inState('interrupted'),
    room: await recorder.room(),
  });
  return {
    recorder,
    library,
    videos,
    giveVideo: (request) => videoRoad((ticket) => videos.fileOf(ticket), request),
    takeChunk: (request) => chunkRoad(recorder, request),
    watch: (signal) => watched(read, changes, until(signal)),
    scores: await openFocusScores(core, { library, store, embedding }),
  };
}
