import { setTimeout as sleep } from 'node:timers/promises';
import { implement, ORPCError } from '@orpc/server';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import type {
  ChainAction,
  ChainStateView,
  MetagraphView,
  SentCall,
  SubnetView,
} from '../../../../src-preload/contract/chain.ts';
import { contract } from '../../../../src-preload/contract/contract.ts';
import type { Conversation, ToolUse, Turn } from '../../../../src-preload/contract/conversations.ts';
import type { QuarryErrorData } from '../../../../src-preload/contract/errors.ts';
import type { Recording, RulesScoreView } from '../../../../src-preload/contract/focus.ts';
import type { ScorerState } from '../../../../src-preload/contract/focus-score.ts';
import type { MarketReview } from '../../../../src-preload/contract/market.ts';
import type { SettingsView } from '../../../../src-preload/contract/settings.ts';
import type { MarketShelf, TradeState } from '../../../../src-preload/contract/trade.ts';
import type { ScriptedAudits } from '../sample-audits.ts';
import type { ScriptedClips } from '../sample-clips.ts';
import type { ScriptedCompetition } from '../sample-competition.ts';
import type * as data from '../sample-data.ts';
import type { ScriptedEvaluation } from '../sample-evaluation.ts';
import type { ScriptedLearning } from '../sample-learning.ts';
import type { ScriptedOptimiser } from '../sample-optimiser.ts';
import type { SampleValidator } from '../sample-validator.ts';
import type { ScriptedWallets } from './wallet.ts';

export type ScriptedOs = ReturnType<typeof implementer>;

/** What answers one domain of the contract: every call of it. */
export type Script<Name extends keyof typeof contract> = Parameters<ScriptedOs[Name]['router']>[0];

/** What the screens are told. */
export type ScriptedData = {
  -readonly [Key in keyof typeof data]: (typeof data)[Key];
} & {
  settings: SettingsView;
  wallets: ScriptedWallets;
  chainState: ChainStateView;
  /** What was sent, the newest first. */
  calls: SentCall[];
  chainSubnets: SubnetView[];
  /** A subnet with its neurons; null where there is none. */
  metagraphOf: (netuid: number) => MetagraphView | null;
  /** What was to be looked at before it is sent, the last one last. */
  drafted: ChainAction[];
  axon: AxonState;
  validator: SampleValidator;
  learning: ScriptedLearning;
  evaluation: ScriptedEvaluation;
  optimiser: ScriptedOptimiser;
  audits: ScriptedAudits;
  trade: TradeState;
  competition: ScriptedCompetition;
  clips: ScriptedClips;
  /** What a market sells. */
  shelf: MarketShelf;
  /** For how long a call that was sent is on its way. */
  untilFinal: () => Promise<void>;
  /** What the endpoint says against calls, of which nothing comes then. */
  refusal: QuarryErrorData | undefined;
  /** Called when a call was sent, before that is told. */
  onSend: () => void;
  samplesPerSecond: number;
  /** How the browser stands with the server. */
  session: { loggedIn: boolean; hasToken: boolean; inCheckout: boolean };
  /** What fails, by the name of the call: `models.sharing`. */
  failures: Record<string, QuarryErrorData>;
  /** What every answer is, in the pieces that it comes in, when they come. */
  answer: () => Iterable<string> | AsyncIterable<string>;
  /** Milliseconds before each piece of an answer; 0: as they come. */
  pieceMs: number;
  /** Tools that every answer uses before its first word. */
  uses: ToolUse[];
  /** Those that are kept, the newest first. */
  conversations: { conversation: Conversation; turns: Turn[] }[];
  /** The model that would say what recordings are worth. */
  /** The newest first. */
  library: Recording[];
  scorer: ScorerState;
  /** What the rules say of each recording. */
  rules: RulesScoreView;
  /** What waits for a person of a market that this node serves, and what one has decided. */
  reviews: MarketReview[];
  judged: { id: string; accept: boolean; score?: number | undefined; reason: string }[];
  /** What was done about scores, the last one last: `rate`, `appeal: …`. */
  scoring: string[];
};

/** The value now, and again every `ms` milliseconds. */
export async function* every<T>(ms: () => number, value: () => T, signal: AbortSignal | undefined): AsyncGenerator<T> {
  while (!signal?.aborted) {
    yield value();
    await sleep(ms(), undefined, { signal }).catch(ignoring('whoever watched has gone'));
  }
}

/** The contract, yet to be implemented; what is to fail fails before it is answered. */
export function implementer(answers: ScriptedData) {
  return implement(contract).use(({ path, next }) => {
    const failure = answers.failures[path.join('.')];
    if (failure) throw new ORPCError('QUARRY', { status: 400, message: failure.message, data: failure });
    return next();
  });
}
