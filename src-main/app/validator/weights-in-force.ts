import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { WeightsView } from '../../../src-preload/contract/validator.ts';
import type { Metagraph } from '../../bittensor/chain/metagraph.ts';
import type { MinerWeights } from '../../bittensor/weights/weights-plan.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { askedIn } from '../../validation/environment.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import { chosen } from './chosen.ts';
import type { KnownEnvironments } from './known-environments.ts';
import { weights } from './weigh-view.ts';

export interface WeightsInForceNeeds {
  results: ResultsDb;
  known: KnownEnvironments;
  settings: () => ValidatorSettings;
  /** The id of this node. */
  own: string;
}

const DAY_MS = 86_400_000;

/**
 * What results of the days that the settings name come to, of what is asked now: environments in their version and at their level.
 * @param isCandidate default: everybody is one. @throws BAD_REQUEST for an environment that there is not; what the database throws
 */
export async function weightsInForce(
  { results, known, settings, own }: WeightsInForceNeeds,
  isCandidate?: (miner: string) => boolean,
): Promise<WeightsView> {
  await results.open();
  const now = settings();
  const asked = chosen(await known.lookFor(now.environments), now).map(askedIn);
  const { preset, layers, burn, days } = now;
  const since = Math.max(0, Date.now() - days * DAY_MS);
  const signers = [own, ...now.trust];
  return weights(results, { since, preset, layers, burn }, { signers, asked, ...(isCandidate && { isCandidate }) });
}

/** What the best of those comes to who all have too few results is chance, and not for the chain. */
const tooFew = () => new QuarryError({ code: 'BAD_REQUEST', message: say('validation.weights.tooFew') });

/** The same for the chain: only who is registered on the subnet is compared, since nobody else can have a weight there. @throws BAD_REQUEST as long as nobody has enough results; also what the chain throws */
export async function chainWeights(
  needs: WeightsInForceNeeds & { metagraph: (netuid: number) => Promise<Pick<Metagraph, 'neurons'> | undefined> },
  netuid: number,
): Promise<MinerWeights> {
  const { neurons = [] } = (await needs.metagraph(netuid)) ?? {};
  const registered = new Set(neurons.map(({ hotkey }) => hotkey));
  const { miners } = await weightsInForce(needs, (miner) => registered.has(miner));
  const { burn } = needs.settings();
  if (burn < 1 && !miners.some(({ isEligible }) => isEligible)) throw tooFew();
  return { shares: new Map(miners.map(({ miner, weight }) => [miner, weight])), burnt: burn };
}
