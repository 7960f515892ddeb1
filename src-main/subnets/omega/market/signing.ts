import { taggedBytes } from '../../../base/signing.ts';
import type { Submit } from './wire.ts';

/** The first line of what is signed of every request to a market. */
export const MARKET_TAG = 'quarry-market-1';

/** What is signed of a score card, and what it is good for: this file, and the end of this chain. */
export interface ScoreCardClaim extends Pick<Submit, 'sha256'> {
  scoreCard: Pick<Submit['scoreCard'], 'version' | 'score' | 'at' | 'task'>;
  chain: Pick<Submit['chain'], 'link'>;
}

/** The bytes that a seller’s node signs (ed25519) of a score card. */
export function scoreCardBytes({ sha256, scoreCard: { version, score, at, task }, chain }: ScoreCardClaim): Buffer {
  return taggedBytes('quarry-market-score-2', { sha256, link: chain.link, version, score, at, task: task ?? null });
}
