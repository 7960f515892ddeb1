import { type Claim, claimOf, type StatedModel } from '../../bittensor/chain/stated-model.ts';
import type { Committed } from '../../bittensor/chain/subnet.ts';
import type { MinerHotkey } from '../../store/results/miner-hotkeys.ts';
import type { SubnetPlace } from '../../validation/scoring/weigh-results.ts';

/**
 * Who miners are on a subnet: those that results name by their hotkey, and those for which whoever runs the validator named one. Where a hotkey was named
 * for a miner, it stands for that one alone: what the hotkey’s own axon answers does not count.
 */
export class OnSubnet {
  readonly #hotkeys: ReadonlyMap<string, string>;
  readonly #miners: ReadonlyMap<string, string>;
  readonly #known = new Map<string, Claim>();
  readonly #firsts: ReadonlyMap<string, string>;

  constructor({ neurons, commitments }: Pick<Committed, 'neurons' | 'commitments'>, named: readonly MinerHotkey[]) {
    this.#hotkeys = new Map(named.map(({ miner, hotkey }) => [miner, hotkey]));
    this.#miners = new Map(named.map(({ miner, hotkey }) => [hotkey, miner]));
    for (const neuron of neurons) this.#known.set(neuron.hotkey, claimOf(neuron, commitments));
    this.#firsts = firstOfEach(this.#known);
  }

  /** Whose weight a miner’s is; undefined for those that are not on the subnet. */
  hotkeyOf(miner: string): string | undefined {
    const named = this.#hotkeys.get(miner);
    const hotkey = named ?? (this.#miners.has(miner) ? undefined : miner);
    return hotkey !== undefined && this.#known.has(hotkey) ? hotkey : undefined;
  }

  /** Undefined for those that are not on the subnet. */
  standingOf(miner: string): SubnetPlace | undefined {
    const hotkey = this.hotkeyOf(miner);
    const known = hotkey === undefined ? undefined : this.#known.get(hotkey);
    if (hotkey === undefined || !known) return undefined;
    const first = known.stated && this.#firsts.get(modelKey(known.stated));
    const isCopy = first !== undefined && first !== hotkey;
    return { since: known.since, copyOf: isCopy ? (this.#miners.get(first) ?? first) : null };
  }
}

/** In one case: where models are kept, `A/b` and `a/b` are the same one. */
const modelKey = ({ model, revision }: StatedModel) => `${model}\n${revision}`.toLowerCase();

/** Of those that name one model, who committed to it first; in one block, who has the smaller number: they come in its order. */
function firstOfEach(known: ReadonlyMap<string, Claim>): Map<string, string> {
  const firsts = new Map<string, { hotkey: string; since: number }>();
  for (const [hotkey, { stated, since }] of known) {
    if (!stated) continue;
    const first = firsts.get(modelKey(stated));
    if (!first || since < first.since) firsts.set(modelKey(stated), { hotkey, since });
  }
  return new Map([...firsts].map(([model, { hotkey }]) => [model, hotkey]));
}
