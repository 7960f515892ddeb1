import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, type SayingKey, say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { RpcRefusal } from './rpc-socket.ts';
import type { Runtime } from './runtime.ts';

type Plain = Extract<SayingKey, `bittensor.chain.refused.${string}`>;

/** What the chain's errors mean, by the name that the metadata gives them. */
const BY_NAME: Record<string, Plain> = {
  HotKeyNotRegisteredInSubNet: 'bittensor.chain.refused.notRegistered',
  HotKeyNotRegisteredInNetwork: 'bittensor.chain.refused.notRegistered',
  HotKeyAlreadyRegisteredInSubNet: 'bittensor.chain.refused.alreadyRegistered',
  NonAssociatedColdKey: 'bittensor.chain.refused.foreignHotkey',
  NotEnoughBalanceToStake: 'bittensor.chain.refused.tooPoor',
  InsufficientBalance: 'bittensor.chain.refused.tooPoor',
  BalanceWithdrawalError: 'bittensor.chain.refused.tooPoor',
  ZeroBalanceAfterWithdrawn: 'bittensor.chain.refused.keepsAlive',
  FundsUnavailable: 'bittensor.chain.refused.tooPoor',
  NoFunds: 'bittensor.chain.refused.tooPoor',
  Payment: 'bittensor.chain.refused.tooPoor',
  NotExpendable: 'bittensor.chain.refused.keepsAlive',
  Expendability: 'bittensor.chain.refused.keepsAlive',
  BelowMinimum: 'bittensor.chain.refused.belowMinimum',
  ExistentialDeposit: 'bittensor.chain.refused.belowMinimum',
  TooManyRegistrationsThisBlock: 'bittensor.chain.refused.manyRegister',
  TooManyRegistrationsThisInterval: 'bittensor.chain.refused.manyRegister',
  SubNetRegistrationDisabled: 'bittensor.chain.refused.registrationOff',
  RegistrationNotPermittedOnRootSubnet: 'bittensor.chain.refused.registrationOff',
  NoNeuronIdAvailable: 'bittensor.chain.refused.subnetFull',
  SubnetNotExists: 'bittensor.chain.refused.noSubnet',
  SubNetworkDoesNotExist: 'bittensor.chain.refused.noSubnet',
  MechanismDoesNotExist: 'bittensor.chain.refused.noSubnet',
  SubtokenDisabled: 'bittensor.chain.refused.subnetNotStarted',
  SettingWeightsTooFast: 'bittensor.chain.refused.weightsTooSoon',
  CommittingWeightsTooFast: 'bittensor.chain.refused.weightsTooSoon',
  NotEnoughStakeToSetWeights: 'bittensor.chain.refused.stakeTooLow',
  NeuronNoValidatorPermit: 'bittensor.chain.refused.noPermit',
  CommitRevealEnabled: 'bittensor.chain.refused.commitFirst',
  CommitRevealDisabled: 'bittensor.chain.refused.noCommits',
  DuplicateUids: 'bittensor.chain.refused.wrongUids',
  UidVecContainInvalidOne: 'bittensor.chain.refused.wrongUids',
  UidsLengthExceedUidsInSubNet: 'bittensor.chain.refused.wrongUids',
  WeightVecNotEqualSize: 'bittensor.chain.refused.wrongUids',
  WeightVecLengthIsLow: 'bittensor.chain.refused.fewWeights',
  MaxWeightExceeded: 'bittensor.chain.refused.weightTooLarge',
  IncorrectWeightVersionKey: 'bittensor.chain.refused.weightsVersion',
  NoWeightsCommitFound: 'bittensor.chain.refused.noCommit',
  InvalidRevealCommitHashNotMatch: 'bittensor.chain.refused.otherWeights',
  RevealTooEarly: 'bittensor.chain.refused.revealTooEarly',
  ExpiredWeightCommit: 'bittensor.chain.refused.revealTooLate',
  TooManyUnrevealedCommits: 'bittensor.chain.refused.manyCommits',
  IncorrectCommitRevealVersion: 'bittensor.chain.refused.commitVersion',
  ServingRateLimitExceeded: 'bittensor.chain.refused.servedTooSoon',
  InvalidIpAddress: 'bittensor.chain.refused.address',
  InvalidIpType: 'bittensor.chain.refused.address',
  InvalidPort: 'bittensor.chain.refused.address',
  SlippageTooHigh: 'bittensor.chain.refused.price',
  RegistrationPriceLimitExceeded: 'bittensor.chain.refused.price',
  InsufficientLiquidity: 'bittensor.chain.refused.liquidity',
  AmountTooLow: 'bittensor.chain.refused.belowMinimum',
  NotEnoughStakeToWithdraw: 'bittensor.chain.refused.lessStaked',
  StakingOperationRateLimitExceeded: 'bittensor.chain.refused.tooOften',
  StakingRateLimitExceeded: 'bittensor.chain.refused.tooOften',
  TxRateLimitExceeded: 'bittensor.chain.refused.tooOften',
  NetworkTxRateLimitExceeded: 'bittensor.chain.refused.tooOften',
  CommitmentSetRateLimitExceeded: 'bittensor.chain.refused.tooOften',
  SpaceLimitExceeded: 'bittensor.chain.refused.saidTooMuch',
  AccountNotAllowedCommit: 'bittensor.chain.refused.notRegistered',
  Stale: 'bittensor.chain.refused.overtaken',
  Future: 'bittensor.chain.refused.overtaken',
  AncientBirthBlock: 'bittensor.chain.refused.tooLate',
  BadProof: 'bittensor.chain.refused.signature',
  ExhaustsResources: 'bittensor.chain.refused.busy',
};

/** What the pool's own errors mean, which come before a block does (Bittensor §3.7). */
const BY_NUMBER: Record<number, Plain> = {
  6: 'bittensor.chain.refused.tooOften',
  10: 'bittensor.chain.refused.notRegistered',
  11: 'bittensor.chain.refused.address',
  12: 'bittensor.chain.refused.servedTooSoon',
  13: 'bittensor.chain.refused.address',
  15: 'bittensor.chain.refused.revealRound',
  16: 'bittensor.chain.refused.noCommit',
  17: 'bittensor.chain.refused.revealTooEarly',
  18: 'bittensor.chain.refused.wrongUids',
  19: 'bittensor.chain.refused.wrongUids',
  255: 'bittensor.chain.refused.general',
};

/** What may succeed if it is sent again later. */
const PASSES: ReadonlySet<Plain> = new Set<Plain>([
  'bittensor.chain.refused.manyRegister',
  'bittensor.chain.refused.weightsTooSoon',
  'bittensor.chain.refused.servedTooSoon',
  'bittensor.chain.refused.tooOften',
  'bittensor.chain.refused.revealTooEarly',
  'bittensor.chain.refused.overtaken',
  'bittensor.chain.refused.tooLate',
  'bittensor.chain.refused.busy',
  'bittensor.chain.refused.price',
]);

const MODULE = z.object({
  module: z.object({ index: z.int(), error: z.union([z.string().regex(/^0x[0-9a-f]+$/), z.int()]) }),
});
const NESTED = z.record(z.string(), z.unknown());
const MOST_NAME = 60;

/** A call that came into a block and failed there, or would: `DispatchError`, as JSON. */
export function dispatchRefusal(runtime: Runtime, error: unknown): QuarryError {
  const inModule = MODULE.safeParse(error);
  if (!inModule.success) return refusal(lastName(error));
  const { index, error: number } = inModule.data.module;
  const code = typeof number === 'number' ? number : Number.parseInt(number.slice(2, 4), 16);
  return refusal(runtime.errorName(index, code) ?? `${index}/${code}`);
}

/** A call that comes into no block: `TransactionValidityError`, as JSON. */
export function validityRefusal(error: unknown): QuarryError {
  const custom = z.object({ invalid: z.object({ custom: z.int() }) }).safeParse(error);
  return custom.success ? numbered(custom.data.invalid.custom) : refusal(lastName(error));
}

/** What a node's pool says to a call. */
export function poolRefusal(error: RpcRefusal): QuarryError {
  const words = `${error.message} ${error.data}`;
  const [, number] = /Custom error: (\d{1,3})/.exec(words) ?? [];
  if (number !== undefined) return numbered(Number(number));
  if (/payment|balance too low|fees/i.test(words)) return refusal('Payment');
  if (/outdated|stale|priority is too low/i.test(words)) return refusal('Stale');
  if (/bad signature/i.test(words)) return refusal('BadProof');
  if (/ancient birth/i.test(words)) return refusal('AncientBirthBlock');
  return refusal(words.trim());
}

function numbered(number: number): QuarryError {
  const key = BY_NUMBER[number];
  return key ? made(say(key), key) : refusal(String(number));
}

function refusal(name: string): QuarryError {
  const key = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  return key
    ? made(say(key), key)
    : made(say('bittensor.chain.refusedAs', { name: foreignLine(name).slice(0, MOST_NAME) }));
}

function made(message: Saying, key?: Plain): QuarryError {
  return new QuarryError({ code: 'CHAIN_REFUSED', message, retryable: key !== undefined && PASSES.has(key) });
}

/** The innermost name of nested variants: `{ invalid: { stale: null } }` is `Stale`. */
function lastName(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, 1).toUpperCase() + error.slice(1);
  const [[name, inner] = ['', null]] = Object.entries(NESTED.safeParse(error).data ?? {});
  const named = typeof inner === 'string' || (inner !== null && typeof inner === 'object');
  return lastName(named ? inner : name);
}
