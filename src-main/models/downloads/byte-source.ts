import type { DownloadFault } from '../../../src-preload/contract/models.ts';
import { type Said, told, type Words } from '../../../src-preload/contract/saying.ts';

/** Bytes `start` up to but not including `end` of a file. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What a source says of the file before any byte is read. */
export interface SourceInfo {
  /** Length of the whole file; absent where the source cannot tell. */
  bytes?: number;
  /** Changes when the file at the source changes (a strong ETag); absent where the source has no such mark. */
  validator?: string;
  /** When it changed last, Unix milliseconds, as the source says; absent where it does not. */
  changedAt?: number;
}

/**
 * Where the bytes of a model file can be had: a web server, or other nodes of the mesh. Whatever it gives is hostile until
 * the SHA-256 of the whole file is checked.
 */
export interface ByteSource {
  /** For people: a host name, or «peers». */
  readonly name: string;
  readonly kind: 'http' | 'peers';
  /** How many ranges may be read from it at the same time. */
  readonly parallel: number;
  /**
   * Asks what is there. Called once before the first read, and again after a failure.
   * @throws SourceError
   */
  open(signal: AbortSignal): Promise<SourceInfo>;
  /**
   * The bytes of a range, in order; it may end early, never late.
   * @throws SourceError, after as many good bytes as there were: `lost` where the source is not open
   */
  read(range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Told when all of a file came from it and was another file than the one wanted: it shall not be believed again. */
  distrust?(): void;
  /** Ends every read, and frees what it holds; it can be opened again. Idempotent. */
  close(): Promise<void>;
}

interface SourceErrorOptions {
  cause?: unknown;
  retryAfterMs?: number;
  /** Default `other`. */
  fault?: DownloadFault;
}

/** A source cannot give what was asked of it. */
export class SourceError extends Error {
  /**
   * - `lost`: the line or the peer is gone, or stands still; the same source may do better later.
   * - `busy`: it asks for patience (429, 503).
   * - `gone`: it does not have the file, or does not let us have it; asking again is useless.
   * - `changed`: it has another file now than the one whose bytes we hold.
   */
  readonly reason: 'lost' | 'busy' | 'gone' | 'changed';
  /** Milliseconds after which it wants to be asked again. */
  readonly retryAfterMs: number | undefined;
  readonly said: Said | undefined;
  /** `offline` where not even a connection came about: whether the source is any good nobody knows then. */
  readonly fault: DownloadFault;

  constructor(reason: SourceError['reason'], words: Words, options: SourceErrorOptions = {}) {
    const { message, said } = told({ message: words });
    super(message, { cause: options.cause });
    this.said = said;
    this.name = 'SourceError';
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
    this.fault = options.fault ?? 'other';
  }
}
