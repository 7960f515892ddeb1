// Words of the contract's `validator` that the screens list; they need no package.

/** Challenges of each environment that one look at a model asks at most. */
export const MOST_SAMPLES = 10_000;

/** Numbers by which miners are compared, by the date from which on they were in force; the first are the usual ones. */
export const PRESET_NAMES = [
  '2025-11-01',
  '2025-08-20',
  '2025-09-03',
  '2025-09-08',
  '2025-09-09',
  'home',
  'quasar',
  'omega',
] as const;

/** What winning in several environments together is worth. */
export const LAYER_RULES = ['growing', 'powers', 'split'] as const;

/** Ways to ask a miner: at an address of its own, on the mesh, at its axon on a subnet of Bittensor. */
export const MINER_KINDS = ['endpoint', 'mesh', 'axon'] as const;

/** How the validator’s weights come to the chain. */
export const WEIGHT_WAYS = ['off', 'wallet', 'signer'] as const;

/** What came of a challenge: all of its score, less, or no answer. */
export const OUTCOMES = ['right', 'wrong', 'silent'] as const;
