import type { ChainCall } from '../../src-main/bittensor/chain/calls.ts';
import type { Chain } from '../../src-main/bittensor/chain/chain.ts';
import type { HandedIn, Outcome } from '../../src-main/bittensor/chain/submit.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';

/** Hands a call in, which nobody keeps, and waits for what comes of it. @throws what an endpoint or its block says against it */
export async function sentCall(
  chain: Pick<Chain, 'handIn' | 'end'>,
  call: ChainCall,
  signer: Signer,
  confirmed?: string,
): Promise<Outcome> {
  const end = await chain.end(await takenCall(chain, call, signer, confirmed));
  if (end.state === 'done') return end.outcome;
  throw end.state === 'failed' ? end.error : new Error(`The call is ${end.state}.`);
}

/** Hands a call in, which nobody keeps. @throws what the endpoint says against it */
export async function takenCall(
  chain: Pick<Chain, 'handIn'>,
  call: ChainCall,
  signer: Signer,
  confirmed?: string,
): Promise<HandedIn> {
  const { call: taken, refusal } = await chain.handIn(call, signer, { confirmed, keep: async () => {} });
  if (refusal) throw refusal;
  return taken;
}
