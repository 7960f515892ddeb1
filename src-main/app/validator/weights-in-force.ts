import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { WeightsView } from '../../../src-preload/contract/validator.ts';
import type { Metagraph } from '../../bittensor/chain/metagraph.ts';
import type { MinerWeights } from '../../bittensor/weights/weights-plan.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { CountedScore } from '../../store/results/score-tally.ts';
import { askedIn } from '../../validation/environment.ts';
import type { GenuineLook, GenuineResults } from '../../validation/genuine-results.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import { chosen } from './chosen.ts';
import type { KnownEnvironments } from './known-environments.ts';
import { type WeighedBy, weights } from './weigh-view.ts';

export interface WeightsInForceNeeds {
  results: ResultsDb;
  known: KnownEnvironments;
  settings: () => ValidatorSettings;
  /** The id of this node. */
  own: string;
}

const DAY_MS = 86_400_000;

/**
 * What results of the days that the settings name come to, of what is asked now: environments in their version and at their level. The database is
 * taken at its word. @throws BAD_REQUEST for an environment that there is not; what the database throws
 */
export async function weightsInForce(needs: WeightsInForceNeeds): Promise<WeightsView> {
  return weighed(needs, {});
}

async function weighed(
  { results, known, settings, own }: WeightsInForceNeeds,
  by: Pick<WeighedBy, 'isCandidate' | 'sift'>,
): Promise<WeightsView> {
  await results.open();
  const now = settings();
  const asked = chosen(await known.lookFor(now.environments), now).map(askedIn);
  const { preset, layers, burn, days } = now;
  const since = Math.max(0, Date.now() - days * DAY_MS);
  return weights(results, { since, preset, layers, burn }, { ...by, signers: signersOf(own, now), asked });
}

/** Whose results count. */
export const signersOf = (own: string, { trust }: Pick<ValidatorSettings, 'trust'>) => [own, ...trust];

/** What the best of those comes to who all have too few results is chance, and not for the chain. */
const tooFew = () => new QuarryError({ code: 'BAD_REQUEST', message: say('validation.weights.tooFew') });

export interface ChainWeightsNeeds extends WeightsInForceNeeds {
  metagraph: (netuid: number) => Promise<Pick<Metagraph, 'neurons'> | undefined>;
  genuine: GenuineResults;
  /** Told of how many results were looked at, and how many of these are not as they were signed. */
  onLooked?: (looked: Pick<GenuineLook, 'checked' | 'forged'>) => void;
}

/**
 * The same for the chain: only results that are as their signers left them count, and only who is registered on the subnet is compared, since nobody
 * else can have a weight there. @throws BAD_REQUEST as long as nobody has enough results; also what the chain throws
 */
export async function chainWeights(
  { metagraph, genuine, onLooked, ...needs }: ChainWeightsNeeds,
  netuid: number,
): Promise<MinerWeights> {
  const { neurons = [] } = (await metagraph(netuid)) ?? {};
  const registered = new Set(neurons.map(({ hotkey }) => hotkey));
  const isCandidate = (miner: string) => registered.has(miner);
  const look = genuine.look(needs.results, signersOf(needs.own, needs.settings()));
  const sift = (scores: readonly CountedScore[]) => look.sift(scores.filter(({ miner }) => isCandidate(miner)));
  const { miners } = await weighed(needs, { isCandidate, sift });
  onLooked?.(look);
  const { burn } = needs.settings();
  if (burn < 1 && !miners.some(({ isEligible }) => isEligible)) throw tooFew();
  return { shares: new Map(miners.map(({ miner, weight }) => [miner, weight])), burnt: burn };
}
