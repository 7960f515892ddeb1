import { open } from 'node:fs/promises';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import { MAX_PIECE_BYTES, type OfferView } from '../../wire.ts';
import type { MarketClient } from '../market-client.ts';
import { isRefusal, refused } from '../market-problems.ts';
import { type Patience, patiently } from '../patience.ts';

interface Upload extends Patience {
  /** The market's id of the offer. */
  offer: string;
  path: string;
  bytes: number;
  /** What the market had of it when it was last asked. */
  had?: number;
  /** Told how many bytes the market has. */
  onSent?: (bytes: number) => void | Promise<void>;
  /** Told that the market wants again what it had taken already; where it throws, it does not get it. */
  onAgain?: () => Promise<void>;
  /** Told before bytes leave this computer, `to` not included; where it throws, they do not. */
  onLeaving?: (from: number, to: number) => Promise<void>;
  pieceBytes?: number;
}

/**
 * Sends a video to the market, from the byte on that it lacks, and goes on after whatever may pass.
 * @returns the offer, of which the market has all bytes, or wants none any more
 * @throws BAD_REQUEST where the file is no longer as long as it was; what the market says for good
 */
export async function sendVideo(
  client: MarketClient,
  { offer: id, path, bytes, had = 0, onSent, onAgain, onLeaving, pieceBytes = MAX_PIECE_BYTES, ...patience }: Upload,
  signal: AbortSignal,
): Promise<OfferView> {
  const file = await open(path);
  try {
    let offer = await patiently(() => client.offer(id, signal), signal, patience);
    let taken = had;
    while (offer.state === 'uploading' && offer.nextByte < bytes) {
      const from = offer.nextByte;
      if (from < taken) await onAgain?.();
      await onSent?.(from);
      const piece = Buffer.alloc(Math.min(pieceBytes, bytes - from));
      const { bytesRead } = await file.read(piece, 0, piece.length, from);
      if (bytesRead < piece.length) throw refused(say('trade.fileChanged', { path }));
      // What was sent may have come although no answer did: before it is sent again, the market is asked what it has.
      const send = async (failures: number): Promise<OfferView> => {
        const known = failures > 0 ? await client.offer(id, signal) : undefined;
        if (known && (known.nextByte !== from || known.state !== 'uploading')) return known;
        await onLeaving?.(from, from + piece.length);
        return client.upload(id, piece, { from, all: bytes }, signal).catch(async (error: unknown) => {
          if (!isRefusal(error, 'CONFLICT')) throw error;
          const now = await client.offer(id, signal);
          if (now.nextByte === from && now.state === 'uploading') throw error;
          return now;
        });
      };
      offer = await patiently(send, signal, patience);
      taken = from + piece.length;
    }
    await onSent?.(offer.state === 'uploading' ? offer.nextByte : bytes);
    return offer;
  } finally {
    await file.close();
  }
}
