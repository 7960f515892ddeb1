import type { FocusState } from '../../../src-preload/contract/focus.ts';
import { dataPath } from '../../base/data-folder.ts';
import { watched } from '../../base/watched.ts';
import { Library } from '../../focus/library/library.ts';
import { chunkRoad } from '../../focus/recording/chunk-road.ts';
import { Recorder } from '../../focus/recording/recorder.ts';
import { RecordingFiles } from '../../focus/recording/recording-files.ts';
import { verify } from '../../mesh/transport/identity.ts';
import { FocusRecordingStore } from '../../store/focus-recordings.ts';
import type { Core } from './core.ts';

/** Recordings of the screen: what is being recorded, and what there is. */
export interface FocusPart {
  readonly recorder: Recorder;
  readonly library: Library;
  /** Takes chunks: see {@link chunkRoad}. */
  takeChunk(request: Request): Promise<Response>;
  /** How recording stands, now and whenever that changes. */
  watch(signal?: AbortSignal): AsyncGenerator<FocusState, void, undefined>;
}

/** @param stays whether the node does: a single command records nothing, and what another node records is not interrupted by it */
export async function openFocus(
  { config, db, identity, ports, settings, changes, until, onClose }: Core,
  { stays }: { stays: boolean },
): Promise<FocusPart> {
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
  const library = new Library({ store, files, recorder, signer: identity.id, verify });
  const read = async (): Promise<FocusState> => ({
    live: recorder.live,
    interrupted: await store.inState('interrupted'),
    room: await recorder.room(),
  });
  return {
    recorder,
    library,
    takeChunk: (request) => chunkRoad(recorder, request),
    watch: (signal) => watched(read, changes, until(signal)),
  };
}
