import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { Neuron } from './metagraph.ts';
import type { Commitment, Committed } from './subnet.ts';

/** What a miner says that it runs. Nobody has looked whether it is so. */
export interface StatedModel {
  /** As `OWNER/NAME`. */
  model: string;
  revision: string;
}

/** Three parts of 512 bytes are the most that the chain takes. */
const MOST_BYTES = 2_048;
/** Names and revisions as hubs have them: nothing that looks like another one, or steers what it is shown on. */
const NAME = /^[\w.:/@+-]+$/;
const STATED = z.object({
  model: z.string().max(256).regex(NAME),
  revision: z.string().max(128).regex(NAME),
});

/** The model that a commitment names, where it is JSON with `model` and `revision`, as Affine’s miners write it; else undefined. */
export function statedModel({ data }: Pick<Commitment, 'data'>): StatedModel | undefined {
  const said = Buffer.concat(data);
  if (said.length > MOST_BYTES || !isUtf8(said)) return undefined;
  try {
    return STATED.safeParse(JSON.parse(said.toString())).data;
  } catch {
    return undefined; // it says something else
  }
}

/** What the chain says of a neuron’s place in time, and of its model. */
export interface Claim {
  /** The block of what it committed to last, or else of its registration: whoever came earlier wins where two are as good. */
  since: number;
  /** What it says that it runs. */
  stated: StatedModel | undefined;
}

export function claimOf(
  { hotkey, registeredAt }: Pick<Neuron, 'hotkey' | 'registeredAt'>,
  commitments: Committed['commitments'],
): Claim {
  const commitment = commitments.get(hotkey);
  return { since: commitment?.block ?? registeredAt, stated: commitment && statedModel(commitment) };
}
