import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { WeighRequest, WeightsView } from '../../../src-preload/contract/validator.ts';
import type { Committed } from '../../bittensor/chain/subnet.ts';
import type { MinerWeights } from '../../bittensor/weights/weights-plan.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { CountedScore } from '../../store/results/score-tally.ts';
import { askedIn } from '../../validation/environment.ts';
import type { GenuineLook, GenuineResults } from '../../validation/genuine-results.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import { chosen } from './chosen.ts';
import type { KnownEnvironments } from './known-environments.ts';
import { OnSubnet } from './on-subnet.ts';
import type { SubnetLook } from './subnet-look.ts';
import { type WeighedBy, weights } from './weigh-view.ts';

export interface WeightsInForceNeeds {
  results: ResultsDb;
  known: KnownEnvironments;
  settings: () => ValidatorSettings;
  /** The id of this node. */
  own: string;
  /** What the chain said of the subnet lately. */
  subnet: Pick<SubnetLook, 'lately'>;
}

const DAY_MS = 86_400_000;

/**
 * What results come to, of what is asked now (environments in their version and at their level) unless environments are named. The database is taken at
 * its word. @throws BAD_REQUEST for a preset or an environment that there is not; what the database throws
 */
export async function weightsOf(needs: WeightsInForceNeeds, request: WeighRequest): Promise<WeightsView> {
  await needs.results.open();
  const hotkeys = await needs.results.hotkeys.list();
  const standingOf = await needs.subnet.lately(hotkeys);
  return weighed(needs, request, { standingOf, hotkeys });
}

/** The same as the settings say, of results of the days that they name. */
export const weightsInForce = (needs: WeightsInForceNeeds) => weightsOf(needs, inForce(needs.settings()));

const inForce = ({ preset, layers, burn, days }: ValidatorSettings): WeighRequest => ({
  ...{ since: Math.max(0, Date.now() - days * DAY_MS), preset, layers, burn },
});

async function weighed(
  { results, known, settings, own }: Omit<WeightsInForceNeeds, 'subnet'>,
  request: WeighRequest,
  by: Pick<WeighedBy, 'isCandidate' | 'sift' | 'standingOf' | 'hotkeys'>,
): Promise<WeightsView> {
  const now = settings();
  const asked = request.environments ? undefined : chosen(await known.lookFor(now.environments), now).map(askedIn);
  const { soundsShare } = now;
  return weights(results, request, { ...by, signers: signersOf(own, now), asked, soundsShare });
}

/** Whose results count. */
export const signersOf = (own: string, { trust }: Pick<ValidatorSettings, 'trust'>) => [own, ...trust];

/** What the best of those comes to who all have too few results is chance, and not for the chain. */
const tooFew = () => new QuarryError({ code: 'BAD_REQUEST', message: say('validation.weights.tooFew') });

export interface ChainWeightsNeeds extends Omit<WeightsInForceNeeds, 'subnet'> {
  committed: (netuid: number) => Promise<Pick<Committed, 'neurons' | 'commitments'> | undefined>;
  genuine: GenuineResults;
  /** Told of how many results were looked at, and how many of these are not as they were signed. */
  onLooked?: (looked: Pick<GenuineLook, 'checked' | 'forged'>) => void;
}

/**
 * The same for the chain: only results that are as their signers left them count, and only who is registered on the subnet is compared, since nobody
 * else can have a weight there: by its own hotkey, or by the one that stands for it. Who was first, and who names the model of another, is what the chain
 * says now. @throws BAD_REQUEST as long as nobody has enough results; also what the chain throws
 */
export async function chainWeights(
  { committed, genuine, onLooked, ...needs }: ChainWeightsNeeds,
  netuid: number,
): Promise<MinerWeights> {
  const nobody = { neurons: [], commitments: new Map() };
  const told = (await committed(netuid)) ?? nobody;
  await needs.results.open();
  const subnet = new OnSubnet(told, await needs.results.hotkeys.list());
  const isCandidate = (miner: string) => subnet.hotkeyOf(miner) !== undefined;
  const look = genuine.look(needs.results, signersOf(needs.own, needs.settings()));
  const sift = (scores: readonly CountedScore[]) => look.sift(scores.filter(({ miner }) => isCandidate(miner)));
  const standingOf = (miner: string) => subnet.standingOf(miner);
  const { miners } = await weighed(needs, inForce(needs.settings()), { isCandidate, sift, standingOf });
  onLooked?.(look);
  const { burn } = needs.settings();
  if (burn < 1 && !miners.some(({ isEligible, weight }) => isEligible && weight > 0)) throw tooFew();
  const shares = miners.map(({ miner, weight }) => [subnet.hotkeyOf(miner) ?? miner, weight] as const);
  return { shares: new Map(shares), burnt: burn };
}
