import type { EntryKind } from '../../store/credits/entry-kinds.ts';
import type { Side } from '../../store/credits/ledger-tables.ts';
import type { VoucherBody } from '../voucher.ts';
import type { Holder } from './accounts.ts';

/**
 * What an entry of the ledger is: its key says it, and no two entries have the same, so that nothing is booked twice. The kind beside it
 * is no more than the drawer of the history that it lies in: see {@link KIND_OF}.
 */
export type EntryKey =
  | { what: 'earn' | 'pay'; receipt: string }
  /** A part of an answer that ended without a receipt; `side` is this node's. */
  | { what: 'part'; side: Side; peer: string; requestId: string }
  /** What a client has had of a request without having pledged it. */
  | { what: 'unpledged'; client: string; requestId: string }
  /** A voucher that this node has signed. */
  | { what: 'voucher'; serial: string }
  /** One of another's that it took as the worker. */
  | { what: 'taken'; by: string; serial: string }
  /** One of another's that it brought as the client. */
  | { what: 'brought'; by: string }
  /** A peer says that it owes this node less. */
  | { what: 'corrected'; peer: string }
  | { what: 'bonus'; achievement: string }
  /** Without a client in the first ledgers. */
  | { what: 'penalty'; client?: string; requestId?: string }
  /* Of before the claims: */
  | { what: 'allowance'; holder: Holder }
  | { what: 'standing'; client: string }
  | { what: 'reserve'; side: Side; requestId: string }
  | { what: 'release' };

type What = EntryKey['what'];

export const earnKey = (receipt: string) => `earn:${receipt}`;
export const payKey = (receipt: string) => `pay:${receipt}`;
/** One for each request of a peer, whose id is used up by it. */
export const partKey = (side: Side, peer: string, requestId: string) => `part:${side}:${peer}:${requestId}`;
export const unpledgedKey = (client: string, requestId: string) => `unpledged:${client}:${requestId}`;
export const voucherKey = ({ serial }: Pick<VoucherBody, 'serial'>) => `voucher:${serial}`;
export const takenKey = ({ by, serial }: Pick<VoucherBody, 'by' | 'serial'>) => `taken:${by}:${serial}`;
/** A failure that was read back from the score log, by its place there. */
export const recoveredPenaltyKey = (place: number) => `penalty:log-${place}`;
export const bonusKey = (achievement: string) => `bonus:${achievement}`;
/** Ends what was set aside by an entry, before the claims. */
export const releaseKey = (entry: number) => `release:${entry}`;

/* What may happen any number of times: the beginning of a key that a number follows, by `nextKey`. */
export const broughtKeys = (by: string) => `brought:${by}:`;
export const correctedKeys = (peer: string) => `corrected:${peer}:`;
export const penaltyKeys = (client: string, requestId: string) => `penalty:${client}:${requestId}:`;

/** How each is written; the groups are the fields of {@link EntryKey}. */
const FORMS: Record<What, RegExp> = {
  earn: /^earn:(?<receipt>[^:]+)$/,
  pay: /^pay:(?<receipt>[^:]+)$/,
  part: /^part:(?<side>worker|client):(?<peer>[^:]+):(?<requestId>[^:]+)$/,
  unpledged: /^unpledged:(?<client>[^:]+):(?<requestId>[^:]+)$/,
  voucher: /^voucher:(?<serial>[^:]+)$/,
  taken: /^taken:(?<by>[^:]+):(?<serial>[^:]+)$/,
  brought: /^brought:(?<by>[^:]+):\d+$/,
  corrected: /^corrected:(?<peer>[^:]+):\d+$/,
  bonus: /^bonus:(?<achievement>[^:]+)$/,
  penalty: /^penalty:(?:(?<client>[^:]+):(?<requestId>[^:]+):)?[^:]+$/,
  allowance: /^allowance:(?<holder>own|client:[^:]+):[^:]+$/,
  standing: /^standing:(?<client>[^:]+):[^:]+$/,
  reserve: /^reserve:(?<side>worker|client):(?<requestId>[^:]+):\d+$/,
  release: /^release:[^:]+$/,
};

/** The kind under which each is booked. */
export const KIND_OF: Record<What, EntryKind> = {
  earn: 'earn',
  pay: 'pay',
  part: 'release',
  unpledged: 'release',
  voucher: 'standing',
  taken: 'standing',
  brought: 'standing',
  corrected: 'standing',
  bonus: 'bonus',
  penalty: 'penalty',
  allowance: 'allowance',
  standing: 'standing',
  reserve: 'reserve',
  release: 'release',
};

/** What the key of an entry says; undefined for one that this version knows nothing of. */
export function parseKey(key: string): EntryKey | undefined {
  const what = key.slice(0, key.indexOf(':'));
  const fields = Object.hasOwn(FORMS, what) ? FORMS[what as What].exec(key) : null;
  return fields ? ({ what, ...fields.groups } as EntryKey) : undefined;
}
