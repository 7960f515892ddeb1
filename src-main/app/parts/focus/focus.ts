import type { FocusState, Recording } from '../../../../src-preload/contract/focus.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { installedPath } from '../../../base/installation.ts';
import { watched } from '../../../base/watched.ts';
import { ConsentLog } from '../../../focus/consent/consent-log.ts';
import { captureElsewhere } from '../../../focus/focus-problems.ts';
import { Library } from '../../../focus/library/library.ts';
import { videoRoad } from '../../../focus/media/video-road.ts';
import { Videos } from '../../../focus/media/videos.ts';
import { chunkRoad } from '../../../focus/recording/chunk-road.ts';
import { InSight } from '../../../focus/recording/in-sight.ts';
import { Recorder } from '../../../focus/recording/recorder.ts';
import { RecordingCommands } from '../../../focus/recording/recording-commands.ts';
import { RecordingFiles } from '../../../focus/recording/recording-files.ts';
import { whileLive } from '../../../focus/recording/while-live.ts';
import { BoostedTasks } from '../../../focus/tasks/boosted-tasks.ts';
import { readSuggestions } from '../../../focus/tasks/suggestions.ts';
import { type PlatformTask, Tasks } from '../../../focus/tasks/tasks.ts';
import { verify } from '../../../mesh/transport/identity.ts';
import { FocusRecordingStore } from '../../../store/focus/focus-recordings.ts';
import { FocusSentStore, FocusTaskStore } from '../../../store/focus/focus-tasks.ts';
import { MOST_PICTURE_SIDE } from '../../../subnets/omega/focus/model/key-frames.ts';
import type { CapturePort } from '../../host/host-ports.ts';
import type { Core } from '../core.ts';
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
  /** What can be recorded in the app's own window. @throws NOT_RUNNING elsewhere */
  capture(): CapturePort;
  /** What may be recorded, and what is in sight of what is. */
  readonly seen: InSight;
  /** What is wanted of the page that records. */
  readonly commands: RecordingCommands;
  readonly tasks: Tasks;
  readonly boosted: BoostedTasks;
  /** What leaves this computer is written down here before it does. */
  readonly consent: ConsentLog;
  /** What they are worth. */
  readonly scores: FocusScorePart;
}

/** @param stays whether the node does: a single command records nothing */
export async function openFocus(
  core: Core,
  {
    stays,
    embedding,
    platform,
  }: {
    stays: boolean;
    /** What a market wants recordings of. */
    platform: () => Promise<readonly PlatformTask[]>;
  } & Pick<FocusScoreNeeds, 'embedding'>,
): Promise<FocusPart> {
  const { config, db, identity, ports, settings, changes, until, onClose } = core;
  const store = new FocusRecordingStore(db);
  const files = new RecordingFiles(dataPath(config.dataDir, 'focus'));
  const followed = settings.follow('focus.diskBudget');
  const idleMs = async () => {
    const seconds = await ports.power?.userIdleSeconds();
    return seconds?.value === undefined ? null : Math.round(seconds.value * 1_000);
  };
  const onLive = (recording: Recording) => videos.leave(recording);
  const recorder = new Recorder({
    store,
    files,
    signer: identity,
    budget: () => followed.now,
    idleMs,
    changes,
    onLive,
  });
  await recorder.open(); // for a single command, too: it has the folder to itself, so nobody records
  onClose(() => recorder.close());
  const commands = new RecordingCommands();
  const capture = () => {
    if (!ports.capture) throw captureElsewhere();
    return ports.capture;
  };
  const excluded = settings.follow('focus.excluded');
  const idleMinutes = settings.follow('focus.idleMinutes');
  const seen = new InSight({
    sources: () => capture().sources(),
    titles: async () => (await ports.capture?.titles()) ?? null,
    live: () => recorder.live,
    idleMs,
    excluded: () => excluded.now,
    idleMinutes: () => idleMinutes.now,
  });
  const { panic } = ports;
  if (stays && panic) {
    const hold = () => panic.hold(() => commands.send({ command: 'panic' }));
    const holding = whileLive(recorder, changes, hold, until());
    onClose(() => holding);
  }
  const [isLive, onMade] = [(id: string) => recorder.isLive(id), () => recorder.recount()];
  const videos = new Videos({ store, files, isLive, onMade, spawner: ports.spawner });
  if (stays) await videos.open();
  onClose(() => videos.close());
  const library = new Library({ store, files, recorder, videos, signer: identity.id, verify });
  if (stays) await library.open();
  const boostedSource = {
    address: settings.follow('focus.boostedTasks'),
    key: settings.follow('focus.boostedTasksKey'),
  };
  const taskStore = new FocusTaskStore(db);
  const boosted = new BoostedTasks({
    store: taskStore,
    verify,
    source: () => ({ address: boostedSource.address.now, key: boostedSource.key.now }),
  });
  const suggestions = () => readSuggestions(installedPath('resources', 'focus-tasks.json'));
  const read = async (): Promise<FocusState> => ({
    live: recorder.live,
    interrupted: await store.inState('interrupted'),
    room: await recorder.room(),
  });
  const consent = new ConsentLog(new FocusSentStore(db));
  const scores = await openFocusScores(core, {
    ...{ library, store, embedding, consent, stays },
    keyFrames: (id, count, signal) => videos.stills(id, { count, side: MOST_PICTURE_SIDE }, signal),
  });
  return {
    recorder,
    library,
    videos,
    giveVideo: (request) => videoRoad((ticket, kind) => videos.fileOf(ticket, kind), request),
    takeChunk: (request) => chunkRoad(recorder, request),
    watch: (signal) => watched(read, changes, until(signal)),
    tasks: new Tasks({ store: taskStore, suggestions, boosted, platform }),
    boosted,
    consent,
    capture,
    commands,
    seen,
    scores,
  };
}
