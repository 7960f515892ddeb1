import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { placeSchema } from './place-schema.ts';
import { saidSchema } from './saying-schema.ts';

export const CHAIN_NETWORKS = ['finney', 'test', 'local'] as const;
export type ChainNetwork = (typeof CHAIN_NETWORKS)[number];

/** An amount in rao, the billionth part of a TAO (or of an alpha): too large for a number. */
export const raoSchema = z.string().regex(/^\d{1,20}$/);
/** A price, and what it makes of an amount: a pool with next to no alpha has prices of any size. */
const pricedSchema = z.string().regex(/^\d{1,80}$/);
const address = z.string().min(1).max(64);
const name = z.string().min(1).max(64);
const netuid = z.int().min(0).max(65_535);

/** How the connection stands. */
export const chainStateSchema = z.object({
  network: z.enum(CHAIN_NETWORKS),
  endpoint: z.string(),
  /** `idle`: nobody has asked for the chain yet. `behind`: the endpoint answers, but its newest block is old. `lost`: tried again at `retryAt`. */
  status: z.enum(['idle', 'connecting', 'connected', 'behind', 'lost', 'closed']),
  specVersion: z.number().optional(),
  block: z.number().optional(),
  finalised: z.number().optional(),
  /** Why it is lost, as a sentence. */
  reason: z.string().optional(),
  said: saidSchema,
  /** Unix milliseconds. */
  retryAt: z.number().optional(),
});
export type ChainStateView = z.infer<typeof chainStateSchema>;

export const stakeSchema = z.object({
  hotkey: z.string(),
  netuid: z.number(),
  /** Alpha; TAO on the root. */
  amount: raoSchema,
  /** What it would bring now, by the price alone, in rao of TAO; null where the subnet has no price. */
  worth: pricedSchema.nullable(),
});

/** What an account has. */
export const accountSchema = z.object({
  address: z.string(),
  free: raoSchema,
  reserved: raoSchema,
  /** Of `free`. */
  frozen: raoSchema,
  /** What can be sent. */
  spendable: raoSchema,
  /** The worth of all stakes. */
  staked: pricedSchema,
  /** Free, reserved and staked. */
  total: pricedSchema,
  stakes: z.array(stakeSchema),
});
export type AccountView = z.infer<typeof accountSchema>;

const ofHotkey = { wallet: name, hotkey: name, netuid };
/** `all`: what is there, less what the call costs and the account needs to stay. */
const amountSchema = z.union([raoSchema, z.literal('all')]);
const ofStake = {
  wallet: name,
  /** ss58: a validator's, or an own one. */
  hotkey: address,
  netuid,
  /** How much worse than now the price may be, in parts of 10,000. Default 50: half a percent. */
  tolerance: z.int().min(0).max(10_000).default(50),
};

/** What can be wanted of the chain. */
export const chainActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('transfer'), wallet: name, to: address, amount: amountSchema }),
  /** `limitPrice`: the most to pay. Default: `registrationLimit` of the price now. */
  z.strictObject({ action: z.literal('register'), ...ofHotkey, limitPrice: raoSchema.optional() }),
  /** Tells everybody where the axon is. */
  z.strictObject({
    action: z.literal('serve'),
    ...ofHotkey,
    ip: z.string().max(64),
    port: z.int().min(1).max(65_535),
  }),
  z.strictObject({ action: z.literal('stake'), ...ofStake, amount: raoSchema }),
  z.strictObject({ action: z.literal('unstake'), ...ofStake, amount: amountSchema }),
  /** Puts alpha behind another hotkey, or into another subnet: one of the two, because only the second holds to a price. */
  z.strictObject({
    action: z.literal('move'),
    ...ofStake,
    amount: amountSchema,
    toHotkey: address.optional(),
    toNetuid: netuid.optional(),
  }),
  /** Says something in public, in the place of what was said before. */
  z.strictObject({ action: z.literal('commitment'), ...ofHotkey, text: z.string().max(512) }),
  /** In any scale. As the subnet wants them: open, locked, or committed to and kept here until they are revealed. */
  z.strictObject({
    action: z.literal('weights'),
    ...ofHotkey,
    weights: z.array(z.object({ uid: z.int().min(0).max(65_535), weight: z.number().min(0) })).max(4_096),
    versionKey: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional(),
  }),
  /** Reveals weights that were committed to here. */
  z.strictObject({ action: z.literal('reveal'), ...ofHotkey }),
]);
export type ChainAction = z.input<typeof chainActionSchema>;
export type ChainActionName = ChainAction['action'];
const ACTION_NAMES = chainActionSchema.options.map(({ shape }) => shape.action.value);

/** A call that nobody has signed yet: what it does, what it costs, and what is asked before it is sent. */
export const chainDraftSchema = z.object({
  /** For `send`; good for ten minutes. */
  id: z.string(),
  action: chainActionSchema,
  /** As the chain names it. */
  call: z.object({
    pallet: z.string(),
    name: z.string(),
    args: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  signedBy: z.enum(['coldkey', 'hotkey']),
  /** Of who signs. */
  from: z.string(),
  /** How the file of who signs is kept: `plain` needs no password. */
  sealing: z.enum(['plain', 'nacl', 'fernet', 'ansible']),
  /** What leaves the account beside the fee; the most, where there is a limit. Rao. */
  moves: raoSchema,
  /** Of a registration, whose {@link moves} is a limit: what it costs right now. */
  now: raoSchema.optional(),
  /** What is sent, staked, taken out or moved: rao, or alpha; of `all`, what that is now. */
  amount: raoSchema.optional(),
  fee: raoSchema,
  /** Rao that can be sent afterwards, at the least; null where there is not enough: the chain will refuse. */
  left: raoSchema.nullable(),
  /**
   * Of stakes: what comes out and what is lost on the way, in parts of 10,000. Prices are rao for one alpha; of a move to another subnet,
   * billionths of its alpha for one of this.
   */
  swap: z.object({ out: raoSchema, slippage: z.number(), price: raoSchema, limitPrice: raoSchema }).optional(),
  /** What a commitment takes the place of; empty where that is no plain text, absent where nothing stands there. */
  replaces: z.string().optional(),
  /** What should be known before it is sent, as whole sentences. */
  warnings: z.array(z.object({ text: z.string(), said: saidSchema })),
  /** What a person has to type: a part of the address, a subnet's number. Absent where the password is enough. */
  typed: z.string().optional(),
});
export type ChainDraft = z.infer<typeof chainDraftSchema>;

export const CALL_STATES = ['waiting', 'done', 'failed', 'expired', 'unknown'] as const;

/** A call that was sent from here. */
export const sentCallSchema = z.object({
  id: z.number(),
  /** Unix milliseconds. */
  at: z.number(),
  network: z.enum(CHAIN_NETWORKS),
  action: z.enum(ACTION_NAMES),
  /** `expired`: no block took it, and none will. `unknown`: nobody could be asked long enough. */
  state: z.enum(CALL_STATES),
  /** Who signed. */
  from: z.string(),
  /** Payee, or the hotkey that it is about. */
  to: z.string().nullable(),
  netuid: z.number().nullable(),
  /** Rao that it moved, beside the fee; of `unstake`, what came in; of `move`, none. What it would be, until it is done. */
  moves: raoSchema,
  fee: raoSchema,
  /** `0x…`, by which explorers know it. */
  hash: z.string(),
  block: z.number().nullable(),
  /** Why it failed in its block; of `unknown`, why nobody tells what it did there. */
  error: errorSchema.optional(),
  /** What the endpoint said against it. As long as it is `waiting` it may come into a block all the same. */
  refusal: errorSchema.optional(),
});
export type SentCall = z.infer<typeof sentCallSchema>;

export const subnetSchema = z.object({
  netuid: z.number(),
  /** As its owner calls it; anything may stand there. */
  name: z.string(),
  neurons: z.number(),
  places: z.number(),
  /** Rao for one alpha. */
  price: pricedSchema.nullable(),
  registrationCost: raoSchema.nullable(),
  registrationOpen: z.boolean(),
  /** How many of this computer's hotkeys are registered there. */
  own: z.number(),
});
export type SubnetView = z.infer<typeof subnetSchema>;

export const neuronSchema = z.object({
  uid: z.number(),
  hotkey: z.string(),
  coldkey: z.string(),
  /** Where it says it can be reached. */
  axon: placeSchema.nullable(),
  active: z.boolean(),
  validatorPermit: z.boolean(),
  stake: raoSchema,
  /** Of 1. */
  incentive: z.number(),
  dividends: z.number(),
  consensus: z.number(),
  /** Alpha of the last epoch. */
  emission: raoSchema,
  /** Blocks since its last weights. */
  updatedAgo: z.number(),
  registeredAt: z.number(),
  /** The names of wallet and hotkey, where it is one of this computer's. */
  own: z.object({ wallet: z.string(), hotkey: z.string() }).optional(),
});
export type NeuronView = z.infer<typeof neuronSchema>;

/** A subnet at a block. */
export const metagraphSchema = subnetSchema.extend({
  block: z.number(),
  /** Blocks between two epochs. */
  tempo: z.number(),
  /** The first block of the next epoch; null where it cannot be told. */
  nextEpoch: z.number().nullable(),
  /** Its rules by the chain's names: amounts in rao, times in blocks; what this runtime does not have is left out. */
  rules: z.array(z.object({ name: z.string(), value: z.string() })),
  rows: z.array(neuronSchema),
});
export type MetagraphView = z.infer<typeof metagraphSchema>;

/** The chain of Bittensor: what it says, and what can be asked of it. Everything may throw CHAIN_UNREACHABLE and DEADLINE, which pass. */
export const chainContract = {
  state: oc.output(chainStateSchema),
  /** The state now, and with every change. Connects. */
  watch: oc.output(eventIterator(chainStateSchema)),
  accounts: oc.input(z.object({ addresses: z.array(address).min(1).max(64) })).output(z.array(accountSchema)),
  /** What an account had in all (free, reserved and staked), as far as it was looked at from here; Unix milliseconds, oldest first. */
  history: oc
    .input(z.object({ address, days: z.int().min(1).max(366) }))
    .output(z.array(z.object({ at: z.number(), total: pricedSchema }))),
  /** What was sent from here, the newest first. */
  calls: oc
    .input(z.object({ before: z.number().optional(), limit: z.int().min(1).max(200).default(50) }))
    .output(z.object({ calls: z.array(sentCallSchema), more: z.boolean() })),
  subnets: oc.output(z.array(subnetSchema)),
  /** Null where there is no such subnet. */
  subnet: oc.input(z.object({ netuid })).output(metagraphSchema.nullable()),
  /** What an action would be; nothing is signed. @throws BAD_REQUEST with the field at fault, CHAIN_REFUSED */
  draft: oc.input(chainActionSchema).output(chainDraftSchema),
  /**
   * Signs and sends a draft. It tells the call once an endpoint has it and when it is known what came of it; whoever stops listening
   * does not stop the call, and hears of the same one when sending the draft again.
   * @throws UNAUTHORIZED with the field `password`, BAD_REQUEST with `typed`, CHAIN_REFUSED: nothing is signed then
   */
  send: oc
    .input(
      z.object({ id: z.string(), password: z.string().max(1_024).nullable(), typed: z.string().max(100).optional() }),
    )
    .output(eventIterator(sentCallSchema)),
};
