import type { ErrorCode } from '../../src-preload/contract/errors.ts';
import type { Side } from '../store/credits/ledger-tables.ts';
import { costOf, PROMPT_COST } from './price.ts';

/** What a request comes to that its worker ends with an error. */
type Verdict =
  /** It went as far as it went: what was signed for is paid, and what was sent is used up. */
  | 'broken off'
  /** The worker does not want it: nothing is paid; what was sent is used up. */
  | 'refused'
  /** The worker has no room after all: as if it had never taken it. */
  | 'taken back'
  /** The same, and the worker's own fault. */
  | 'failed'
  /** No code of the wire: trouble of whoever has it, and the other side pays nothing for that. */
  | 'own trouble';

/** Of every code, so that a new one has to be judged before it compiles. What the wire carries: `REFUSAL_CODES` of the mesh. */
const VERDICTS: Record<ErrorCode, Verdict> = {
  CANCELLED: 'broken off',
  DEADLINE: 'broken off',
  NO_CREDIT: 'broken off',
  BAD_REQUEST: 'refused',
  CONTEXT_TOO_LONG: 'refused',
  MODEL_NOT_FOUND: 'refused',
  NOT_RUNNING: 'taken back',
  OVERLOADED: 'taken back',
  QUEUE_FULL: 'taken back',
  RATE_LIMIT: 'taken back',
  ENGINE_CRASHED: 'failed',
  ENGINE_UNAVAILABLE: 'failed',
  INTERNAL: 'failed',
  OUT_OF_MEMORY: 'failed',
  ADAPTER_INVALID: 'own trouble',
  ADAPTER_NOT_FOUND: 'own trouble',
  ANSWER_INCOMPLETE: 'own trouble',
  ANSWER_NOT_FOUND: 'own trouble',
  BANNED: 'own trouble',
  CHAIN_REFUSED: 'own trouble',
  CHAIN_UNREACHABLE: 'own trouble',
  CONFIG_INVALID: 'own trouble',
  DATABASE_CORRUPT: 'own trouble',
  DATABASE_NEWER: 'own trouble',
  DATABASE_UNREACHABLE: 'own trouble',
  DATA_DIR_IN_USE: 'own trouble',
  DISK_FULL: 'own trouble',
  DOWNLOAD_FAILED: 'own trouble',
  LEARNING_BUSY: 'own trouble',
  MODELS_IN_USE: 'own trouble',
  MODEL_INVALID: 'own trouble',
  NO_WORKER: 'own trouble',
  PORT_IN_USE: 'own trouble',
  PROTOCOL: 'own trouble',
  UNAUTHORIZED: 'own trouble',
  UNSUPPORTED: 'own trouble',
  WORKER_LOST: 'own trouble',
};

/** How a request ended without a receipt, as one of its two sides knows it. */
export interface Ending {
  /** Who ended it. A client that only asked its worker to end it is told so by the worker's code. */
  by: Side;
  /** `DIED`: the process did that knew it, and what is known is what it had written down. */
  code: ErrorCode | 'DIED';
  /**
   * Tokens of the answer that the worker has sent; undefined when nobody was put to any trouble for it. A client knows the text that came:
   * to it anything above 0 says that there was some.
   */
  sent?: number | undefined;
}

/** What a request costs that ended without a receipt. */
export interface Owed {
  /** Credits that its client owes its worker for it. */
  paid: number;
  /** At the worker: credits of what it owes the client, or of the gifts to its prefix, that are used up; what is paid is among them. */
  used: number;
  /** At the worker: it failed, and that costs it a point. */
  fault: boolean;
}

/**
 * What a request owes that ends without a receipt. Either side asks this, of what it knows: so they agree, but for what was on its way
 * between them. What was pledged is paid, but for the first credit where nothing came. More than that is pledged only for what has come: so
 * a process that died knows of a greater pledge that it is owed. Of one credit it does not know whether anything was sent: it is not owed,
 * but used up, since the first piece may have been.
 *
 * @param pledged credits that the client has signed for
 */
export function owedAtEnd({ by, code, sent }: Ending, pledged: number): Owed {
  const verdict = code === 'DIED' ? 'broken off' : verdictOf(by, code);
  if (verdict === 'failed' || verdict === 'taken back') return { paid: 0, used: 0, fault: verdict === 'failed' };
  const came = (sent ?? 0) > 0 || pledged > PROMPT_COST;
  const paid = came && verdict !== 'refused' ? pledged : 0;
  const cost = sent === undefined ? 0 : costOf({ completionTokens: sent });
  return { paid, used: Math.max(paid, code === 'DIED' ? pledged : cost), fault: false };
}

/** What a client ends is broken off, whatever for; of a worker's own trouble its client hears as of a failure. */
function verdictOf(by: Side, code: ErrorCode): Verdict {
  if (by === 'client') return 'broken off';
  return VERDICTS[code] === 'own trouble' ? 'failed' : VERDICTS[code];
}
