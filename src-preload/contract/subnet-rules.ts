interface RuleKind {
  /** As the chain names it (Bittensor §3.4). */
  chain: string;
  /** What its number counts; a `plain` one is shown as it is. `share`: of {@link SHARE_MAX}. */
  kind: 'blocks' | 'epochs' | 'neurons' | 'share' | 'rao' | 'flag' | 'plain';
}

/** The chain writes shares as parts of it. */
export const SHARE_MAX = 65_535;

/** The rules of a subnet that are known, by their names in the contract. */
export const RULE_KINDS = {
  tempo: { chain: 'Tempo', kind: 'blocks' },
  maxUids: { chain: 'MaxAllowedUids', kind: 'neurons' },
  immunityPeriod: { chain: 'ImmunityPeriod', kind: 'blocks' },
  minAllowedWeights: { chain: 'MinAllowedWeights', kind: 'neurons' },
  maxWeightLimit: { chain: 'MaxWeightsLimit', kind: 'share' },
  weightsVersion: { chain: 'WeightsVersionKey', kind: 'plain' },
  weightsRateLimit: { chain: 'WeightsSetRateLimit', kind: 'blocks' },
  servingRateLimit: { chain: 'ServingRateLimit', kind: 'blocks' },
  registrationAllowed: { chain: 'NetworkRegistrationAllowed', kind: 'flag' },
  registrationCost: { chain: 'Burn', kind: 'rao' },
  minRegistrationCost: { chain: 'MinBurn', kind: 'rao' },
  maxRegistrationCost: { chain: 'MaxBurn', kind: 'rao' },
  commitReveal: { chain: 'CommitRevealWeightsEnabled', kind: 'flag' },
  revealPeriodEpochs: { chain: 'RevealPeriodEpochs', kind: 'epochs' },
  commitRevealVersion: { chain: 'CommitRevealWeightsVersion', kind: 'plain' },
  activityCutoff: { chain: 'ActivityCutoff', kind: 'blocks' },
} as const satisfies Record<string, RuleKind>;

export function isKnownRule(name: string): name is keyof typeof RULE_KINDS {
  return Object.hasOwn(RULE_KINDS, name);
}
