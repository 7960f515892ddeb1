import type { Verify } from '../../../../base/signing.ts';
import { readScore, taskHash } from '../../focus/signed-score.ts';
import type { Submit } from '../wire.ts';
import { Problem } from './problem.ts';

/**
 * What the seller’s own model says of a video, to 1 at most; null where nothing is told.
 * @throws Problem BAD_REQUEST for one that is forged, of somebody else, of another recording or for another task
 */
export function sellerScore({ title, description, scoreCard, chain }: Submit, verify: Verify): number | null {
  const { signed, node } = scoreCard;
  if (!signed) return null;
  const score = readScore(signed, verify);
  if (!score) throw refused('is not signed by whom it names.');
  if (score.signer !== node || chain.node !== node) throw refused('is of another node than the score card.');
  if (score.content !== chain.link) throw refused('is of another recording.');
  if (score.task !== taskHash({ title, description })) throw refused('is for another title or description.');
  if (score.outcome !== 'passed' || score.score === null) throw refused('is none that passed.');
  return Math.min(1, score.score);
}

const refused = (why: string) => new Problem('BAD_REQUEST', `The signed score ${why}`, { field: 'scoreCard.signed' });
