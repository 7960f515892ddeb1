import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CHAIN_NETWORKS, type ChainNetwork } from '../../src-preload/contract/chain.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { Elsewhere, TakenOver } from '../base/setting.ts';
import { ARCHIVE, PUBLIC_ENDPOINTS } from './public-endpoints.ts';

/** Where btcli keeps its settings, below the home folder; the variable names another file. */
const CONFIG_FILE = '.bittensor/config.yml';
const CONFIG_VARIABLE = 'BTCLI_CONFIG_PATH';
/** btcli's own file has 1 KiB. */
const MOST_FILE_CHARS = 65_536;

/** Further names that the official software has for finney, by the endpoint that they mean (btcli 9, `Constants.network_map`). */
const OTHER_NAMES: Record<string, string> = {
  archive: ARCHIVE,
  'latent-lite': 'wss://lite.sub.latent.to:443',
};

/** An empty file holds null. */
const tableSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((table) => table ?? {});

/** A setting as the official software has it. */
interface Theirs {
  value: string;
  /** The variable, or the file and its key. */
  origin: string;
  /** That relative paths start from. */
  folder: string;
}

/**
 * What the official software has set: its environment variables, else btcli's `config.yml`. What Quarry cannot use is left out, with a
 * reason.
 */
export function officialSettings(world: Elsewhere): { taken: TakenOver[]; refused: QuarryError[] } {
  const refused: QuarryError[] = [];
  const file = configFile(world, refused);
  const of = (variable: string, key: string): Theirs | undefined => variableOf(world, variable) ?? file.get(key);
  const simple = [
    ['bittensor.walletFolder', of('BT_WALLET_PATH', 'wallet_path')],
    ['axon.wallet', of('BT_WALLET_NAME', 'wallet_name')],
    ['axon.hotkey', of('BT_WALLET_HOTKEY', 'wallet_hotkey')],
  ] as const;
  const taken = simple.flatMap(([path, theirs]) => (theirs ? [{ path, ...theirs }] : []));
  const endpoint = variableOf(world, 'BT_SUBTENSOR_CHAIN_ENDPOINT');
  const named = of('BT_SUBTENSOR_NETWORK', 'network');
  return { taken: [...taken, ...chainOf({ endpoint, named }, world, refused)], refused };
}

/** Network and endpoint belong together: an endpoint of another chain than the one that is set in Quarry is of no use. */
function chainOf(
  theirs: { endpoint: Theirs | undefined; named: Theirs | undefined },
  { own }: Elsewhere,
  refused: QuarryError[],
): TakenOver[] {
  const named = theirs.named && meaningOf(theirs.named);
  if (theirs.named && !named && !own.has('bittensor.network')) refused.push(unknownNetwork(theirs.named));
  const endpoint = theirs.endpoint ?? named?.endpoint;
  if (own.has('bittensor.endpoint')) return [];
  const ownNetwork = own.get('bittensor.network');
  const network = (endpoint && hostOf(endpoint.value)) ?? named?.network;
  if (ownNetwork !== undefined && network !== undefined && network !== ownNetwork) return [];
  const origin = theirs.endpoint ?? theirs.named;
  return [
    ...(network && origin ? [{ ...origin, path: 'bittensor.network', value: network }] : []),
    ...(endpoint ? [{ ...endpoint, path: 'bittensor.endpoint' }] : []),
  ];
}

/** What the official software means by a network: a name of its own, or a node's address. Undefined for what Quarry does not know. */
function meaningOf(theirs: Theirs): { network?: ChainNetwork | undefined; endpoint?: Theirs } | undefined {
  const { value } = theirs;
  const network = CHAIN_NETWORKS.find((name) => name === value);
  if (network) return { network };
  const url = Object.hasOwn(OTHER_NAMES, value) ? OTHER_NAMES[value] : value;
  return url && /^wss?:\/\//.test(url) ? { network: hostOf(url), endpoint: { ...theirs, value: url } } : undefined;
}

/** The network of a public endpoint. A host of one's own says nothing: a node on this computer may follow any chain. */
function hostOf(url: string): ChainNetwork | undefined {
  const host = URL.parse(url)?.host;
  return (['finney', 'test'] as const).find((name) =>
    PUBLIC_ENDPOINTS[name].some((known) => URL.parse(known)?.host === host),
  );
}

function variableOf({ env, cwd }: Elsewhere, variable: string): Theirs | undefined {
  const value = env[variable];
  return value ? { value, origin: variable, folder: cwd } : undefined;
}

/** What btcli's file says, by key. */
function configFile({ env, readFile }: Elsewhere, refused: QuarryError[]): Map<string, Theirs> {
  const home = env.HOME ?? env.USERPROFILE;
  const path = env[CONFIG_VARIABLE] || (home && join(home, CONFIG_FILE));
  if (!path) return new Map();
  try {
    const text = readFile(path);
    if (text === undefined) return new Map();
    return new Map(Object.entries(parse(text)).flatMap(([key, value]) => entryOf(key, value, path)));
  } catch {
    refused.push(new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.elsewhere.file', { path }) }));
    return new Map();
  }
}

/** Of an empty value and an inner table there is none. */
function entryOf(key: string, value: unknown, path: string): [string, Theirs][] {
  const text = typeof value === 'number' ? String(value) : value; // a wallet may be called 1
  return typeof text === 'string' && text
    ? [[key, { value: text, origin: `${path}, ${key}`, folder: dirname(path) }]]
    : [];
}

/** @throws for what is too large, is no YAML, or no table */
function parse(text: string): Record<string, unknown> {
  if (text.length > MOST_FILE_CHARS) throw new RangeError('This is too large.');
  const yaml: typeof import('js-yaml').default = createRequire(import.meta.url)('js-yaml'); // only here: few have such a file
  return tableSchema.parse(yaml.load(text, { schema: yaml.CORE_SCHEMA }));
}

const unknownNetwork = ({ value, origin }: Theirs) =>
  new QuarryError({
    code: 'CONFIG_INVALID',
    message: say('bittensor.elsewhere.network', { origin, network: value.slice(0, 100) }),
    hint: say('bittensor.chain.ownEndpoint', { archive: ARCHIVE }),
  });
