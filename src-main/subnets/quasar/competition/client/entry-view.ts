import type { EntryState, OwnEntry } from '../../../../../src-preload/contract/competition.ts';
import { errorSchema } from '../../../../../src-preload/contract/error-schema.ts';
import { type Saying, say, told } from '../../../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../../../src-preload/contract/saying-schema.ts';
import { foreignLine } from '../../../../base/foreign-text.ts';
import type { EntryRow } from '../../../../store/competition-entries.ts';
import { beatsBaseline } from '../rules/ranking.ts';
import { BLOCK_MS } from '../rules/terms.ts';
import type { Verdict } from '../rules/verdict.ts';
import type { SubmissionView } from '../wire.ts';
import { keptReceipt, lastSeen, type Seen } from './believed.ts';

/** As it is now. */
export interface Moment {
  /** Unix milliseconds. */
  now: number;
  /** Whether what can be revealed is revealed by itself. */
  reveals: boolean;
}

/** An own submission as people see it. */
export function entryView(row: EntryRow, moment: Moment): OwnEntry {
  const last = lastSeen(row);
  const seen = last?.view ?? null;
  const state = stateOf(row, seen);
  const { id, url, server, wallet, hotkey, track, tokens, name, bytes, sha256, commitment, round } = row;
  const reveal = state === 'committed' && last ? revealOf(last, moment.now) : null;
  return {
    ...{ id, state, isOver: row.step === 'over', createdAt: row.created_at },
    ...{ url, server, wallet, hotkeyName: row.hotkey_name, hotkey },
    ...{ track, tokens, name, bytes, sha256, commitment, round, countsIn: seen?.countsIn ?? null },
    reveal,
    receipt: keptReceipt(row),
    measured: measuredOf(seen?.verdict ?? null),
    reason: reasonOf(state, seen),
    missing: row.step === 'over' ? [] : missingOf(state, reveal?.blocksLeft ?? 0, moment).map(sentenceOf),
    place: seen?.place ?? null,
    share: seen?.share ?? 0,
    error: row.error === null ? null : errorSchema.parse(JSON.parse(row.error)),
  };
}

export const sentenceOf = (words: Saying): Sentence => told({ text: words });

function stateOf({ step }: EntryRow, seen: SubmissionView | null): EntryState {
  if (seen) return seen.state;
  return step === 'there' ? 'committed' : step === 'over' ? 'refused' : step;
}

/** How many blocks are left by now, as far as one can say without asking. */
function revealOf({ at: seenAt, view: { revealBlock, blocksLeft } }: Seen, now: number): OwnEntry['reveal'] {
  const at = seenAt + blocksLeft * BLOCK_MS;
  return { block: revealBlock, blocksLeft: Math.max(0, Math.min(blocksLeft, Math.ceil((at - now) / BLOCK_MS))), at };
}

function measuredOf(verdict: Verdict | null): OwnEntry['measured'] {
  if (!verdict?.right) return null;
  const { ratio, tokensPerSecond, baselineTokensPerSecond } = verdict;
  return { ratio, tokensPerSecond, baselineTokensPerSecond };
}

function reasonOf(state: EntryState, seen: SubmissionView | null): Sentence | null {
  if (state === 'missed') return sentenceOf(say('competitor.reason.missed'));
  if (state === 'copied') return sentenceOf(say('competitor.reason.copied'));
  if (state === 'repeated') return sentenceOf(say('competitor.reason.repeated'));
  const verdict = seen?.verdict ?? null;
  if (verdict?.right) return sentenceOf(speedWords(verdict));
  if (verdict) return wrongWords(verdict, seen?.reason ?? null);
  return seen?.reason ? { text: foreignLine(seen.reason) } : null;
}

function speedWords(verdict: Extract<Verdict, { right: true }>): Saying {
  const { median, low, high } = verdict.ratio;
  const params = { times: median, low, high };
  return beatsBaseline(verdict) ? say('competitor.reason.faster', params) : say('competitor.reason.notFaster', params);
}

/** The sentence of the judge, where this Quarry knows it; else what the server says in words. */
function wrongWords({ fault, reason }: Extract<Verdict, { right: false }>, said: string | null): Sentence {
  const words = told({ text: reason });
  if (words.text !== reason.key) return { ...words, text: foreignLine(words.text) };
  return said === null
    ? sentenceOf(say('competitor.reason.wrong', { fault: foreignLine(fault) }))
    : { text: foreignLine(said) };
}

function missingOf(state: EntryState, blocksLeft: number, { reveals }: Moment): Saying[] {
  if (state === 'kept') return [say('competitor.missing.confirm')];
  if (state === 'sending') return [say('competitor.missing.commit')];
  if (state === 'revealed') return [say('competitor.missing.judge')];
  if (state === 'right') return [say('competitor.missing.end')];
  if (state !== 'committed') return [];
  if (!reveals) return [say('competitor.missing.byHand')];
  return [
    blocksLeft > 0 ? say('competitor.missing.reveal', { blocks: blocksLeft }) : say('competitor.missing.revealNow'),
  ];
}
