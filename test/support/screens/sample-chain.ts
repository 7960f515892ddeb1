import { encodeAddress } from '@polkadot/util-crypto';
import type { MetagraphView, NeuronView, SubnetView } from '../../../src-preload/contract/chain.ts';

const NAMES = ['root', 'Apex', 'Omega', 'Templar', 'Targon', 'Kaito', 'Infinite', 'Subvortex', 'Taoshi', 'Pretrain'];
/** The one with neurons of this computer. */
export const OWN_SUBNET = 24;
const BLOCK = 5_123_456;

/** An address of nobody, always the same for the same number. */
export const sampleAddress = (number: number) =>
  encodeAddress(
    Uint8Array.from({ length: 32 }, (_, at) => (number * 37 + at * 11 + (number >> 8)) & 0xff),
    42,
  );

const rao = (tao: number) => String(Math.round(tao * 1e6) * 1_000);

/** As many subnets as there are on the main chain; one of them has neurons of this computer. */
export const chainSubnets: SubnetView[] = Array.from({ length: 128 }, (_, netuid) => ({
  netuid,
  name: netuid === OWN_SUBNET ? 'Omega' : (NAMES[netuid] ?? (netuid % 7 === 0 ? '' : `Subnet of owner ${netuid}`)),
  neurons: netuid === 0 ? 64 : netuid % 5 === 0 ? 187 : 256,
  places: netuid === 0 ? 64 : 256,
  price: rao(netuid === 0 ? 1 : 0.002 + ((netuid * 7) % 31) / 500),
  registrationCost: netuid === 0 ? null : rao(0.0005 + ((netuid * 13) % 17) / 20),
  registrationOpen: netuid !== 0 && netuid % 11 !== 0,
  own: netuid === OWN_SUBNET ? 2 : 0,
}));

/** Hotkeys of this computer, as `script/wallet.ts` has them. */
const OWN: Record<number, { hotkey: string; own: NonNullable<NeuronView['own']> }> = {
  17: { hotkey: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty', own: { wallet: 'main', hotkey: 'default' } },
  201: { hotkey: '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy', own: { wallet: 'main', hotkey: 'validator' } },
};

function sampleNeuron(uid: number, all: number, withOwn: boolean): NeuronView {
  const isValidator = uid % 16 === 3;
  const own = withOwn ? OWN[uid] : undefined;
  const share = isValidator
    ? 0
    : Math.round(65_535 * ((uid * 29) % 97 === 5 ? 0.04 : ((uid * 29) % 97) / 97 / all)) / 65_535;
  return {
    uid,
    hotkey: sampleAddress(uid + 1),
    coldkey: sampleAddress(uid + 5_000),
    axon: isValidator || uid % 9 === 8 ? null : { ip: `203.0.113.${uid % 254}`, port: 8_091 },
    active: uid % 13 !== 12,
    validatorPermit: isValidator,
    stake: rao(isValidator ? 12_000 + uid * 310.55 : (uid * 17) % 40),
    incentive: share,
    dividends: isValidator ? Math.round(65_535 * (16 / all)) / 65_535 : 0,
    consensus: share * 1.2,
    emission: rao(share * 148),
    updatedAgo: isValidator ? (uid * 3) % 360 : 900 + uid,
    registeredAt: BLOCK - 70_000 - uid * 31,
    ...own,
  };
}

/** The rules as this runtime has them. */
const RULES: Record<string, string> = {
  tempo: '360',
  maxUids: '256',
  immunityPeriod: '7200',
  minAllowedWeights: '8',
  maxWeightLimit: '65535',
  weightsVersion: '2013',
  weightsRateLimit: '100',
  servingRateLimit: '50',
  registrationAllowed: 'true',
  registrationCost: '123456789',
  minRegistrationCost: '500000',
  maxRegistrationCost: '100000000000',
  commitReveal: 'true',
  revealPeriodEpochs: '1',
  commitRevealVersion: '4',
  activityCutoff: '5000',
};

/** @param neurons how many there are; 4,096 at most on the chain */
export function sampleMetagraph(subnet: SubnetView, neurons = subnet.neurons): MetagraphView {
  return {
    ...subnet,
    neurons,
    block: BLOCK,
    tempo: 360,
    nextEpoch: BLOCK + 214,
    rules: Object.entries(RULES).map(([name, value]) => ({ name, value })),
    rows: Array.from({ length: neurons }, (_, uid) => sampleNeuron(uid, neurons, subnet.own > 0)),
  };
}
