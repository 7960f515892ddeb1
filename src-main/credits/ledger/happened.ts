import { type Said, type Saying, type SayingKey, say, told, type Words } from '../../../src-preload/contract/saying.ts';
import { type EntryKey, parseKey } from '../books/entry-keys.ts';
import { BILL_REFUSED, RECOVERED, STOPPED, UNSIGNED } from '../books/memos.ts';
import { achievementById } from '../score/achievements.ts';

/** An entry, and whom and what its sentence names. */
export interface HappenedRow {
  key: string;
  memo: string;
  /** What it changed of what others owe this node. */
  amount: number;
  /** The nodes of its receipt or voucher. */
  worker: string | null;
  client: string | null;
  /** The kind of its voucher. */
  voucher: 'claim' | 'word' | null;
  /** What the node that its memo names owes more from then on. */
  moved: number | null;
  /** 1 where all or some of it was served on trust: a gift, in the ledger. */
  given: number;
}

/** What happened, from the view of the node whose ledger it is. An entry that this version does not know has its memo for a sentence. */
export function happened(row: HappenedRow): { happened: string; said?: Said } {
  const key = parseKey(row.key);
  if (key?.what === 'bonus') return achieved(key.achievement, row.memo);
  return told({ happened: key ? sentenceOf(key, row) : row.memo });
}

function sentenceOf(key: Exclude<EntryKey, { what: 'bonus' }>, row: HappenedRow): Saying {
  const { memo, amount, given } = row;
  const [worker, client] = [row.worker ?? '', row.client ?? ''];
  switch (key.what) {
    case 'earn': {
      const what = say(given ? 'entry.servedOnTrust' : 'entry.served', { peer: client });
      return memo === '' ? what : say('entry.uncounted', { happened: what, why: why(memo) });
    }
    case 'pay':
      return say(given && amount === 0 ? 'entry.answeredOnTrust' : 'entry.answered', { peer: worker });
    case 'part':
      return say(key.side === 'worker' ? 'entry.servedPart' : 'entry.answeredPart', { peer: key.peer, why: why(memo) });
    case 'unpledged':
      return say('entry.unpledged', { peer: key.client, why: why(memo) });
    case 'voucher':
      return say(row.voucher === 'word' ? 'entry.gaveWord' : 'entry.vouched', { client, worker });
    case 'taken':
      return say(row.voucher === 'word' ? 'entry.tookWord' : 'entry.tookVoucher', { by: key.by, client });
    case 'brought':
      return say('entry.brought', { by: key.by, worker: memo, credits: row.moved ?? 0 });
    case 'corrected':
      return say('entry.corrected', { peer: key.peer });
    case 'penalty':
      if (key.client === undefined) return say('entry.failed', { why: why(memo) });
      return say('entry.failedFor', { peer: key.client, why: why(memo) });
    case 'allowance':
      return say(memo === 'welcome' ? 'entry.welcome' : 'entry.refill');
    case 'standing':
      return say('entry.confirmed', { peer: key.client });
    case 'reserve':
      return say(key.side === 'client' ? 'entry.setAside' : 'entry.setAsideFor', { peer: memo });
    case 'release':
      return say('entry.cameBack', { why: why(memo) });
  }
}

/** An achievement's name has its English beside its rule, and its German under the key. */
function achieved(id: string, memo: string): { happened: string; said: Said } {
  const title = achievementById(id)?.title ?? memo;
  return { happened: title, said: { happened: { key: `achievement.${id}` } } };
}

/** Why something ended, or did not count, by what the books note of it. */
const NOTED: Readonly<Record<string, SayingKey>> = {
  'pair-cap': 'ended.pairCap',
  'too-old': 'ended.tooOld',
  [STOPPED]: 'ended.stopped',
  [UNSIGNED]: 'ended.unsigned',
  [RECOVERED]: 'ended.recovered',
  CANCELLED: 'ended.cancelled',
  DEADLINE: 'ended.late',
  ENGINE_CRASHED: 'ended.crashed',
  ENGINE_UNAVAILABLE: 'ended.notReady',
  INTERNAL: 'ended.internal',
  OUT_OF_MEMORY: 'ended.memory',
  OVERLOADED: 'ended.overloaded',
  QUEUE_FULL: 'ended.queueFull',
  WORKER_LOST: 'ended.lost',
  BAD_REQUEST: 'ended.notValid',
  NO_CREDIT: 'ended.notPaid',
  PROTOCOL: 'ended.protocol',
};

/** What is noted in other words stands as it is. */
function why(memo: string): Words {
  const key = Object.hasOwn(NOTED, memo) ? NOTED[memo] : undefined;
  if (key) return { key };
  if (memo.startsWith(BILL_REFUSED)) return say('ended.billRefused', { why: memo.slice(BILL_REFUSED.length) });
  return memo;
}
