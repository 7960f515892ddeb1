import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

const AS_MINER = say('node.asMiner');
/** Parts that not every node has: how to say that one is missing, and what to do about it. */
const MISSING = {
  mesh: { lack: say('node.notOnMesh'), hint: AS_MINER },
  engine: { lack: say('node.noEngine'), hint: AS_MINER },
  mining: { lack: say('node.notMiner'), hint: AS_MINER },
  sharing: {
    lack: say('node.notOnModels'),
    hint: say('node.joinModels'),
  },
} as const;

/** A part that the node may lack. @throws NOT_RUNNING saying so */
export function need<P>(part: P | undefined, name: keyof typeof MISSING): P {
  if (part !== undefined) return part;
  const { lack, hint } = MISSING[name];
  throw new QuarryError({ code: 'NOT_RUNNING', message: lack, hint });
}
