import { QuarryError } from '../../../src-preload/contract/errors.ts';

const AS_MINER = 'End it and try again, or start it in another role: quarry start --role miner.';
/** Parts that not every node has: how to say that one is missing, and what to do about it. */
const MISSING = {
  mesh: { lack: 'is not on a mesh', hint: AS_MINER },
  engine: { lack: 'has no engine', hint: AS_MINER },
  mining: { lack: 'is not a miner', hint: AS_MINER },
  sharing: {
    lack: 'is not on the models network',
    hint: 'Set models.fromPeers = true, or sharing.seed = true, and start it again.',
  },
} as const;

/** A part that the node may lack. @throws NOT_RUNNING saying so */
export function need<P>(part: P | undefined, name: keyof typeof MISSING): P {
  if (part !== undefined) return part;
  const { lack, hint } = MISSING[name];
  throw new QuarryError({ code: 'NOT_RUNNING', message: `The node that runs on this data folder ${lack}.`, hint });
}
