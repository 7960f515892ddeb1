import type { Logger } from 'pino';
import { dropForgiven } from '../../store/credits/gifts.ts';
import type { Writer } from '../../store/writer.ts';
import type { GiftRule } from '../standing/gifts.ts';
import type { Dues } from './dues.ts';
import { UNTIL_RESTART } from './parts.ts';
import type { WorkerBook } from './worker-book.ts';

/** Milliseconds from one look to the next. */
export const LOOK_EVERY_MS = 60_000;

/**
 * Ends, every minute, answers that nobody is going to sign for, by what was signed for while they streamed; and forgets networks whose
 * gifts time has forgiven. (At a start everything is ended.) A receipt that comes later is booked still.
 *
 * @returns how to stop it
 */
export function endUnsignedAnswers(options: {
  worker: WorkerBook;
  writer: Writer;
  dues: Dues;
  gifts: GiftRule;
  now: () => number;
  log: Logger;
}): () => void {
  const { worker, writer, dues, gifts, now, log } = options;
  const look = async () => {
    try {
      const ended = await worker.endUnsigned();
      if (ended > 0) log.info({ ended }, 'ended answers that nobody signed for');
      dues.gifts.prune(now());
      await writer.run((trx) => dropForgiven(trx, gifts.perDay, now()), UNTIL_RESTART);
    } catch (error) {
      log.error({ err: error }, 'answers that nobody signed for could not be ended');
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref(); // a node that has nothing else to do may end
  return () => clearInterval(timer);
}
