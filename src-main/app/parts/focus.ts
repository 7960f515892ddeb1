import type { ExportRecording, ExportStep, FocusState, RulesScoreView } from '../../../src-preload/contract/focus.ts';
import { told } from '../../../src-preload/contract/saying.ts';
import { dataPath } from '../../base/data-folder.ts';
import { installedPath } from '../../base/installation.ts';
import { watched } from '../../base/watched.ts';
import { ConsentLog } from '../../focus/consent/consent-log.ts';
import { captureElsewhere } from '../../focus/focus-problems.ts';
import { Library } from '../../focus/library/library.ts';
import { Tickets } from '../../focus/media/tickets.ts';
import { videoRoad } from '../../focus/media/video-road.ts';
import { Videos } from '../../focus/media/videos.ts';
import { chunkRoad } from '../../focus/recording/chunk-road.ts';
import { InSight } from '../../focus/recording/in-sight.ts';
import { Recorder } from '../../focus/recording/recorder.ts';
import { RecordingCommands } from '../../focus/recording/recording-commands.ts';
import { RecordingFiles } from '../../focus/recording/recording-files.ts';
import { whileLive } from '../../focus/recording/while-live.ts';
import { BoostedTasks } from '../../focus/tasks/boosted-tasks.ts';
import { readSuggestions } from '../../focus/tasks/suggestions.ts';
import { Tasks } from '../../focus/tasks/tasks.ts';
import { verify } from '../../mesh/transport/identity.ts';
import { FocusRecordingStore } from '../../store/focus-recordings.ts';
import { FocusSentStore, FocusTaskStore } from '../../store/focus-tasks.ts';
import { scoreByRules } from '../../subnets/omega/focus/score-by-rules.ts';
import type { CapturePort } from '../host/host-ports.ts';
import type { Core } from './core.ts';

/** Recordings of the screen: what is being recorded, and what there is. */
export interface FocusPart {
  readonly recorder: Recorder;
  readonly library: Library;
  readonly videos: Videos;
  /** Takes chunks: see {@link chunkRoad}. */
  takeChunk(request: Request): Promise<Response>;
  /** What the rules on this computer say of a recording. @throws BAD_REQUEST for one that is not there */
  score(id: string): Promise<RulesScoreView>;
  /** Exports a video, as {@link Videos.export}, with a way for browsers to fetch it. */
  export(asked: ExportRecording, signal?: AbortSignal): AsyncGenerator<ExportStep, void, undefined>;
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
  const suggestions = await readSuggestions(installedPath('resources', 'focus-tasks.json'));
  // By their paths: what was exported lies in files of its own.
  const downloads = new Tickets(Date.now);
  const read = async (): Promise<FocusState> => ({
    live: recorder.live,
    interrupted: await store.inState('interrupted'),
    room: await recorder.room(),
  });
  return {
    recorder,
    library,
    videos,
    giveVideo: (request) =>
      videoRoad((ticket, kind) => videos.fileOf(ticket, kind) ?? downloads.recordingOf(ticket), request),
    export: (asked, signal) => withDownload(videos.export(asked, signal), downloads),
    takeChunk: (request) => chunkRoad(recorder, request),
    score: (id) => scored(library, id),
    watch: (signal) => watched(read, changes, until(signal)),
    tasks: new Tasks({ store: taskStore, suggestions, boosted }),
    boosted,
    consent: new ConsentLog(new FocusSentStore(db)),
    capture,
    commands,
    seen,
  };
}

async function* withDownload(steps: AsyncIterable<ExportStep>, tickets: Tickets) {
  for await (const step of steps)
    yield step.type === 'done' ? { ...step, download: tickets.give(step.path).path } : step;
}

/** Older ones than so many are not looked at: each is read as a whole. */
const KNOWN_RECORDINGS = 50;

async function scored(library: Library, id: string): Promise<RulesScoreView> {
  const { activeMs, startedAt } = await library.get(id);
  const { recordings } = await library.list({ text: '', before: startedAt, limit: KNOWN_RECORDINGS });
  const known = [];
  for (const before of recordings) known.push({ title: before.title, seconds: await library.activity(before.id) });
  const facts = { activeMs, seconds: await library.activity(id), chain: await library.check(id), known };
  const { findings, ...score } = scoreByRules(facts);
  return { ...score, findings: findings.map(({ reason, ...found }) => ({ ...found, ...told({ text: reason }) })) };
}
