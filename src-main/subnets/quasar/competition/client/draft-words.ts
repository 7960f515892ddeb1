import { say } from '../../../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../../../src-preload/contract/saying-schema.ts';
import type { EntryRow } from '../../../../store/competition-entries.ts';
import { leagueOf } from '../rules/leagues.ts';
import type { CurrentRound } from '../wire.ts';
import { sentenceOf } from './entry-view.ts';

/** What is published of a submission, when, and in whose name. @param host of the server */
export function publishedBy(row: EntryRow, current: CurrentRound, host: string): Sentence[] {
  const { name, bytes, hotkey, wallet, hotkey_name } = row;
  const { blocksUntilReveal: blocks, blockMs, block, lastBlockToCommit, round } = current;
  const isLate = block > lastBlockToCommit;
  const counts = String(isLate ? round + 1 : round);
  return [
    say('competitor.draft.hotkey', { hotkey: hotkey_name, wallet, address: hotkey }),
    say('competitor.draft.commitment', { host }),
    say('competitor.draft.code', {
      blocks,
      minutes: Math.max(1, Math.round((blocks * blockMs) / 60_000)),
      name,
      bytes,
    }),
    ...(row.track === 'gpu' ? [say('competitor.draft.repository')] : []),
    say('competitor.draft.public', { round: counts, hotkey }),
  ].map(sentenceOf);
}

/** What speaks against submitting it now, as far as that can be seen before. @param own other submissions of this node */
export function warningsOf(row: EntryRow, current: CurrentRound, own: readonly EntryRow[]): Sentence[] {
  const { sha256, server, hotkey, round, tokens } = row;
  const { baselines, block, lastBlockToCommit } = current;
  const same = own.filter((one) => one.sha256 === sha256 && one.server === server && one.step !== 'kept');
  const isBaseline = baselines?.some((baseline) => baseline.sha256 === sha256);
  const repeated = same.find((one) => one.hotkey === hotkey && one.round === round && isSameLeague(one.tokens, tokens));
  const others = same.find((one) => one.hotkey !== hotkey);
  return [
    ...(isBaseline ? [say('competitor.draft.baseline')] : []),
    ...(repeated ? [say('competitor.draft.repeated', { id: repeated.id.slice(0, 8) })] : []),
    ...(others ? [say('competitor.draft.copied', { hotkey: others.hotkey })] : []),
    ...(block > lastBlockToCommit ? [say('competitor.draft.late', { round: String(round) })] : []),
  ].map(sentenceOf);
}

const isSameLeague = (one: number, other: number) => leagueOf(one) === leagueOf(other);
