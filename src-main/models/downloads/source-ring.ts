import { backOffMs } from '../../base/back-off.ts';
import type { ByteSource, SourceError } from './byte-source.ts';

/** A source and what it has been through. */
interface Place {
  source: ByteSource;
  /** Failures since any source last gave bytes. */
  failures: number;
  /** Not asked before this moment. */
  restsUntil: number;
  /** It said that asking again is useless. */
  gone: boolean;
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
    this.#places = sources.map((source) => ({ source, failures: 0, restsUntil: 0, gone: false }));
    this.#options = options;
  }

  /** The source to ask, and how many milliseconds to wait before; undefined when all are given up. */
  next(): { source: ByteSource; waitMs: number } | undefined {
    const { now, attempts } = this.#options;
    const left = this.#places.filter(({ gone, failures }) => !gone && failures < attempts);
    const rested = left.find(({ restsUntil }) => restsUntil <= now());
    const soonest = rested ?? left.toSorted((a, b) => a.restsUntil - b.restsUntil)[0];
    return soonest && { source: soonest.source, waitMs: Math.max(0, soonest.restsUntil - now()) };
  }

  /** Bytes came: what failed before has another chance. */
  progressed(): void {
    for (const place of this.#places) place.failures = 0;
  }

  /** @param gave whether bytes came from it before it failed */
  failed(source: ByteSource, { reason, retryAfterMs }: SourceError, gave: boolean): void {
    const place = this.#places.find((candidate) => candidate.source === source);
    if (!place) return;
    place.failures++;
    place.gone = reason === 'gone';
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
