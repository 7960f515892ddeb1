import type { Logger } from 'pino';
import { type DataJob, type FoundVideo, foundVideoSchema } from '../../../src-preload/contract/data.ts';
import { LEAST_CLIP_SECONDS, MOST_FETCHED_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { ClipJobStore, StoredJob } from '../../store/clips/clip-jobs.ts';
import type { ClipStore } from '../../store/clips/clips.ts';
import { type ClipFolder, type ClipPlace, clipId } from '../kept/clip-folder.ts';
import { containerOf } from '../media/copy.ts';
import type { MediaFacts, MediaTool, Span } from '../media/media.ts';
import { noMedia } from '../media/media-words.ts';
import { SPEECH_RATE } from '../media/sound-rates.ts';
import { windowsOf } from '../media/windows.ts';
import type { ClipTools } from '../models/clip-tools.ts';
import { fetchLimits } from '../reading/fetch-limits.ts';
import type { DiskRoom } from './disk-room.ts';
import { makeClip } from './make-clip.ts';
import type { Sources, TakeDowns } from './ports.ts';
import { noRoom, OfNoUse, outcomeOf } from './set-aside.ts';
import { keptSpans } from './spans.ts';
import { unusableBecause } from './usable.ts';

export interface VideoWorkOptions {
  jobs: ClipJobStore;
  clips: ClipStore;
  folder: ClipFolder;
  room: DiskRoom;
  sources: Sources;
  tools: ClipTools;
  takeDowns: TakeDowns;
  /** Bytes that clips may take, bytes that are fetched of a video at the most, and clips that are made of it. */
  limits: () => { budget: number; fetched: number; clips: number };
  /** Told of each clip that has been made; the next one waits for it. */
  onMade: (clip: string) => void | Promise<void>;
  log: Logger;
  /** Unix milliseconds. */
  now: () => number;
}

/** How far the present step of a video is, 0 to 1, null where that is not known; and what is fetched, as the contract has it. */
export type VideoProgress = Pick<DataJob, 'done' | 'fetched'>;

/** How one video is worked on. */
export interface WorkTurn {
  /** Ends it at once: it goes on another time where it is. */
  signal: AbortSignal;
  /** Ends it once the clip that is being made is one. */
  ending: AbortSignal;
  /** Resolves when this computer has time for the next step. */
  gate: () => Promise<void>;
  onProgress: (progress: VideoProgress) => void;
  /** Clips that are still wanted. */
  most: number;
}

/** A video on its way: what was fetched of it can be read. */
interface Opened {
  job: StoredJob;
  facts: MediaFacts;
  media: MediaTool;
}

/** Takes a video from the queue to its clips. Each step is in the database before the next: killed at any moment it goes on there. */
export class VideoWork {
  readonly #options: VideoWorkOptions;

  constructor(options: VideoWorkOptions) {
    this.#options = options;
  }

  /**
   * What it comes to is in the database.
   * @throws QuarryError what keeps every video from going on (DISK_FULL, no program that reads videos); the signal's reason
   */
  async work(job: StoredJob, turn: WorkTurn): Promise<void> {
    const media = await this.#media();
    try {
      await this.#steps(job, media, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (turn.ending.aborted) return;
      await this.#setAside(job.number, error);
    }
  }

  async #steps(waiting: StoredJob, media: MediaTool, turn: WorkTurn): Promise<void> {
    await this.#allowed(waiting, turn.signal);
    const job = await this.#fetched(waiting, turn);
    await turn.gate();
    const facts = await media.probe(this.#options.folder.fetched(job.number), { signal: turn.signal });
    const spans = await this.#spans({ job, facts, media }, turn);
    for (let at = job.next_span; at < spans.length; at++) {
      await turn.gate();
      if (turn.ending.aborted) return;
      await this.#clip({ job, facts, media }, { spans, at }, turn);
    }
    await this.#end(job.number, 'done', null);
  }

  async #media(): Promise<MediaTool> {
    const media = await this.#options.tools.media();
    if (media) return media;
    throw noMedia();
  }

  /** What its source says of it now. @throws OfNoUse where no clip may be made of it any more */
  async #allowed(job: StoredJob, signal: AbortSignal): Promise<FoundVideo> {
    const { sources } = this.#options;
    const before = keptJson(job.found, foundVideoSchema);
    const now = await sources.get(job.source).look(job.video, signal);
    if (!now || now.source !== job.source || now.id !== job.video) throw new OfNoUse(say('clips.goneThere'));
    const reason = await unusableBecause(now, this.#options);
    if (reason && before && before.licence !== now.licence) throw new OfNoUse(say('clips.licenceChanged'));
    if (reason) throw new OfNoUse(reason);
    return now;
  }

  /** The least that is needed of it, on the disk. */
  async #fetched(job: StoredJob, { signal, ending, gate, onProgress }: WorkTurn): Promise<StoredJob> {
    const { jobs, folder, sources, now } = this.#options;
    const there = await folder.fetchedBytes(job.number);
    if (job.spans !== null && there > 0 && there === job.bytes) return job;
    await jobs.set(job.number, { state: 'fetching', reason: null, changed_at: now() });
    await gate();
    const limits = await this.#roomFor(job);
    try {
      const { url } = await sources.get(job.source).fetch(job.video, folder.fetched(job.number), {
        ...{ ...limits, signal: AbortSignal.any([signal, ending]) },
        onProgress: (bytes, of) => onProgress({ done: of ? Math.min(1, bytes / of) : null, fetched: { bytes, of } }),
      });
      await jobs.set(job.number, { url });
      return { ...job, url, bytes: await folder.fetchedBytes(job.number) };
    } finally {
      await jobs.set(job.number, { bytes: await folder.fetchedBytes(job.number), changed_at: now() });
    }
  }

  /** How much of it is fetched, for which there is room. @throws DISK_FULL */
  async #roomFor(job: StoredJob): Promise<ReturnType<typeof fetchLimits>> {
    const { room, limits } = this.#options;
    const { fetched, budget } = limits();
    const size = keptJson(job.found, foundVideoSchema)?.bytes ?? fetched;
    const wanted = fetchLimits(job.source, Math.min(size, fetched, budget));
    if ((await room.make(wanted.mostBytes)) < wanted.mostBytes) throw noRoom(budget);
    return wanted;
  }

  /** Which stretches of it become clips: said once, and kept. */
  async #spans({ job, facts, media }: Opened, { signal, most }: WorkTurn): Promise<Span[]> {
    const { jobs, folder, tools, limits, now } = this.#options;
    const kept = keptSpans(job.spans);
    if (kept) return kept;
    if (facts.seconds < LEAST_CLIP_SECONDS) throw new OfNoUse(say('clips.tooShort', { least: LEAST_CLIP_SECONDS }));
    const [path, whole] = [folder.fetched(job.number), { from: 0, to: Math.min(facts.seconds, MOST_FETCHED_SECONDS) }];
    const scenes = await media.scenes(path, whole, { signal });
    const { voice } = tools.listeners();
    const sound = voice && (await media.sound(path, whole, { rate: SPEECH_RATE, signal }));
    const speech = voice && sound ? await voice.spans(sound, signal) : [];
    const { keyFrames } = facts;
    const spans = windowsOf({ seconds: whole.to, keyFrames, scenes, speech }, Math.min(limits().clips, most));
    if (spans.length === 0) throw new OfNoUse(say('clips.nothingToCut'));
    await jobs.set(job.number, { spans: JSON.stringify(spans), state: 'cutting', changed_at: now() });
    return spans;
  }

  /** One stretch becomes a clip, or is passed over. */
  async #clip(
    { job, facts, media }: Opened,
    { spans, at }: { spans: readonly Span[]; at: number },
    { signal, onProgress }: WorkTurn,
  ): Promise<void> {
    const { jobs, clips, folder, tools, log, now } = this.#options;
    const [number, span] = [job.number, spans[at] as Span];
    const place = { clip: clipId({ source: job.source, id: job.video }, span), container: containerOf(facts) };
    const progress = (step: number) => onProgress({ done: (at + step) / spans.length, fetched: null });
    const pass = () => jobs.set(number, { next_span: at + 1, changed_at: now() });
    if (await clips.get(place.clip)) return await pass();
    await jobs.set(number, { state: 'cutting', changed_at: now() });
    progress(0);
    await this.#roomToCut(job, facts, span);
    const video = await this.#allowed(job, signal);
    const onCut = async () => {
      await jobs.set(number, { state: 'describing', changed_at: now() });
      progress(0.3);
    };
    try {
      const made = await makeClip({ job, video, span, place, media }, { folder, tools, log, now, signal, onCut });
      if (!made) return await pass();
      if (await this.#options.takeDowns.isTakenDown(video)) throw new OfNoUse(say('clips.takenDown'));
      await this.#keep(made, { job: number, nextSpan: at + 1, place });
    } finally {
      await folder.drop(place);
    }
    await this.#options.onMade(place.clip);
  }

  async #keep(
    { row, vectors }: NonNullable<Awaited<ReturnType<typeof makeClip>>>,
    { job, nextSpan, place }: { job: number; nextSpan: number; place: ClipPlace },
  ): Promise<void> {
    const { clips, folder } = this.#options;
    try {
      await clips.add(row, { vectors, job, nextSpan, place: () => folder.place(place) });
    } catch (error) {
      await folder.remove(place); // nobody knows of it
      throw error;
    }
  }

  /** A stretch is no larger than its share of the file, and a little. @throws DISK_FULL */
  async #roomToCut({ bytes }: StoredJob, { seconds }: MediaFacts, span: Span): Promise<void> {
    const share = Math.min(1, (1.2 * (span.to - span.from)) / seconds);
    const wanted = Math.ceil(bytes * share);
    if ((await this.#options.room.make(wanted)) < wanted) throw noRoom(this.#options.limits().budget);
  }

  async #setAside(number: number, error: unknown): Promise<void> {
    const { jobs, folder, log, now } = this.#options;
    const job = await jobs.get(number);
    if (!job) return;
    const outcome = outcomeOf(error, job.tries + 1);
    if (outcome.state === 'held') throw outcome.reason;
    if (outcome.state === 'skipped') return await this.#end(number, job.clips > 0 ? 'done' : 'skipped', outcome.reason);
    log.warn({ err: error, video: job.video, source: job.source }, 'clips: a video does not go on');
    const dueAt = outcome.state === 'waiting' ? now() + outcome.inMs : 0;
    await jobs.set(number, {
      ...{ state: outcome.state, reason: reasonOf(outcome.reason), tries: job.tries + 1, due_at: dueAt },
      ...{ bytes: await folder.fetchedBytes(number), changed_at: now() },
    });
  }

  /** Nothing more comes of it: what was fetched of it goes. */
  async #end(number: number, state: 'done' | 'skipped', reason: Words | null): Promise<void> {
    const { jobs, folder, now } = this.#options;
    await jobs.set(number, { state, reason: reason && reasonOf(reason), bytes: 0, changed_at: now() });
    await folder.removeFetched(number);
  }
}

/** As it is kept. */
export const reasonOf = (words: Words) => JSON.stringify(told({ text: words }));
