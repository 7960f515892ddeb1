import type { Saying } from '../../../../../src-preload/contract/saying.ts';
import { sentence } from '../../../../../src-preload/contract/saying.ts';
import type { RoundHead, RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import type { Baseline } from '../rules/baselines.ts';
import { untilBlock } from '../rules/blocks.ts';
import { leagueOf } from '../rules/leagues.ts';
import { beatsBaseline } from '../rules/ranking.ts';
import { BLOCK_MS, TO_BEAT } from '../rules/terms.ts';
import type { Track, Verdict } from '../rules/verdict.ts';
import type { Recorded, RoundRecord, RoundView, SubmissionView } from '../wire.ts';

/** Longest reason that is told. */
const MOST_REASON_CHARS = 2_000;

/** A round as everybody sees it: its seed stays where it is until it has ended. */
export function roundView(row: RoundHead, submissions: RoundView['submissions']): RoundView {
  return {
    ...{ round: row.number, state: row.state, openedAt: row.opened_at, endsAt: row.closed_at ?? row.ends_at },
    ...{ openedBlock: row.opened_block, closedBlock: row.closed_block, endedAt: row.ended_at },
    ...{ seedSha256: row.seed_sha256, seed: row.state === 'ended' ? row.seed : null },
    ...{ baselines: baselinesOf(row), submissions },
  };
}

export function baselinesOf({ baselines }: Pick<RoundRow, 'baselines'>): Baseline[] | null {
  return baselines === null ? null : (JSON.parse(baselines) as Baseline[]);
}

export function recordOf({ record }: Pick<RoundRow, 'record'>): RoundRecord | null {
  return record === null ? null : (JSON.parse(record) as RoundRecord);
}

export function verdictOf({ verdict }: Pick<SubmissionRow, 'verdict'>): Verdict | null {
  return verdict === null ? null : (JSON.parse(verdict) as Verdict);
}

/** An own submission. @param block now @param lastBlock the last in which the open round can be revealed in, as far as one can say */
export function submissionView(
  row: SubmissionRow,
  { block, lastBlock }: { block: number; lastBlock: number },
): SubmissionView {
  const isLate = row.state === 'committed' && row.reveal_block > lastBlock;
  const left = row.state === 'committed' ? untilBlock(row.reveal_block, block) : { blocks: 0, ms: 0 };
  return {
    ...{ id: row.id, number: row.number, state: row.state, track: row.track as Track, round: row.round },
    ...{ countsIn: row.counts_in + (isLate ? 1 : 0), commitment: row.commitment },
    ...{ committedAt: row.committed_at, committedBlock: row.committed_block, revealBlock: row.reveal_block },
    ...{ blocksLeft: left.blocks, aboutMs: left.ms, receipt: row.receipt },
    ...{ league: row.tokens === null ? null : leagueOf(row.tokens), tokens: row.tokens, sha256: row.sha256 },
    ...{
      revealedAt: row.revealed_at,
      verdict: verdictOf(row),
      reason: reasonOf(row)?.slice(0, MOST_REASON_CHARS) ?? null,
    },
    ...{ place: row.place, share: row.share },
  };
}

function reasonOf(row: SubmissionRow): string | undefined {
  const verdict = verdictOf(row);
  if (verdict && !verdict.right) return sentence(verdict.reason as Saying);
  if (verdict?.right && !beatsBaseline(verdict))
    return `Its 95 % interval does not clear ${TO_BEAT}: it is not shown to be faster than the baseline.`;
  if (row.state === 'missed') return 'It was not revealed before its round closed.';
  if (row.state === 'copied') return 'Another hotkey had committed to the same bytes before.';
  if (row.state === 'repeated') return 'The same bytes are in this round and league already.';
  if (row.trouble !== null) return 'It could not be judged yet, for reasons that are not its own, and is tried again.';
  return undefined;
}

/** What a record says of a submission that was revealed and judged. */
export function recordedOf(row: SubmissionRow): Recorded {
  return {
    ...{ id: row.id, number: row.number, hotkey: row.hotkey, track: row.track as Track, commitment: row.commitment },
    ...{ round: row.round, committedAt: row.committed_at, committedBlock: row.committed_block },
    ...{ revealBlock: row.reveal_block, revealedAt: row.revealed_at ?? 0, revealedBlock: row.revealed_block ?? 0 },
    ...{ tokens: row.tokens ?? 0, sha256: row.sha256 ?? '', salt: row.salt ?? '' },
    ...{ state: row.state as Recorded['state'], verdict: verdictOf(row) },
  };
}

/** The last block of a round that is open, as far as one can say: blocks of a chain come when they come. */
export function lastBlockOf(
  { ends_at: endsAt }: Pick<RoundRow, 'ends_at'>,
  now: { block: number; at: number },
): number {
  return now.block + Math.max(0, Math.floor((endsAt - now.at) / BLOCK_MS));
}
