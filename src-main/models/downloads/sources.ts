import { say } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import type { ByteSource, SourceError } from './byte-source.ts';
import { refused } from './download-problems.ts';
import type { PartialFile } from './partial-file.ts';

/** The sources of one download: whom to ask next, whether what it has may be taken, whom to leave out. */

/** A source and what it has been through. */
interface Place {
  source: ByteSource;
  /** Failures since any source last gave bytes. */
  failures: number;
  /** Not asked before this moment. */
  restsUntil: number;
  /** It said that asking again is useless. */
  gone: boolean;
  /** Not even a connection to it came about, the last time. */
  unreached: boolean;
}

export interface SourceRingOptions {
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /** Failures in a row, with no bytes from anywhere in between, after which a source is not asked again. */
  attempts: number;
  /** Milliseconds of the first rest. */
  restMs: number;
}

const LONGEST_REST_MS = 60_000;

/**
 * Whom to ask next: the first source that need not rest. One that fails is asked again at once; if it fails again, it
 * rests, each time longer, and the ones after it have their turn. Peers who gave nothing rest at once.
 */
export class SourceRing {
  readonly #places: Place[];
  readonly #options: SourceRingOptions;

  /** @param sources the preferred one first */
  constructor(sources: readonly ByteSource[], options: SourceRingOptions) {
    this.#places = sources.map((source) => ({ source, failures: 0, restsUntil: 0, gone: false, unreached: false }));
    this.#options = options;
  }

  /** The source to ask, and how many milliseconds to wait before; undefined when all are given up. */
  next(): { source: ByteSource; waitMs: number } | undefined {
    const { now, attempts } = this.#options;
    const left = this.#places.filter(({ gone, failures, unreached }) => !gone && (failures < attempts || unreached));
    const rested = left.find(({ restsUntil }) => restsUntil <= now());
    const soonest = rested ?? left.toSorted((a, b) => a.restsUntil - b.restsUntil)[0];
    return soonest && { source: soonest.source, waitMs: Math.max(0, soonest.restsUntil - now()) };
  }

  /** Whether this machine seems to be offline: none of the web servers that are left was reached the last time. Peers tell nothing. */
  get offline(): boolean {
    const web = this.#places.filter(({ source, gone }) => source.kind === 'http' && !gone);
    return web.length > 0 && web.every(({ unreached }) => unreached);
  }

  /** Nobody needs to rest any longer. */
  wake(): void {
    for (const place of this.#places) place.restsUntil = 0;
  }

  /** Bytes came: what failed before has another chance. */
  progressed(): void {
    for (const place of this.#places) place.failures = 0;
  }

  /** @param gave whether bytes came from it before it failed */
  failed(source: ByteSource, { reason, retryAfterMs, fault }: SourceError, gave: boolean): void {
    const place = this.#places.find((candidate) => candidate.source === source);
    if (!place) return;
    place.failures++;
    place.gone = reason === 'gone';
    place.unreached = fault === 'offline';
    // A search among peers takes seconds: where it was in vain, the next one would be too.
    const inVain = source.kind === 'peers' && !gave;
    place.restsUntil =
      this.#options.now() + (retryAfterMs ?? this.#restMs(place.failures, reason === 'busy' || inVain));
  }

  /** Doubles from the second failure on, or from the first; half of it is up to chance. */
  #restMs(failures: number, fromFirst: boolean): number {
    const { restMs: firstMs } = this.#options;
    const longest = backOffMs(fromFirst ? failures : failures - 1, { firstMs, longestMs: LONGEST_REST_MS });
    return longest * (0.5 + this.#options.random() / 2);
  }
}

/** What a source has, by its own word. */
export interface Holding {
  source: ByteSource;
  validator: string | undefined;
  /** Of the whole file. */
  length: number;
}

/**
 * Whether what a source has may be the wanted file, and may be put together with what is here.
 * @throws SourceError `gone` when not
 */
export function checkHolding({ source, length }: Holding, partial: PartialFile, maxBytes: number): void {
  const { wanted, bytes: expected } = partial.state;
  if (length > maxBytes) throw refused(source, say('download.tooLarge', { length, maxBytes }));
  if (wanted.bytes !== undefined && length !== wanted.bytes)
    throw refused(source, say('download.otherLength', { length, wanted: wanted.bytes }));
  if (partial.received === 0 || gaveAll(source, partial)) return;
  if (length !== expected) throw refused(source, say('download.otherLength', { length, wanted: expected ?? 0 }));
  if (!wanted.sha256) throw refused(source, say('download.notTogether'));
}

/** Whether a source that gave all that is here may have another file now, so that nothing of it can be used. */
export function isReplaced({ source, validator, length }: Holding, partial: PartialFile): boolean {
  const { wanted, givers, bytes: expected } = partial.state;
  if (partial.received === 0 || !gaveAll(source, partial)) return false;
  if (length !== expected) return true;
  // Where the hash is known, it tells in the end. Else nobody would notice that the file was replaced meanwhile.
  return !wanted.sha256 && (validator === undefined || validator !== givers[source.name]);
}

function gaveAll({ name }: ByteSource, partial: PartialFile): boolean {
  return Object.keys(partial.state.givers).join() === name;
}

/** Wrong files that a source may give which then leaves out whoever gave them. */
const MAX_LIES = 3;

/**
 * Whom to ask for a whole file once bytes were wrong: one source after the other, web servers first. One that gave a whole
 * file alone, and a wrong one, is not asked again; peers are, who are many, without those who lied.
 */
export class Suspects {
  #left: ByteSource[];
  readonly #lies = new Map<ByteSource, number>();

  constructor(sources: readonly ByteSource[]) {
    const isWeb = ({ kind }: ByteSource) => kind === 'http';
    this.#left = [...sources.filter(isWeb), ...sources.filter((source) => !isWeb(source))];
  }

  /** The one to ask; undefined when nobody is left. */
  get next(): ByteSource | undefined {
    return this.#left[0];
  }

  /** A whole file was wrong. @param givers names of those whose bytes are in it */
  blame(givers: readonly string[]): void {
    const liar = this.#left.find(({ name }) => givers.join() === name);
    if (!liar) return;
    const lies = (this.#lies.get(liar) ?? 0) + 1;
    this.#lies.set(liar, lies);
    liar.distrust?.();
    if (!liar.distrust || lies === MAX_LIES) this.drop(liar);
  }

  /** It is of no use. */
  drop(source: ByteSource): void {
    this.#left = this.#left.filter((other) => other !== source);
  }
}
