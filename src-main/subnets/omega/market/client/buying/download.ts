import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../../../../base/atomic-file.ts';
import { freeBytes } from '../../../../../base/free-bytes.ts';
import { sha256OfFile } from '../../../../../base/sha256.ts';
import { ifMissing } from '../../../../../base/swallowed.ts';
import { writeFully } from '../../../../../base/write-fully.ts';
import type { MarketClient } from '../market-client.ts';
import { nonsense, unreachable } from '../market-problems.ts';
import { type Patience, patiently } from '../patience.ts';

interface Download extends Patience {
  /** The market's id of the purchase. */
  purchase: string;
  /** What was bought. */
  sha256: string;
  bytes: number;
  /** Where it is to lie; beside it stands what has come so far, with `.part`. */
  path: string;
  /** Told how many bytes are there. */
  onBytes?: (bytes: number) => void;
  /** Does a try in its turn. Default: at once */
  inTurn?: (work: () => Promise<void>) => Promise<void>;
  /** Bytes that others still need on the drive. Default 0 */
  othersNeed?: () => number;
  /** Without a byte for so long, the market counts as gone. Default 60,000 */
  silentMs?: number;
}

/** Left free on the drive. */
const RESERVE_BYTES = 512 << 20;
const SILENT_MS = 60_000;
/** A market that begins anew with it more often gives no more of it. */
const MOST_TIMES = 3;

/** What of it has come. */
export const partOf = (path: string): string => `${path}.part`;

/**
 * Fetches a video that was bought, from the byte on that is missing here, and goes on after whatever may pass. The file has its name once all of it is there and is what was
 * bought.
 * @throws PROTOCOL where it is another file: then nothing of it stays; and where it comes from its beginning again and again; DISK_FULL; what the market says for good
 */
export async function fetchVideo(client: MarketClient, wanted: Download, signal: AbortSignal): Promise<void> {
  const { path, bytes, sha256 } = wanted;
  const part = partOf(path);
  const known = await stat(path).catch(ifMissing);
  if (known?.size === bytes && (await sha256OfFile(path, signal)) === sha256) return;
  const { inTurn = (work) => work() } = wanted;
  let lost = 0;
  const onLost = (more: number) => {
    lost += more;
    if (lost > MOST_TIMES * bytes) throw nonsense(client.host, 'content-range');
  };
  await patiently(() => inTurn(() => fetchRest(client, { ...wanted, onLost }, signal)), signal, wanted);
  if ((await sha256OfFile(part, signal)) !== sha256) {
    await rm(part, { force: true });
    throw new QuarryError({ code: 'PROTOCOL', message: say('trade.otherFile'), hint: say('trade.otherFile.hint') });
  }
  await rename(part, path);
  await syncFolder(dirname(path));
}

/** @param wanted.onLost told how many bytes that were here come once more */
async function fetchRest(
  client: MarketClient,
  wanted: Download & { onLost: (bytes: number) => void },
  signal: AbortSignal,
): Promise<void> {
  const { purchase, path, bytes } = wanted;
  const part = partOf(path);
  const there = (await stat(part).catch(ifMissing))?.size ?? 0;
  const from = there > bytes ? 0 : there;
  wanted.onBytes?.(from);
  if (from === bytes) return;
  if ((await freeBytes(dirname(path))) < bytes - from + (wanted.othersNeed?.() ?? 0) + RESERVE_BYTES)
    throw noRoom(path);
  const silence = new Silence(wanted.silentMs ?? SILENT_MS);
  const file = await open(part, from > 0 ? 'r+' : 'w', 0o600);
  try {
    const response = await client.video(purchase, from, AbortSignal.any([signal, silence.signal]));
    const begin = response.status === 206 ? beginOf(response, client.host, bytes) : 0;
    if (begin !== 0 && begin !== from) throw nonsense(client.host, 'content-range');
    wanted.onLost(from - begin);
    await copy(response, file, { begin, bytes, client, onBytes: wanted.onBytes, silence, signal });
    await file.sync();
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted && !(error instanceof QuarryError)) throw unreachable(client.host, error);
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(path) : error;
  } finally {
    silence.stop();
    await file.close();
  }
}

interface Copying {
  begin: number;
  bytes: number;
  client: MarketClient;
  onBytes: ((bytes: number) => void) | undefined;
  silence: Silence;
  signal: AbortSignal;
}

/** @throws DEADLINE where it ends too soon, PROTOCOL where more comes than was bought */
async function copy({ body }: Response, file: FileHandle, { begin, bytes, client, onBytes, silence, signal }: Copying) {
  let at = begin;
  if (begin === 0) await file.truncate(0);
  try {
    for await (const piece of body ?? []) {
      silence.heard();
      if (at + piece.length > bytes) throw nonsense(client.host, `${bytes} B`);
      await writeFully(file, piece, at);
      at += piece.length;
      onBytes?.(at);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QuarryError || (error as NodeJS.ErrnoException).syscall === 'write') throw error;
    throw unreachable(client.host, error);
  }
  if (at < bytes) throw unreachable(client.host);
}

/** Where a part of a file begins, by what the answer says. */
function beginOf({ headers }: Response, host: string, bytes: number): number {
  const [, from, all] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  if (from === undefined || Number(all) !== bytes) throw nonsense(host, 'content-range');
  return Number(from);
}

const noRoom = (path: string) =>
  new QuarryError({ code: 'DISK_FULL', message: say('trade.noRoom', { folder: dirname(path) }) });

/** Ends what hears nothing for so long. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
