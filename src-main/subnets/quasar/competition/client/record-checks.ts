import { isDeepStrictEqual } from 'node:util';
import type { RecordCheck } from '../../../../../src-preload/contract/competition.ts';
import { type Saying, say, told } from '../../../../../src-preload/contract/saying.ts';
import type { EntryRow } from '../../../../store/competition-entries.ts';
import { leaderboardOf } from '../leaderboard.ts';
import { nextBaselines } from '../rules/baselines.ts';
import { artefactKey } from '../rules/copies.ts';
import { rank } from '../rules/ranking.ts';
import { recordHash } from '../rules/record.ts';
import { sharesOf } from '../rules/shares.ts';
import { type Contradiction, checkRecord } from '../verifying/verify-round.ts';
import type { Leaderboard, Recorded, RoundRecord, RoundView, SignedRecord } from '../wire.ts';
import { keptReceipt, lastSeen } from './believed.ts';

/** What is known of a round beside its record. */
export interface RecordContext {
  /** ss58 of the server that was asked. */
  server: string;
  /** As the server lists it. */
  round: RoundView;
  board: Leaderboard;
  /** Of the round before; null for the first. */
  previous: SignedRecord | null;
  /** Own submissions to this server. */
  own: readonly EntryRow[];
}

/** Why something is not so, in the words of a program; undefined where it is. */
type Fault = string | undefined;
type What = Contradiction['what'];

/** All that can be reckoned again of a round, by the same rules: each with what was found. Nothing is asked of anybody. */
export async function checksOf(signed: SignedRecord, context: RecordContext): Promise<RecordCheck[]> {
  const { record } = signed;
  const { server, previous, round, board } = context;
  const before = previous ? { previous: recordHash(previous.record) } : {};
  const found = await checkRecord(signed, { server, seedSha256: round.seedSha256, ...before });
  const of = (...what: What[]) => faultIn(found, what);
  const own = ownIn(record, context.own);
  const [count, number] = [record.submissions.length, String(record.round)];
  return [
    check(say('competitor.check.signature', { round: number, server }), of('shape', 'signature')),
    check(say('competitor.check.seed'), of('seed') ?? seedFault(record, round)),
    check(say('competitor.check.commitments', { count }), of('commitment', 'order')),
    check(say('competitor.check.blocks'), of('time') ?? lateFault(record)),
    check(say('competitor.check.copies'), of('copy', 'verdict')),
    check(say('competitor.check.ranking'), of('baseline', 'ranking')),
    check(say('competitor.check.shares'), of('shares')),
    check(say('competitor.check.board'), boardFault(record, board)),
    ...(record.round > 1
      ? [check(say('competitor.check.previous'), of('previous') ?? (await previousFault(record, context)))]
      : []),
    ...(own.length > 0 ? [check(say('competitor.check.own', { count: own.length }), ownFault(record, own))] : []),
  ];
}

/** One thing that was looked at, as people are told of it. */
function check(what: Saying, fault: Fault): RecordCheck {
  if (fault === undefined) return { isRight: true, ...told({ text: what }) };
  return { isRight: false, ...told({ text: say('competitor.check.isWrong', { check: what, detail: fault }) }) };
}

function faultIn(found: readonly Contradiction[], what: readonly What[]): Fault {
  const first = found.find((one) => what.includes(one.what));
  return first && (first.submission ? `${first.submission.slice(0, 8)}: ${first.message}` : first.message);
}

function seedFault({ seed }: RoundRecord, round: RoundView): Fault {
  return seed === round.seed ? undefined : 'The list of rounds has another seed.';
}

function lateFault({ submissions, closedBlock }: RoundRecord): Fault {
  const late = submissions.find(({ revealedBlock }) => revealedBlock > closedBlock);
  return late && `${late.id.slice(0, 8)}: It was revealed in block ${late.revealedBlock}, after ${closedBlock}.`;
}

/** What people are shown is all that the record says, and nothing else. */
function boardFault(record: RoundRecord, board: Leaderboard): Fault {
  const { state, pot, unclaimed } = board;
  if (state !== 'ended') return `It is ${state} there.`;
  const own = leaderboardOf(record);
  const length = Math.max(own.places.length, board.places.length);
  for (let at = 0; at < length; at++) {
    if (!isDeepStrictEqual(board.places[at], own.places[at])) return `Place ${at + 1}.`;
  }
  return isDeepStrictEqual(board, own) ? undefined : `Of ${pot}, ${unclaimed} were not won there.`;
}

/** The record before has to be signed, too, and what it left over is what this one began with. */
async function previousFault(record: RoundRecord, { previous, server }: RecordContext): Promise<Fault> {
  if (!previous) return 'It is not there.';
  const isSigned = faultIn(await checkRecord(previous, { server }), ['signature']) === undefined;
  if (!isSigned) return 'The record before is not signed.';
  const judged = previous.record.submissions.flatMap(({ verdict, ...one }) => (verdict ? [{ ...one, verdict }] : []));
  const ranked = rank(judged);
  const { carried } = sharesOf(ranked, previous.record.carriedIn, previous.record.unclaimed);
  if (carried !== record.carriedIn) return `${carried} were carried over.`;
  // Of a track that is new, only the server knows what it begins with.
  const first = record.baselines.filter(({ submission }) => submission === null);
  const baselines = nextBaselines(previous.record.baselines, ranked, first);
  if (!isDeepStrictEqual(baselines, record.baselines)) return 'By its winner the baseline is another one.';
  return ownerFault(record, previous.record);
}

/** Whoever owned an artefact in the round before still does. What is from earlier ones, only its record could tell. */
function ownerFault(record: RoundRecord, before: RoundRecord): Fault {
  const owners = new Map<string, string>();
  for (const one of [...before.known, ...before.submissions]) {
    if (!owners.has(artefactKey(one))) owners.set(artefactKey(one), one.hotkey);
  }
  const known = new Map(record.known.map((one) => [artefactKey(one), one.hotkey]));
  const wrong = record.submissions.find((one) => {
    const owner = owners.get(artefactKey(one));
    return owner !== undefined && known.get(artefactKey(one)) !== owner;
  });
  return wrong && `${wrong.id.slice(0, 8)}: Its bytes were another’s in the round before.`;
}

/** Own submissions of which the server has said that they were revealed in this round. */
function ownIn({ round, server }: RoundRecord, own: readonly EntryRow[]): EntryRow[] {
  return own.filter((row) => {
    const view = lastSeen(row)?.view;
    return row.server === server && view?.countsIn === round && view.revealedAt !== null;
  });
}

function ownFault({ submissions }: RoundRecord, own: readonly EntryRow[]): Fault {
  for (const row of own) {
    const one = submissions.find(({ id }) => id === row.id);
    if (!one) return `${row.id.slice(0, 8)} is missing.`;
    if (!isByReceipt(one, row)) return `${row.id.slice(0, 8)} has another place than its receipt says.`;
  }
  return undefined;
}

function isByReceipt({ number, committedBlock, committedAt }: Recorded, row: EntryRow): boolean {
  const receipt = keptReceipt(row);
  return receipt?.number === number && receipt.block === committedBlock && receipt.at === committedAt;
}
