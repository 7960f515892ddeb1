import { stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { QuarryError, type QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import type { WantedModel } from '../wanted-model.ts';
import type { Bandwidth } from './bandwidth.ts';
import { type ByteSource, SourceError } from './byte-source.ts';
import { type CopyOptions, copyRange } from './copy-range.ts';
import { allGaveUp, keepsChanging, meddledWith, refused, retrying, wrongHash } from './download-problems.ts';
import type { PartialFile } from './partial-file.ts';
import { RangeReader } from './range-reader.ts';
import { checkOffer, checkRoom } from './source-check.ts';
import { SourceRing } from './source-ring.ts';

/** Gives a complete file its name in the library; the file at `path` is gone afterwards. */
export type Adopt = (path: string, wanted: WantedModel, origin: { sha256: string; source: string }) => Promise<unknown>;

export interface FetchSettings {
  adopt: Adopt;
  bandwidth: Bandwidth;
  log: Logger;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  now?: () => number;
  /** From 0 up to 1. Default Math.random. */
  random?: () => number;
  /** Bytes free on the drive of a folder. Default: what the system says. */
  freeSpace?: (folder: string) => Promise<number>;
  /** Failures of a source in a row, with no bytes from anywhere in between, until it is given up. Default 20: a quarter of an hour. */
  attempts?: number;
  /** Milliseconds that a source rests after it failed twice; doubles with each further failure. Default 1,000. */
  restMs?: number;
  /** Bytes asked for at once. Short enough that all lines end together. Default 64 MiB. */
  segmentBytes?: number;
  /** A longer file is refused. Default 200 GB. */
  maxBytes?: number;
}

/** What becomes known on the way. */
export interface FetchEvents {
  onBytes: (count: number) => void;
  /** The source that is asked now; undefined when none is. */
  onSource: (name: string | undefined) => void;
  /** What went wrong and is tried again; null when it works again. */
  onProblem: (problem: QuarryErrorData | null) => void;
  /** All bytes are here, and are looked at now. */
  onVerifying: () => void;
}

const DEFAULT_SEGMENT_BYTES = 64 << 20;
/** Times that peers may give another file than the wanted one before a download gives up. */
const MAX_LIES = 3;
const DEFAULT_MAX_BYTES = 200e9;

/** One go at a download: fetches what is missing, checks it and hands it to the library. */
export class ModelFetch {
  readonly #partial: PartialFile;
  readonly #settings: FetchSettings;
  readonly #events: FetchEvents;
  #changes = 0;

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
      const source = Object.keys(partial.state.givers).join(', ');
      await partial.close();
      await this.#settings.adopt(partial.path, partial.state.wanted, { sha256, source });
      await partial.forget();
    } catch (error) {
      await partial.close();
      // No model, or another one: of no use to anybody.
      if (error instanceof QuarryError && error.code === 'MODEL_INVALID') await partial.remove();
      throw error;
    }
  }

  /** Until the file is complete, from whoever can give of it. */
  async #fetch(sources: readonly ByteSource[], signal: AbortSignal): Promise<void> {
    const { now = () => performance.now(), random = Math.random, attempts = 20, restMs = 1_000 } = this.#settings;
    const partial = this.#partial;
    const ring = new SourceRing(sources, { now, random, attempts, restMs });
    let last: SourceError | undefined;
    while (!partial.complete) {
      const turn = ring.next();
      if (!turn) throw allGaveUp(partial.state.wanted, last);
      if (turn.waitMs > 0) await sleep(turn.waitMs, undefined, { signal });
      const before = partial.received;
      last = await this.#ask(turn.source, signal);
      if (partial.received > before) ring.progressed();
      if (last?.reason === 'changed') await this.#startAgain(last);
      else if (last) ring.failed(turn.source, last);
    }
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
      return error;
    } finally {
      this.#events.onSource(undefined);
    }
  }

  async #fetchFrom(source: ByteSource, signal: AbortSignal): Promise<void> {
    const { bandwidth, segmentBytes = DEFAULT_SEGMENT_BYTES, maxBytes = DEFAULT_MAX_BYTES } = this.#settings;
    const { freeSpace = systemFreeSpace } = this.#settings;
    const partial = this.#partial;
    const { validator, bytes } = await source.open(signal);
    const length = bytes ?? partial.state.wanted.bytes ?? partial.state.bytes ?? undefined;
    const onBytes = (count: number) => {
      this.#events.onProblem(null);
      this.#events.onBytes(count);
    };
    const copy = { source, partial, bandwidth, onBytes };
    if (length === undefined) return await this.#fetchToEnd(copy, validator, signal);
    checkOffer({ source, validator, length }, partial, maxBytes);
    await checkRoom(partial, length, freeSpace);
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
    if (range.start === maxBytes) throw refused(source, `it is longer than ${maxBytes} bytes`);
    await partial.expect(source.name, validator, range.start);
  }

  async #startAgain(why: SourceError): Promise<void> {
    if (++this.#changes > 1) throw keepsChanging(this.#partial.state.wanted, why);
    await this.#partial.restart();
  }

  /**
   * Where the bytes do not make the wanted file, all of it is fetched again from one source: a web server, else peers who
   * were not found to lie.
   * @returns the file's SHA-256
   * @throws MODEL_INVALID when one web server gave it all, or peers lied too often
   */
  async #verify(sources: readonly ByteSource[], signal: AbortSignal, tries = MAX_LIES): Promise<string> {
    const { wanted } = this.#partial.state;
    const givers = Object.keys(this.#partial.state.givers);
    const found = await this.#hash(signal);
    if (found === (wanted.sha256 ?? found)) return found;
    const only = sources.find(({ name }) => givers.join() === name);
    only?.distrust?.();
    const next = sources.find(({ kind }) => kind === 'http') ?? only;
    if (!next || only?.kind === 'http' || tries === 0) throw wrongHash(wanted, found, givers);
    this.#settings.log.warn({ model: wanted.name, givers, found }, 'wrong SHA-256, fetched again from one source');
    await this.#partial.restart();
    await this.#fetch([next], signal);
    return await this.#verify([next], signal, tries - 1);
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

async function systemFreeSpace(folder: string): Promise<number> {
  const { bsize, bavail } = await statfs(folder);
  return bsize * bavail;
}
