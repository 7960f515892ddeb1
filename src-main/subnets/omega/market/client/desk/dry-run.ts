import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { taoText } from '../../../../../../src-preload/contract/rao.ts';
import { type Saying, say, told } from '../../../../../../src-preload/contract/saying.ts';
import type { DryRun, MarketVideo } from '../../../../../../src-preload/contract/trade.ts';
import { errorView } from '../../../../../base/error-view.ts';
import type { MarketStats } from '../../wire.ts';
import { refused } from '../market-problems.ts';

/** What is known before a video is bought; what could not be learned is the error that says why. */
export interface BuyingFacts {
  video: MarketVideo;
  stats: MarketStats;
  host: string;
  /** ss58 of who would pay. */
  from: string | QuarryError;
  genesis: string | QuarryError;
  /** Rao. */
  balance: bigint | QuarryError;
  cap: bigint;
  spent: bigint;
  /** Unix milliseconds. */
  now: number;
}

/** What buying a video would do, and what stands in its way. Nothing is asked, locked or spent here. */
export function dryRun(facts: BuyingFacts): DryRun {
  const { video, stats, from, balance, cap, spent } = facts;
  const left = cap - spent - BigInt(video.price);
  return {
    video,
    from: from instanceof QuarryError ? null : from,
    balance: balance instanceof QuarryError ? null : String(balance),
    capLeft: left < 0n ? null : String(left),
    lockMs: stats.terms.lockMs,
    steps: stepsOf(facts)
      .map((text) => told({ text }))
      .map((step) => ({ ...step, said: step.said })),
    obstacles: [...obstaclesOf(facts)].map(errorView),
  };
}

function stepsOf({ video, stats, host }: BuyingFacts): Saying[] {
  const minutes = Math.floor(stats.terms.lockMs / 60_000);
  const amount = taoText(BigInt(video.price));
  return [
    say('trade.step.lock', { host, minutes }),
    say('trade.step.pay', { amount, host }),
    say('trade.step.final'),
    say('trade.step.verify', { host }),
    say('trade.step.fetch', { bytes: video.bytes }),
  ];
}

function* obstaclesOf({ video, stats, from, genesis, balance, cap, spent, now }: BuyingFacts): Generator<QuarryError> {
  for (const fact of [from, genesis, balance]) if (fact instanceof QuarryError) yield fact;
  if (typeof genesis === 'string' && genesis !== stats.chain) yield refused(say('trade.otherChain'));
  if (cap === 0n) yield refused(say('trade.noCap'), undefined, say('trade.noCap.hint'));
  else if (spent + BigInt(video.price) > cap) yield refused(say('trade.overCap'), undefined, say('trade.overCap.hint'));
  if (typeof balance === 'bigint' && typeof from === 'string' && balance <= BigInt(video.price)) {
    yield refused(say('trade.tooPoor', { from }));
  }
  if (stats.own.bannedUntil !== null && stats.own.bannedUntil > now) yield refused(say('trade.banned'));
  if (BigInt(stats.day.left) < BigInt(video.price)) yield refused(say('trade.spentItsDay'));
}
