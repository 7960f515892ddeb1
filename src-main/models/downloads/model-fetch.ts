import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type ByteSource, SourceError } from './byte-source.ts';
import {
  allGaveUp,
  keepsChanging,
  meddledWith,
  movedAway,
  refused,
  replaced,
  retrying,
  wrongHash,
} from './download-problems.ts';
import type { FetchEvents, FetchSettings } from './fetch-settings.ts';
import type { PartialFile } from './partial-file.ts';
import { type CopyOptions, copyRange, RangeReader } from './range-reader.ts';
import { checkHolding, isReplaced, SourceRing, Suspects } from './sources.ts';

const DEFAULT_SEGMENT_BYTES = 64 << 20;
/** Times that a source may have another file than before. One replacement may be seen twice: by a read, and at the next `open`. */
const MAX_CHANGES = 2;
/** No model or adapter, or another one than was wanted: of no use to anybody. */
const USELESS: readonly ErrorCode[] = ['MODEL_INVALID', 'ADAPTER_INVALID', 'UNSUPPORTED'];
const DEFAULT_MAX_BYTES = 200e9;

/** One go at a download: fetches what is missing, checks it and hands it to the library. */
export class ModelFetch {
  readonly #partial: PartialFile;
  readonly #settings: FetchSettings;
  readonly #events: FetchEvents;
  readonly #changes = new Map<ByteSource, number>();
  #ring: SourceRing | undefined;
  /** Ends the rest before the next try. */
  #alarm = new AbortController();

  constructor(partial: PartialFile, settings: FetchSettings, events: FetchEvents) {
    this.#partial = partial;
    this.#settings = settings;
    this.#events = events;
  }

  /**
   * @param sources the preferred one first
   * @throws QuarryError; what a write threw; anything, once the signal has ended it
   */
  async run(sources: readonly ByteSource[], signal: AbortSignal): Promise<void> {
    const partial = this.#partial;
    await partial.open();
    try {
      await this.#fetch(sources, signal);
      const sha256 = await this.#verify(sources, signal);
      if (!(await partial.isInPlace())) throw movedAway(partial.state.wanted);
      const source = Object.keys(partial.state.givers).join(', ');
      await partial.close();
      await this.#settings.adopt(partial.path, partial.state.wanted, { sha256, source });
      await partial.forget();
    } catch (error) {
      await partial.close();
      if (error instanceof QuarryError && USELESS.includes(error.code)) await partial.remove();
      throw error;
    } finally {
      this.#settings.room.release(partial);
    }
  }

  /** Does not wait any longer for a source that rests. */
  tryNow(): void {
    this.#ring?.wake();
    this.#alarm.abort();
  }

  /** Until the file is complete, from whoever can give of it. */
  async #fetch(sources: readonly ByteSource[], signal: AbortSignal): Promise<void> {
    const { now = () => performance.now(), random = Math.random, attempts = 20, restMs = 1_000 } = this.#settings;
    const partial = this.#partial;
    const ring = new SourceRing(sources, { now, random, attempts, restMs });
    this.#ring = ring;
    let last: SourceError | undefined;
    while (!partial.complete) {
      const turn = ring.next();
      if (!turn) throw allGaveUp(partial.state.wanted, last);
      if (turn.waitMs > 0) await this.#rest(turn.waitMs, ring.offline, signal);
      const before = partial.received;
      last = await this.#ask(turn.source, signal);
      const gave = partial.received > before;
      if (gave) ring.progressed();
      if (last) ring.failed(turn.source, last, gave);
    }
  }

  async #rest(waitMs: number, offline: boolean, signal: AbortSignal): Promise<void> {
    this.#alarm = new AbortController();
    if (offline) this.#events.onOffline(waitMs);
    const ending = AbortSignal.any([signal, this.#alarm.signal]);
    await sleep(waitMs, undefined, { signal: ending }).catch(ignoring('whoever ended it is asked next'));
    signal.throwIfAborted();
    if (offline) this.#events.onOffline(null);
  }

  /** @returns what went wrong, where it is the source's fault */
  async #ask(source: ByteSource, signal: AbortSignal): Promise<SourceError | undefined> {
    this.#events.onSource(source.name);
    try {
      await this.#fetchFrom(source, signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceError)) throw error;
      this.#settings.log.info(
        { model: this.#partial.state.wanted.name, source: source.name, err: error },
        'source failed',
      );
      this.#events.onProblem(retrying(error));
      await this.#partial.flush();
      return error.reason === 'changed' ? await this.#afterChange(source, error) : error;
    } finally {
      this.#events.onSource(undefined);
    }
  }

  async #fetchFrom(source: ByteSource, signal: AbortSignal): Promise<void> {
    const { bandwidth, room, segmentBytes = DEFAULT_SEGMENT_BYTES, maxBytes = DEFAULT_MAX_BYTES } = this.#settings;
    const partial = this.#partial;
    const { validator, bytes } = await source.open(signal);
    const length = bytes ?? partial.state.wanted.bytes ?? partial.state.bytes ?? undefined;
    const onBytes = (count: number) => {
      this.#events.onProblem(null);
      this.#events.onBytes(count);
    };
    const copy = { source, partial, bandwidth, room, onBytes };
    if (length === undefined) return await this.#fetchToEnd(copy, validator, signal);
    const holding = { source, validator, length };
    checkHolding(holding, partial, maxBytes);
    if (isReplaced(holding, partial)) {
      await partial.restart();
      throw replaced(source);
    }
    await room.reserve(partial, length);
    await partial.expect(source.name, validator, length);
    await new RangeReader({ ...copy, length, segmentBytes }).run(signal);
  }

  /** A file of unknown length: from the first byte to the last in one go. */
  async #fetchToEnd(copy: CopyOptions, validator: string | undefined, signal: AbortSignal): Promise<void> {
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#settings;
    const { source, partial } = copy;
    await partial.restart();
    await partial.expect(source.name, validator, null);
    const range = { start: 0, end: maxBytes };
    await copyRange(copy, range, signal);
    if (range.start === maxBytes) throw refused(source, say('download.tooLong', { maxBytes }));
    await partial.expect(source.name, validator, range.start);
  }

  /** @returns what the source's fault amounts to: one whose file changes again and again is given up */
  async #afterChange(source: ByteSource, error: SourceError): Promise<SourceError> {
    const count = (this.#changes.get(source) ?? 0) + 1;
    this.#changes.set(source, count);
    if (count <= MAX_CHANGES) return error;
    if (!this.#partial.state.wanted.sha256) await this.#partial.restart(); // nobody else may go on with its bytes
    return keepsChanging(source, error);
  }

  /**
   * Where the bytes do not make the wanted file, all of it is fetched again, from one source after the other.
   * @returns the file's SHA-256
   * @throws MODEL_INVALID when no source is left that may have the file
   */
  async #verify(sources: readonly ByteSource[], signal: AbortSignal): Promise<string> {
    const partial = this.#partial;
    const { wanted } = partial.state;
    const suspects = new Suspects(sources);
    let found = await this.#hash(signal);
    while (found !== (wanted.sha256 ?? found)) {
      const givers = Object.keys(partial.state.givers);
      suspects.blame(givers);
      this.#settings.log.warn({ model: wanted.name, givers, found }, 'wrong SHA-256');
      if (!(await this.#fetchFromOne(suspects, signal))) throw wrongHash(wanted, found, givers);
      found = await this.#hash(signal);
    }
    return found;
  }

  /** The whole file from the first who gives it. @returns whether anybody did */
  async #fetchFromOne(suspects: Suspects, signal: AbortSignal): Promise<boolean> {
    for (let source = suspects.next; source; source = suspects.next) {
      await this.#partial.restart();
      try {
        await this.#fetch([source], signal);
        return true;
      } catch (error) {
        if (!(error instanceof QuarryError && error.code === 'DOWNLOAD_FAILED')) throw error;
        suspects.drop(source);
      }
    }
    return false;
  }

  /** SHA-256 of the whole file, 64 hex. @throws DOWNLOAD_FAILED when it has not the length that it should have */
  async #hash(signal: AbortSignal): Promise<string> {
    const { path, state } = this.#partial;
    this.#events.onVerifying();
    const { size } = await stat(path);
    if (size === state.bytes) return await this.#partial.sha256(signal);
    await this.#partial.restart();
    throw meddledWith(state.wanted);
  }
}
