import type { ChainReader } from '../chain/chain-reader.ts';
import { type Metagraph, readMetagraph } from '../chain/metagraph.ts';
import { readNextEpoch } from '../chain/reveal-round.ts';
import { nonsense, number } from '../chain/shapes.ts';
import { readHyperparameters } from '../chain/subnet.ts';
import type { Subnet } from './subnet-list.ts';

/** A subnet with its rules and neurons, at a block. */
export interface SubnetDetails {
  subnet: Subnet;
  block: number;
  metagraph: Metagraph;
  /** The first block of the next epoch; undefined where it cannot be told. */
  nextEpoch: number | undefined;
  rules: Awaited<ReturnType<typeof readHyperparameters>>;
}

export async function readSubnetDetails(reader: ChainReader, subnet: Subnet): Promise<SubnetDetails> {
  const [metagraph, rules, block] = await Promise.all([
    readMetagraph(reader, subnet.netuid),
    readHyperparameters(reader, subnet.netuid),
    reader.one(number, 'system', 'number'),
  ]);
  if (!metagraph || block === undefined) throw nonsense('a subnet that was there a moment ago');
  const nextEpoch = await readNextEpoch(reader, subnet.netuid, { block, tempo: metagraph.tempo });
  return { subnet, block, metagraph, nextEpoch, rules };
}
