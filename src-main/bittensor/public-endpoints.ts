import type { ChainNetwork } from '../../src-preload/contract/chain.ts';

/** A node of finney that keeps every block's state; others forget it after an hour or so (Bittensor §4). */
export const ARCHIVE = 'wss://archive.chain.opentensor.ai:443';

/** Where each chain is reached by everybody, in the order in which they are tried (Bittensor §4). */
export const PUBLIC_ENDPOINTS: Readonly<Record<ChainNetwork, readonly string[]>> = {
  finney: ['wss://entrypoint-finney.opentensor.ai:443', 'wss://lite.sub.latent.to:443', ARCHIVE],
  test: ['wss://test.finney.opentensor.ai:443'],
  local: ['ws://127.0.0.1:9944'],
};
