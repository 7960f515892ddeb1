import { dirname } from 'node:path';
import { say } from '../../../src-preload/contract/saying.ts';
import { SourceError, type SourceInfo } from '../../models/downloads/byte-source.ts';
import type { HttpClient } from '../../models/downloads/http-client.ts';
import { HttpSource } from '../../models/downloads/http-source.ts';
import { HEAD_BYTES, isPlayedFromTheFront, leadingBytes } from './leading-part.ts';
import { PartFile } from './part-file.ts';
import type { Fetched, FetchOptions } from './source.ts';
import { explainSourceError, explainUnwritten, gone, tooLarge } from './source-errors.ts';

export interface FileFetchOptions extends FetchOptions {
  client: Pick<HttpClient, 'get'>;
  url: URL;
  /** A file that is there is gone on with, if a note beside it says that it is of the same bytes. */
  to: string;
  /** Length of the video; null where that is not known: then all of it is fetched. */
  seconds: number | null;
  /** Within so many milliseconds at least so many bytes have to come. Default 64 KiB in 30,000. */
  least?: { bytes: number; ms: number };
  /** Milliseconds after which it lets go of a file, and somebody goes on with it later: others have their turn first. Default half an hour. */
  mostMs?: number;
}

/** Failures in a row, with next to nothing between them. */
const TRIES = 3;
const PROGRESS_BYTES = 256 << 10;
const MOST_MS = 30 * 60_000;
/** What is told of the progress at a time. */
const TOLD_BYTES = 1 << 20;

/**
 * Fetches a video, or as much of its beginning as is wanted where that can be played alone.
 * @throws QuarryError; the signal's reason: what is here by then is gone on with next time
 */
export async function fetchFile(options: FileFetchOptions): Promise<Fetched> {
  const { url, client, signal } = options;
  const source = new HttpSource(url, client);
  try {
    return { ...(await fetchOverFailures(source, options)), url: url.origin + url.pathname };
  } catch (error) {
    signal.throwIfAborted();
    throw explainSourceError(explainUnwritten(error, dirname(options.to)), url.host);
  } finally {
    await source.close();
  }
}

/** Each try asks anew what there is: a file that has become another one is begun anew, and what came of the one before is no progress. */
async function fetchOverFailures(source: HttpSource, options: FileFetchOptions): Promise<Omit<Fetched, 'url'>> {
  const until = performance.now() + (options.mostMs ?? MOST_MS);
  let furthest: number | undefined;
  for (let failures = 0; ; failures++) {
    const info = await source.open(options.signal);
    const part = await PartFile.open(options.to, partOf(options.url, info));
    furthest ??= part.have;
    let isWhole = false;
    try {
      await fill(part, source, info, { ...options, until });
      isWhole = true;
      return { bytes: part.have, changedAt: info.changedAt };
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof SourceError) || !['lost', 'changed'].includes(error.reason)) throw error;
      if (part.have - furthest >= PROGRESS_BYTES) failures = 0;
      furthest = Math.max(furthest, part.have);
      if (failures + 1 >= TRIES || performance.now() >= until) throw error;
    } finally {
      await part.close(isWhole);
    }
  }
}

/** With when it is let go of, by the clock of `performance`. */
type TimedOptions = FileFetchOptions & { until: number };

function partOf(url: URL, { bytes, validator }: SourceInfo) {
  return { url: url.href, bytes: bytes ?? null, validator };
}

async function fill(part: PartFile, source: HttpSource, { bytes }: SourceInfo, options: TimedOptions): Promise<void> {
  const { mostBytes, mostSeconds, seconds, url } = options;
  if (bytes === 0) throw gone(url.host);
  if (bytes === undefined) {
    await copy(part, source, mostBytes + 1, options, null);
    if (part.have > mostBytes) throw tooLarge(mostBytes);
    return;
  }
  const leading = leadingBytes(bytes, seconds, mostSeconds);
  if (leading > mostBytes) throw tooLarge(mostBytes);
  const head = Math.min(HEAD_BYTES, leading);
  await copy(part, source, head, options, leading);
  const wanted = leading < bytes && isPlayedFromTheFront(await part.head(head)) ? leading : bytes;
  if (wanted > mostBytes) throw tooLarge(mostBytes);
  await copy(part, source, wanted, options, wanted);
}

/** Up to `end`, or, where the length is not known, to wherever the file ends before that. */
async function copy(
  part: PartFile,
  source: HttpSource,
  end: number,
  { signal, onProgress, until, least = { bytes: 64 << 10, ms: 30_000 } }: TimedOptions,
  of: number | null,
): Promise<void> {
  let [from, since, told] = [part.have, performance.now(), part.have];
  while (part.have < end) {
    const before = part.have;
    for await (const chunk of source.read({ start: part.have, end }, signal)) {
      await part.append(chunk);
      if (part.have - told >= TOLD_BYTES) {
        told = part.have;
        onProgress?.(told, of);
      }
      const now = performance.now();
      if (now >= until) throw new SourceError('lost', say('clipSources.takesLong', { host: source.name }));
      if (now - since < least.ms) continue;
      if (part.have - from < least.bytes)
        throw new SourceError('lost', say('clipSources.tooSlow', { host: source.name }));
      [from, since] = [part.have, now];
    }
    if (of === null) break;
    if (part.have === before) throw new SourceError('lost', say('connection.broke'));
  }
  onProgress?.(part.have, of);
}
