import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';

/** How to say that a node lacks a part, and what to do about it; stands beside the part. */
export interface Lack {
  message: Saying;
  hint: Saying;
}

/** What to do where miners alone have a part. */
export const AS_MINER = say('node.asMiner');

/** A part that the node may lack. @throws NOT_RUNNING saying so */
export function need<P>(part: P | undefined, lack: Lack): P {
  if (part !== undefined) return part;
  throw new QuarryError({ code: 'NOT_RUNNING', ...lack });
}
