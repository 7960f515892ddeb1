import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { bareAddress, httpAddress } from './bare-address.ts';
import { saidSchema } from './saying-schema.ts';
import { values } from './sayings/values.ts';
import { MINER_KINDS, WEIGHT_WAYS } from './validator-names.ts';

const fault = z.object({ text: z.string(), said: saidSchema });

const askedMinerSchema = z.object({
  /** As results name it. */
  miner: z.string(),
  kind: z.enum(MINER_KINDS),
  model: z.string(),
  /** Its number on its subnet; null for those that are on none. */
  uid: z.int().nullable(),
  /** Challenges that it is being asked now. */
  inFlight: z.int(),
  /** Since the run began: answers, the sum of their scores, questions that none came to, and those that never reached it. */
  answered: z.int(),
  score: z.number(),
  failed: z.int(),
  notReached: z.int(),
  /** When it answered last, Unix milliseconds. */
  heardAt: z.number().nullable(),
  /** Why no answer came last. */
  fault: fault.nullable(),
});
export type AskedMiner = z.infer<typeof askedMinerSchema>;

const weightSettingSchema = z.object({
  way: z.enum(WEIGHT_WAYS),
  netuid: z.int().nullable(),
  /** Who signs them, as the settings say: `WALLET/HOTKEY`, or the address of a signer; null where nobody does. */
  by: z.string().nullable(),
  /** The address of that hotkey, once it was asked for. */
  hotkey: z.string().nullable(),
  /** When they were set last, and are to be next, Unix milliseconds; null where that is not known. */
  setAt: z.number().nullable(),
  nextAt: z.number().nullable(),
  /** Whether they are being set. */
  isSetting: z.boolean(),
  /** Miners on the subnet with a weight, of those that were set last. */
  onSubnet: z.int(),
  /** Results that were looked at for weights last, and those of them that do not count, because they are not as they were signed. */
  checked: z.int(),
  forged: z.int(),
  fault: fault.nullable(),
});
export type WeightSetting = z.infer<typeof weightSettingSchema>;

export const MOST_SHOWN_MINERS = 1_000;

const runStateSchema = z.object({
  status: z.enum(['stopped', 'running', 'stopping']),
  /** Since when it runs, Unix milliseconds. */
  since: z.number().nullable(),
  environments: z.array(z.string()),
  inFlight: z.int(),
  /** Since it began: answers, questions that none came to, and those that never reached their miner. */
  answered: z.int(),
  failed: z.int(),
  notReached: z.int(),
  /** Challenges of an earlier life, or of another validator that ended amid them. */
  takenOver: z.int(),
  /** Miners that were asked as often as `validator.perHour` allows, for now. */
  atBound: z.int(),
  /** Whom it asks, at most a thousand; `minerCount` says how many there are. */
  miners: z.array(askedMinerSchema),
  minerCount: z.int(),
  /** What keeps it from going on, or from finding miners; it tries again by itself. */
  fault: fault.nullable(),
  weights: weightSettingSchema,
});
export type RunStateView = z.infer<typeof runStateSchema>;

/** A miner at an address of its own. Its key goes in and never comes out. */
const endpointSchema = z.object({
  name: z.string().regex(/^[\w.-]{1,64}$/, values['value.minerName']),
  /** `http://host:8000/v1` */
  url: httpAddress,
  /** What is asked for there. Default: whatever it has first. */
  model: z.string().max(256).default(''),
});

/** An address of Bittensor; main looks whether it is one. */
const hotkey = z.string().min(1).max(64);

const endpointViewSchema = endpointSchema.extend({
  hasKey: z.boolean(),
  /** Which stands for it on the chain. */
  hotkey: z.string().nullable(),
});
export type EndpointView = z.infer<typeof endpointViewSchema>;

const newEndpointSchema = endpointSchema.extend({
  url: bareAddress,
  /** Default: that of the miner of this name, where its address stays at the same server; else none. */
  apiKey: z.string().max(4_096).optional(),
  /** Which is to stand for it on the chain; null for none. Default: as it is. */
  hotkey: hotkey.nullable().optional(),
});
export type NewEndpoint = z.output<typeof newEndpointSchema>;

const startInput = z.object({
  /** Nothing more is begun that could bring an answer beyond so many. Default: no bound. */
  answers: z.int().min(1).optional(),
});
export type StartRequest = z.output<typeof startInput>;

const minerHotkeySchema = z.object({
  /** As results name it. */
  miner: z.string(),
  hotkey: z.string(),
});
export type MinerHotkeyView = z.infer<typeof minerHotkeySchema>;

const minerCheckSchema = z.object({
  /** That answered. */
  model: z.string(),
  /** Until its answer was there, milliseconds. */
  ms: z.number(),
});
export type MinerCheck = z.infer<typeof minerCheckSchema>;

export const validatorRunContract = {
  /** Begins to ask miners, and does so after each start of the node. Where it asks already, it goes on as it did. */
  start: oc.input(startInput.optional()).output(z.void()),
  /** Ends what is being asked within seconds, and begins nothing more. */
  stop: oc.output(z.void()),
  /** How it stands, now and with every change. */
  run: oc.output(eventIterator(runStateSchema)),
  /** Miners at addresses of their own. */
  miners: oc.output(z.array(endpointViewSchema)),
  /** Adds a miner at an address of its own, or changes the one of this name. */
  addMiner: oc.input(newEndpointSchema).output(z.void()),
  /** Asks one something small, now; no result is kept. @throws BAD_REQUEST where there is none of this name; what keeps it from answering */
  checkMiner: oc.input(z.object({ name: z.string().max(64) })).output(minerCheckSchema),
  /** @throws BAD_REQUEST where there is none of this name */
  removeMiner: oc.input(z.object({ name: z.string().max(64) })).output(z.void()),
  /** Which hotkeys stand for miners at addresses and on the mesh: what these answered counts for them. */
  hotkeys: oc.output(z.array(minerHotkeySchema)),
  /**
   * Says which hotkey stands for a miner, by the name of one at an address of its own or the id of a worker of the mesh; null for none.
   * @throws BAD_REQUEST with the field `name` for nobody, `hotkey` for one that is none, or stands for another miner
   */
  setHotkey: oc.input(z.object({ name: z.string().min(1).max(128), hotkey: hotkey.nullable() })).output(z.void()),
  /** Sets weights on the chain now. @throws what keeps them from being set */
  setWeights: oc.output(weightSettingSchema),
};
