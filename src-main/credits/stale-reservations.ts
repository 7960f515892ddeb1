import type { Logger } from 'pino';
import type { Writer } from '../store/writer.ts';
import { releaseStale } from './reservations.ts';
import { LATE_MS } from './score.ts';

/** Milliseconds from one look for stale reservations to the next. */
export const LOOK_EVERY_MS = 3_600_000;

/**
 * Gives back, every hour, what was set aside longer ago than a receipt may be late: nobody is going to sign for it. (At a
 * start everything is given back.) A receipt that comes later still is booked without a reservation.
 *
 * @returns how to stop it
 */
export function releaseStaleHourly(options: { writer: Writer; now: () => number; log: Logger }): () => void {
  const { writer, now, log } = options;
  const look = async () => {
    try {
      const released = await writer.run((trx) => releaseStale(trx, now() - LATE_MS, now()));
      if (released > 0) log.info({ released }, 'gave back credits for answers that nobody signed for');
    } catch (error) {
      log.error({ err: error }, 'stale reservations could not be given back');
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref(); // a node that has nothing else to do may end
  return () => clearInterval(timer);
}
