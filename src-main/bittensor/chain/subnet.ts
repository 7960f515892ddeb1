import { z } from 'zod';
import type { ChainReader, Item } from './chain-reader.ts';
import { storageIndex } from './commit-reveal.ts';
import { type Metagraph, readMetagraph, readUid } from './metagraph.ts';
import { bigNumber, bytes, MAX_UIDS, number, uids } from './shapes.ts';

/** A subnet's rules, as far as this runtime has them; amounts in rao, times in blocks. */
export interface Hyperparameters {
  tempo: number | undefined;
  maxUids: number | undefined;
  immunityPeriod: number | undefined;
  minAllowedWeights: number | undefined;
  /** The largest share of all weights that one may have, of 65535. */
  maxWeightLimit: number | undefined;
  weightsVersion: bigint | undefined;
  weightsRateLimit: bigint | undefined;
  servingRateLimit: bigint | undefined;
  registrationAllowed: boolean | undefined;
  registrationCost: bigint | undefined;
  minRegistrationCost: bigint | undefined;
  maxRegistrationCost: bigint | undefined;
  commitReveal: boolean | undefined;
  revealPeriodEpochs: bigint | undefined;
  /** How weights are to be locked: 4 is what `timelockedWeights` makes. */
  commitRevealVersion: number | undefined;
  activityCutoff: number | undefined;
}

/** What a hotkey has on a subnet. */
export interface OwnNeuron {
  uid: number;
  /** The block at which this is so. */
  block: number;
  /** Undefined where the runtime does not tell. */
  validatorPermit: boolean | undefined;
  /** Block of its last weights or commit; 0 for never. */
  lastUpdate: number;
  /** Blocks until weights may be set again. 0: now. */
  weightsIn: number;
}

const subtensor = (item: string, ...args: unknown[]): Item => ['subtensorModule', item, ...args];

/** A subnet's rules; undefined when there is no such subnet. */
export async function readHyperparameters(reader: ChainReader, netuid: number): Promise<Hyperparameters | undefined> {
  if (!(await reader.one(z.boolean(), ...subtensor('networksAdded', netuid)))) return undefined;
  const small = (item: string) => reader.one(number, ...subtensor(item, netuid));
  const large = (item: string) => reader.one(bigNumber, ...subtensor(item, netuid));
  const flag = (item: string) => reader.one(z.boolean(), ...subtensor(item, netuid));
  return together({
    tempo: small('tempo'),
    maxUids: small('maxAllowedUids'),
    immunityPeriod: small('immunityPeriod'),
    minAllowedWeights: small('minAllowedWeights'),
    maxWeightLimit: small('maxWeightsLimit'),
    weightsVersion: large('weightsVersionKey'),
    weightsRateLimit: large('weightsSetRateLimit'),
    servingRateLimit: large('servingRateLimit'),
    registrationAllowed: flag('networkRegistrationAllowed'),
    registrationCost: large('burn'),
    minRegistrationCost: large('minBurn'),
    maxRegistrationCost: large('maxBurn'),
    commitReveal: flag('commitRevealWeightsEnabled'),
    revealPeriodEpochs: large('revealPeriodEpochs'),
    commitRevealVersion: reader.one(number, ...subtensor('commitRevealWeightsVersion')),
    activityCutoff: activityCutoff(reader, netuid),
  });
}

/** Waits for all of them at once. */
async function together<Asked extends Record<string, Promise<unknown>>>(
  asked: Asked,
): Promise<{ [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const answers = await Promise.all(Object.entries(asked).map(async ([name, answer]) => [name, await answer] as const));
  return Object.fromEntries(answers) as { [Name in keyof Asked]: Awaited<Asked[Name]> };
}

/** Newer runtimes say it in thousandths of the tempo (Bittensor §3.4). */
async function activityCutoff(reader: ChainReader, netuid: number): Promise<number | undefined> {
  const thousandths = await reader.one(number, ...subtensor('activityCutoffFactorMilli', netuid));
  if (thousandths === undefined) return reader.one(number, ...subtensor('activityCutoff', netuid));
  const tempo = (await reader.one(number, ...subtensor('tempo', netuid))) ?? 0;
  return Math.floor((thousandths * tempo) / 1_000);
}

/** What registering costs right now, in rao; undefined where there is no such subnet. It rises with each registration. */
export async function readRegistrationCost(reader: ChainReader, netuid: number): Promise<bigint | undefined> {
  if (!(await reader.one(z.boolean(), ...subtensor('networksAdded', netuid)))) return undefined;
  return reader.one(bigNumber, ...subtensor('burn', netuid));
}

/** A hotkey's neuron on a subnet; undefined when it has none. */
export async function readOwnNeuron(
  reader: ChainReader,
  netuid: number,
  hotkey: string,
): Promise<OwnNeuron | undefined> {
  const uid = await readUid(reader, netuid, hotkey);
  if (uid === undefined) return undefined;
  const permits = await reader.one(uids(z.boolean()), ...subtensor('validatorPermit', netuid));
  const updates = await reader.one(uids(number), ...subtensor('lastUpdate', storageIndex(netuid)));
  const rateLimit = await reader.one(bigNumber, ...subtensor('weightsSetRateLimit', netuid));
  const block = (await reader.one(number, 'system', 'number')) ?? 0;
  const lastUpdate = updates?.[uid] ?? 0;
  const since = block - lastUpdate;
  const weightsIn = lastUpdate === 0 ? 0 : Math.max(0, Number(rateLimit ?? 0n) - since);
  return { uid, block, validatorPermit: permits && (permits[uid] ?? false), lastUpdate, weightsIn };
}

/** What a neuron has said in public on a subnet. */
export interface Commitment {
  /** What it said, its parts in order; those that are not plain bytes are left out. */
  data: Uint8Array[];
  /** When: what was said first may count for more. Changing it changes this. */
  block: number;
}

const MOST_PARTS = 16;
const COMMITMENT = z.object({
  block: number,
  info: z.object({ fields: z.array(z.record(z.string(), z.unknown())).max(MOST_PARTS) }),
});
const RAW = /^(?:raw\d{1,3}|bigRaw)$/;

/** What hotkeys have said on a subnet, by hotkey; those that said nothing are left out. */
export async function readCommitments(
  reader: ChainReader,
  netuid: number,
  hotkeys: readonly string[],
): Promise<Map<string, Commitment>> {
  const asked = hotkeys.slice(0, MAX_UIDS);
  const said = await reader.many(
    COMMITMENT,
    asked.map((hotkey) => ['commitments', 'commitmentOf', netuid, hotkey] as const),
  );
  return new Map(
    said.flatMap((one, at) => {
      const hotkey = asked[at];
      return one && hotkey !== undefined ? [[hotkey, { block: one.block, data: one.info.fields.flatMap(rawOf) }]] : [];
    }),
  );
}

/** A subnet’s neurons, and what each has said in public, by hotkey: both at one block. */
export interface Committed extends Metagraph {
  /** Empty where this runtime has no commitments. */
  commitments: ReadonlyMap<string, Commitment>;
}

/** Undefined when there is no such subnet. */
export async function readCommitted(reader: ChainReader, netuid: number): Promise<Committed | undefined> {
  const metagraph = await readMetagraph(reader, netuid);
  if (!metagraph) return undefined;
  const hotkeys = metagraph.neurons.map(({ hotkey }) => hotkey);
  return { ...metagraph, commitments: await readCommitments(reader, netuid, hotkeys) };
}

function rawOf(field: Record<string, unknown>): Uint8Array[] {
  return Object.entries(field).flatMap(([kind, value]) => {
    const raw = bytes.safeParse(value);
    return RAW.test(kind) && raw.success ? [Buffer.from(raw.data.slice(2), 'hex')] : [];
  });
}
