import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type {
  ChunkActivity,
  Recording,
  RecordingCommand,
  RecordingEnd,
  RecordingGrant,
} from '../../../../src-preload/contract/focus.ts';
import { LONGEST_RECORDING_MS } from '../../../../src-preload/contract/focus-limits.ts';
import { client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { ignoring } from '../../../api/ignoring.ts';
import { isOnThisComputer } from '../../../api/port.ts';
import {
  HOLDS,
  type Hold,
  type RecordedSecond,
  type RecordingControls,
  showRecording,
  useRecording,
} from '../../../state/recording.ts';
import { ActiveClock } from './active-clock.ts';
import { Attendance } from './attendance.ts';
import { ChunkSender, type Waiting } from './chunk-sender.ts';
import { followCommands } from './follow-commands.ts';
import { handOver } from './hand-over.ts';
import { MotionMeter } from './motion-meter.ts';
import { OwnInput } from './own-input.ts';
import { onPanicKey } from './panic-key.ts';
import type { Sound, Source } from './source.ts';
import { StreamRecorder } from './stream-recorder.ts';
import { THIS_PAGE } from './this-page.ts';

/** The node takes a page that is not heard of for ten seconds for gone. */
const HEARD_EACH_MS = 4_000;
const RETRY_MS = 1_000;
/** How much «Forget the last minute» forgets. */
const FORGOTTEN_MS = 60_000;
/** So long a window may have been in sight before it was noticed: two looks, and the chunk that was amid it. */
const COVERED_LATE_MS = 3_000;
const NOT_COUNTED = { keys: null, clicks: null, moves: null };

/** How a recording begins: anew, or where one was interrupted. */
export interface Beginning {
  /** Asks the node for it. */
  open(): Promise<RecordingGrant>;
  /** Bytes that there are already. */
  bytes: number;
}

/** Records what is shared, until it is finished, nothing is shared any more, or the node takes no more. */
export class ScreenRecorder {
  readonly #source: Source;
  readonly #beginning: Beginning;
  readonly #clock = new ActiveClock();
  #meter: MotionMeter | undefined;
  #input: OwnInput | undefined;
  #id = '';
  #sender!: ChunkSender;
  #stream: StreamRecorder | undefined;
  /** Why it stands still; while there is none, it goes on. */
  readonly #holds = new Set<Hold>();
  readonly #closing = new AbortController();
  /** The last seconds are being forgotten. */
  #forgetting: { ms: number; done: Promise<void> } | undefined;
  #finishing: Promise<void> | undefined;
  #attendance: Attendance | undefined;
  #heard: ReturnType<typeof setInterval> | undefined;
  readonly #controls: RecordingControls = {
    pause: () => this.pause(),
    resume: () => this.resume(),
    forgetLastMinute: () => void this.panic(FORGOTTEN_MS),
    finish: () => void this.finish(),
  };

  constructor(source: Source, beginning: Beginning) {
    this.#source = source;
    this.#beginning = beginning;
  }

  /** @throws what the node says where it does not let it begin */
  async open(): Promise<void> {
    const grant = await this.#beginning.open();
    this.#id = grant.id;
    this.#sender = new ChunkSender(grant, {
      hand: handOver,
      goOn: (newPart) => this.#goOn(newPart),
      forgetLast: async (seconds) => (await client.focus.forgetLast({ id: this.#id, seconds })).grant,
      beginAnew: ({ activeMs }) => {
        if (!this.#forgetting && !this.#finishing) this.#record(activeMs);
      },
      waits: (waiting) => this.#waits(waiting),
      ended: (why) => this.#ended(why),
      failed: (error) => this.#failed(error),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    this.#meter = new MotionMeter(this.#source.stream);
    this.#input = new OwnInput(window);
    this.#source.onEnded(() => this.#sharingEnded());
    this.#source.onSoundEnded((which) => this.#soundEnded(which));
    addEventListener('beforeunload', warn);
    const { id, activeMs } = grant;
    const { bytes } = this.#beginning;
    const seconds = activeMs > 0 ? await secondsBefore(id) : [];
    showRecording({ phase: 'recording', id, bytes, activeMs, seconds, controls: this.#controls });
    this.#record(grant.activeMs);
    this.#attendance = new Attendance({
      ask: () => client.focus.presence(),
      isHere: isOnThisComputer(),
      look: () => this.#look(),
      isPaused: () => this.#holds.has('paused'),
      idle: (isIdle) => this.#holdFor('idle', isIdle),
      covered: (name) => this.#covered(name),
    });
    onPanicKey(window, () => void this.panic(FORGOTTEN_MS), this.#closing.signal);
    void followCommands((command) => this.#heed(command), this.#closing.signal);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #heed({ command }: RecordingCommand): void {
    if (command === 'pause') this.pause();
    if (command === 'resume') this.resume();
    if (command === 'panic') void this.panic(FORGOTTEN_MS);
    if (command === 'finish') void this.finish();
  }

  pause(): void {
    this.#holdFor('paused', true);
  }

  resume(): void {
    showRecording({ forgottenMs: undefined });
    this.#attendance?.begin();
    this.#holdFor('paused', false);
  }

  /** Pauses, and takes the last milliseconds away. */
  panic(ms: number): Promise<void> {
    this.pause();
    return this.forgetLast(ms);
  }

  #holdFor(why: Exclude<Hold, 'full'>, isHeld: boolean): void {
    if (isHeld === this.#holds.has(why)) return;
    if (isHeld) this.#holds.add(why);
    else this.#holds.delete(why);
    clearInterval(this.#heard);
    this.#heard = this.#isPaused ? setInterval(() => this.#tellPaused(), HEARD_EACH_MS) : undefined;
    this.#tellPaused();
    this.#hold();
  }

  /** Nothing is recorded, and not because there is no room. */
  get #isPaused(): boolean {
    return [...this.#holds].some((hold) => hold !== 'full');
  }

  /** Takes the last milliseconds away, here and at the node, and goes on with what comes then. As much as is being taken away already is not taken twice. */
  forgetLast(ms: number): Promise<void> {
    const before = this.#forgetting;
    if (before && before.ms >= ms) return before.done;
    const done = (before?.done ?? Promise.resolve())
      .then(() => this.#forgetLast(ms))
      .finally(() => {
        if (this.#forgetting?.done === done) this.#forgetting = undefined;
      });
    this.#forgetting = { ms, done };
    return done;
  }

  async #forgetLast(ms: number): Promise<void> {
    if (this.#finishing || this.#isClosed) return;
    showRecording({ phase: 'forgetting' });
    this.#stream?.discard();
    this.#stream = undefined;
    this.#clock.hold();
    const beforeMs = this.#clock.ms;
    const grant = await this.#sender.forgetAfter(Math.max(0, beforeMs - ms));
    if (!grant || this.#isClosed) return;
    const { seconds, bytes } = useRecording.getState().now ?? { seconds: [], bytes: 0 };
    const kept = await client.focus.get({ id: this.#id }).catch(ignoring('its size is told at the end'));
    showRecording({
      seconds: seconds.filter(({ activeMs }) => activeMs <= grant.activeMs),
      bytes: kept?.bytes ?? bytes,
      activeMs: grant.activeMs,
      forgottenMs: beforeMs - grant.activeMs,
    });
    if (!this.#finishing) this.#record(grant.activeMs);
  }

  /** Resolves when everything is at the node, and the recording at its end. Idempotent. */
  finish(): Promise<void> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async #finish(): Promise<void> {
    showRecording({ phase: 'finishing' });
    // What was to be forgotten must not be kept because the end came first.
    await this.#forgetting?.done;
    await this.#stream?.stop();
    this.#stream = undefined;
    this.#source.close();
    await this.#sender.drained();
    if (this.#isClosed) return;
    try {
      await this.#finished();
      this.#close();
    } catch (error) {
      if (!isEmpty(error)) return this.#failed(toQuarryError(error));
      useRecording.setState({ ended: 'nothing' });
      this.#close();
    }
  }

  /** A new stream of the browser’s recorder, in which the recording goes on after so many milliseconds. */
  #record(afterMs: number): void {
    this.#stream?.discard();
    this.#clock.set(afterMs);
    const stream = new StreamRecorder(this.#source.stream, (bytes) => this.#chunk(bytes));
    this.#stream = stream;
    void stream.ended.then(() => this.#stream === stream && this.#sharingEnded());
    this.#clock.run();
    this.#hold();
  }

  #chunk(bytes: Blob): void {
    const { motion, counts, used } = this.#look();
    const activity: ChunkActivity = {
      activeMs: this.#clock.ms,
      motion,
      picture: this.#meter?.picture ?? null,
      ...(this.#source.isOwnPage ? counts : NOT_COUNTED),
    };
    this.#attendance?.saw({ motion, used });
    if (bytes.size === 0) return;
    this.#sender.push(bytes, activity);
    const { activeMs } = activity;
    const second = { activeMs, motion, used: isUsed(activity) };
    const { now } = useRecording.getState();
    if (!now) return;
    showRecording({ activeMs, bytes: now.bytes + bytes.size, seconds: [...now.seconds, second] });
    if (activeMs >= LONGEST_RECORDING_MS) void this.finish();
  }

  /** What happened since the last look, in what is recorded and in this page. */
  #look() {
    const counts = this.#input?.take() ?? NOT_COUNTED;
    return { motion: this.#meter?.look() ?? 0, counts, used: isUsed(counts) };
  }

  /** What was recorded before anybody noticed goes too. */
  #covered(name: string | undefined): void {
    const isNew = name !== undefined && !this.#holds.has('covered');
    showRecording({ coveredBy: name });
    this.#holdFor('covered', name !== undefined);
    if (isNew) void this.forgetLast(COVERED_LATE_MS);
  }

  #soundEnded(which: keyof Sound): void {
    const { now } = useRecording.getState();
    if (now && !this.#finishing && !this.#isClosed)
      showRecording({ sound: { ...now.sound, [which]: false }, lost: which });
  }

  #waits({ bytes, isAway, isBehind, isFull }: Waiting): void {
    if (isFull) this.#holds.add('full');
    else this.#holds.delete('full');
    showRecording({ waitingBytes: bytes, isAway, isBehind });
    this.#hold();
  }

  /** Stops and goes on as it should be now. */
  #hold(): void {
    if (!this.#stream || this.#isClosed) return;
    const hold = HOLDS.find((why) => this.#holds.has(why));
    if (hold) {
      this.#stream.pause();
      this.#clock.hold();
    } else {
      this.#stream.resume();
      this.#clock.run();
    }
    if (!this.#finishing) showRecording({ phase: hold ?? 'recording' });
  }

  #tellPaused(): void {
    void client.focus
      .setPaused({ id: this.#id, paused: this.#isPaused })
      .catch(ignoring('a node that is away hears of it with the next chunk'));
  }

  /** A node that was started anew before the first second came knows nothing of it. */
  async #goOn(newPart: boolean): Promise<RecordingGrant> {
    try {
      return await client.focus.goOn({ id: this.#id, newPart, page: THIS_PAGE });
    } catch (error) {
      if (toQuarryError(error).code !== 'BAD_REQUEST' || (await this.#isKnown())) throw error;
      const grant = await this.#beginning.open();
      this.#id = grant.id;
      showRecording({ id: this.#id });
      return grant;
    }
  }

  async #isKnown(): Promise<boolean> {
    return await client.focus.get({ id: this.#id }).then(
      () => true,
      (error: unknown) => toQuarryError(error).code !== 'BAD_REQUEST',
    );
  }

  /** Told until the node has heard. */
  async #finished(): Promise<Recording> {
    for (;;) {
      try {
        return await client.focus.finish({ id: this.#id });
      } catch (error) {
        if (toQuarryError(error).code !== 'NOT_RUNNING') return await this.#asFinished(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** It may have heard, and not been heard itself. */
  async #asFinished(error: unknown): Promise<Recording> {
    const recording = await client.focus.get({ id: this.#id }).catch(ignoring('the first error says more'));
    if (recording?.state !== 'draft') throw error;
    return recording;
  }

  #sharingEnded(): void {
    if (this.#isClosed || this.#finishing) return;
    useRecording.setState({ ended: 'stopped' });
    void this.finish();
  }

  #ended(why: RecordingEnd): void {
    if (why !== 'finished') useRecording.setState({ ended: why });
    this.#close();
  }

  #failed(error: QuarryError): void {
    useRecording.setState({ error });
    this.#close();
  }

  #close(): void {
    this.#closing.abort();
    clearInterval(this.#heard);
    removeEventListener('beforeunload', warn);
    this.#sender.end();
    this.#stream?.discard();
    this.#stream = undefined;
    this.#input?.close();
    this.#attendance?.close();
    this.#meter?.close();
    this.#source.close();
    useRecording.setState({ now: undefined });
  }
}

/** What another page, or this one, recorded of it before. */
async function secondsBefore(id: string): Promise<RecordedSecond[]> {
  const seconds = await client.focus.activity({ id }).catch(ignoring('the strip begins empty then'));
  return (seconds ?? []).map(({ activeMs, motion, ...counts }) => ({ activeMs, motion, used: isUsed(counts) }));
}

/** Whether nothing was kept of a recording: all of it was forgotten, say. */
const isEmpty = (error: unknown) => toQuarryError(error).said?.message?.key === 'focus.empty';

function isUsed({ keys, clicks, moves }: Pick<ChunkActivity, 'keys' | 'clicks' | 'moves'>): boolean {
  return (keys ?? 0) + (clicks ?? 0) + (moves ?? 0) > 0;
}

/** The last second is not at the node, or more than that. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
