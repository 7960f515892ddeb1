import { randomUUID } from 'node:crypto';
import type {
  FocusState,
  Recording,
  RecordingEnd,
  RecordingGrant,
  Taken,
} from '../../../src-preload/contract/focus.ts';
import type { Changes } from '../../base/changes.ts';
import type { Signer } from '../../base/signing.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { TurnsOf } from '../../base/turns-of.ts';
import type { NewRecording } from '../../store/focus/focus-recordings.ts';
import { atItsEnd, nothingRecorded, notLive, otherIsRecorded, otherKey, unknownRecording } from '../focus-problems.ts';
import { type HandedChunk, LiveRecording, type PageOfStream } from './live-recording.ts';
import { RecordingRoom, type RecordingRoomOptions } from './recording-room.ts';
import { recover } from './recovery.ts';

export interface RecorderOptions extends RecordingRoomOptions {
  signer: Signer;
  /** Milliseconds since somebody last used this computer; null where it does not tell. Default: it does not. */
  idleMs?: () => Promise<number | null>;
  /** Ends what is made of a recording that goes on: what is in it may be forgotten now. Default: nothing is made. */
  onLive?: (recording: Recording) => Promise<void>;
  /** Told of what is on a screen. */
  changes: Changes;
  /** Unix milliseconds. Default: the clock. */
  now?: () => number;
}

/** A page that is not heard of for so long is gone, and what it recorded interrupted. */
const SILENT_MS = 10_000;
/** One that is paused tells so each four seconds; but the browser lets a page that nobody looks at wait for a minute. */
const SILENT_PAUSED_MS = 90_000;
const LOOK_MS = 1_000;

/** Takes recordings of the screen to the disk, one at a time. A resource. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #now: () => number;
  readonly #turns = new Turns();
  /** Of each recording; taken after the turns of all, never before. */
  readonly #still = new TurnsOf();
  readonly #room: RecordingRoom;
  #live: LiveRecording | undefined;
  /** While something is recorded: looks whether its page is still heard of. */
  #looks: ReturnType<typeof setInterval> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#room = new RecordingRoom(options);
  }

  /** What a node before this one was recording is interrupted now, and as whole as what was flushed. Idempotent. */
  async open(): Promise<void> {
    const { store, files } = this.#options;
    for (const { id } of await store.inState('recording')) {
      await recover(store, files, id);
      await this.#interrupt(id);
    }
  }

  /** What is being recorded can go on at the next node. Idempotent. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#letGo());
  }

  get live(): FocusState['live'] {
    if (!this.#live) return null;
    const { recording, paused } = this.#live;
    return { recording, paused };
  }

  /** @param page that records @throws BAD_REQUEST while another is being recorded; DISK_FULL */
  begin(about: NewRecording, page?: string): Promise<RecordingGrant> {
    return this.#turns.take(async () => {
      await this.#makeWay();
      await this.#room.check();
      const recording = await this.#options.store.begin(randomUUID(), about, {
        startedAt: this.#now(),
        signer: this.#options.signer.id,
      });
      return await this.#goLive(recording, { newPart: false, page });
    });
  }

  /**
   * @param page that records from here on
   * @throws BAD_REQUEST for one that is not there, has ended, was begun with another key, is recorded by another page, or while another is being recorded; DISK_FULL
   */
  goOn(id: string, newPart: boolean, page?: string): Promise<RecordingGrant> {
    return this.#turns.take(() => this.still(id, () => this.#goOn(id, { newPart, page })));
  }

  /** @throws UNAUTHORIZED for another token than that of what is being recorded */
  checkKey(token: string): void {
    this.#heldBy(token);
  }

  /**
   * Takes what the page has recorded; ends the recording where no more may come.
   * @param token of the grant
   * @throws UNAUTHORIZED for another token; as {@link LiveRecording.take}
   */
  async take(token: string, chunk: HandedChunk): Promise<Taken> {
    const live = this.#heldBy(token);
    const { nextChunk, ended } = await this.#taken(live, chunk);
    this.#options.changes.tell();
    if (ended) await this.#finish(live.recording.id, ended);
    return { nextChunk, ended };
  }

  /** @throws UNAUTHORIZED where that is not being recorded */
  setPaused(id: string, paused: boolean): void {
    const live = this.#liveOne(id);
    live.paused = paused;
    live.heardAt = this.#now();
    this.#options.changes.tell();
  }

  /** @throws UNAUTHORIZED where that is not being recorded */
  forgetLast(id: string, seconds: number): Promise<{ forgottenMs: number; grant: RecordingGrant }> {
    return this.still(id, async () => {
      const live = this.#liveOne(id);
      const forgottenMs = await live.forgetLast(seconds * 1_000);
      await this.#options.store.forgetDeleted();
      await this.recount();
      return { forgottenMs, grant: live.grant };
    });
  }

  /** @throws BAD_REQUEST for one that is not there, has ended already, or where nothing came of it: then it is gone */
  finish(id: string): Promise<Recording> {
    return this.#finish(id, 'finished');
  }

  /** Whether it is being recorded: nothing can be made of it then. */
  isLive(id: string): boolean {
    return this.#live?.recording.id === id;
  }

  /** Does something with a recording that is not being recorded, and lets nobody go on with it meanwhile. @throws BAD_REQUEST where it is */
  apart<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      if (this.#live?.recording.id === id) throw otherIsRecorded(this.#live.recording.title);
      return await this.still(id, work);
    });
  }

  /** Does something with a recording while nothing of it is forgotten or deleted and nobody goes on with it; chunks may come. */
  still<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#still.take(id, work);
  }

  /** To be told of what was deleted, forgotten, or made of recordings. */
  async recount(): Promise<void> {
    await this.#room.count();
    this.#options.changes.tell();
  }

  room(): Promise<FocusState['room']> {
    return this.#room.state();
  }

  async #goOn(id: string, by: PageOfStream): Promise<RecordingGrant> {
    const { store, signer } = this.#options;
    const live = this.isLive(id) ? this.#live : undefined;
    if (live && (live.page === by.page || this.#isSilent(live))) await this.#letGo();
    const recording = await this.#known(id);
    if (this.isLive(id)) throw otherIsRecorded(recording.title);
    if (recording.state !== 'interrupted') throw atItsEnd();
    if (((await store.signerOf(id)) ?? signer.id) !== signer.id) throw otherKey();
    await this.#makeWay();
    await this.#room.check();
    await store.setState(id, 'recording');
    return await this.#goLive({ ...recording, state: 'recording' }, by);
  }

  async #taken(live: LiveRecording, chunk: HandedChunk): Promise<Taken> {
    try {
      return await live.take(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      return { nextChunk: live.grant.nextChunk, ended: 'disk' };
    }
  }

  #finish(id: string, ended: RecordingEnd): Promise<Recording> {
    return this.#turns.take(async () => {
      const { store } = this.#options;
      const wasLive = this.isLive(id);
      if (wasLive) await this.#letGo();
      const recording = await store.get(id);
      if (!recording) throw wasLive ? nothingRecorded() : unknownRecording();
      if (recording.state !== 'interrupted') throw atItsEnd();
      const last = await store.lastChunk(id);
      const draft = await store.end(id, ended, last?.at ?? this.#now());
      this.#options.changes.tell();
      return draft;
    });
  }

  async #goLive(recording: Recording, by: PageOfStream): Promise<RecordingGrant> {
    const { store, files, signer, idleMs = async () => null, onLive } = this.#options;
    const isFull = (bytes: number) => this.#room.took(bytes);
    const needs = { store, files, signer, isFull, idleMs, now: this.#now };
    this.#live = await LiveRecording.open(needs, recording, by);
    this.#looks = setInterval(() => {
      void this.#letGoOfSilent().catch(ignoring('the next start finds it amid it, and interrupts it'));
    }, LOOK_MS);
    await onLive?.(recording);
    await files.removeVideo(recording.id); // it has what may be forgotten now
    await this.#room.count();
    this.#options.changes.tell();
    return this.#live.grant;
  }

  /** @throws BAD_REQUEST while a page is heard of that records */
  async #makeWay(): Promise<void> {
    if (!this.#live) return;
    if (!this.#isSilent(this.#live)) throw otherIsRecorded(this.#live.recording.title);
    await this.#letGo();
  }

  #isSilent({ heardAt, paused, isTaking }: LiveRecording): boolean {
    return !isTaking && this.#now() - heardAt >= (paused ? SILENT_PAUSED_MS : SILENT_MS);
  }

  /** Its page was closed, or died: what there is can go on elsewhere, and says so. */
  async #letGoOfSilent(): Promise<void> {
    if (!this.#live || !this.#isSilent(this.#live)) return;
    await this.#turns.take(async () => {
      if (this.#live && this.#isSilent(this.#live)) await this.#letGo();
    });
  }

  async #letGo(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    this.#live = undefined;
    clearInterval(this.#looks);
    await live.close();
    await recover(this.#options.store, this.#options.files, live.recording.id);
    await this.#interrupt(live.recording.id);
    this.#options.changes.tell();
  }

  /** It can go on; but where nothing came of it, nothing is kept. */
  async #interrupt(id: string): Promise<void> {
    const { store, files } = this.#options;
    if (await store.lastChunk(id)) return store.setState(id, 'interrupted');
    await files.remove(id);
    await store.remove(id);
  }

  #heldBy(token: string): LiveRecording {
    if (this.#live?.token !== token) throw notLive();
    return this.#live;
  }

  #liveOne(id: string): LiveRecording {
    if (this.#live?.recording.id !== id) throw notLive();
    return this.#live;
  }

  async #known(id: string): Promise<Recording> {
    const recording = await this.#options.store.get(id);
    if (!recording) throw unknownRecording();
    return recording;
  }
}
