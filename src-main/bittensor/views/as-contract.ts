import type { AccountView, MetagraphView, NeuronView, SubnetView } from '../../../src-preload/contract/chain.ts';
import type { Neuron } from '../chain/metagraph.ts';
import type { Account } from './accounts.ts';
import type { OwnHotkeys } from './own-keys.ts';
import type { SubnetDetails } from './subnet-details.ts';
import type { Subnet } from './subnet-list.ts';

/* What was read of the chain, as the contract says it: amounts as texts, what is not known as null. Nothing is reckoned with after this. */

export function accountView({
  address,
  free,
  reserved,
  frozen,
  spendable,
  staked,
  total,
  stakes,
}: Account): AccountView {
  return {
    address,
    ...{ free: String(free), reserved: String(reserved), frozen: String(frozen), spendable: String(spendable) },
    ...{ staked: String(staked), total: String(total) },
    stakes: stakes.map(({ hotkey, netuid, amount, worth }) => {
      return { hotkey, netuid, amount: String(amount), worth: worth?.toString() ?? null };
    }),
  };
}

export function subnetView({ price, registrationCost, ...subnet }: Subnet): SubnetView {
  return { ...subnet, price: price?.toString() ?? null, registrationCost: registrationCost?.toString() ?? null };
}

export function metagraphView(
  { subnet, block, metagraph, nextEpoch, rules }: SubnetDetails,
  own: OwnHotkeys,
): MetagraphView {
  const known = Object.entries(rules ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...subnetView(subnet),
    block,
    tempo: metagraph.tempo,
    nextEpoch: nextEpoch ?? null,
    rules: known.map(([name, value]) => ({ name, value: String(value) })),
    rows: metagraph.neurons.map((neuron) => neuronView(neuron, block, own)),
  };
}

function neuronView(neuron: Neuron, block: number, own: OwnHotkeys): NeuronView {
  const { uid, hotkey, coldkey, active, validatorPermit, incentive, dividends, consensus, registeredAt, axon } = neuron;
  const name = own.get(hotkey);
  return {
    ...{ uid, hotkey, coldkey, active, validatorPermit, incentive, dividends, consensus, registeredAt },
    axon: axon ? { ip: axon.ip, port: axon.port } : null,
    stake: String(neuron.totalStake),
    emission: String(neuron.emission),
    updatedAgo: Math.max(0, block - neuron.lastUpdate),
    ...(name && { own: name }),
  };
}
