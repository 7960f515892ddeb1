import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { nodeIdSchema } from '../../../src-preload/contract/keys.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type {
  EndpointView,
  MinerCheck,
  MinerHotkeyView,
  NewEndpoint,
} from '../../../src-preload/contract/validator-run.ts';
import type { Endpoint } from '../../store/results/endpoints.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { type CheckOptions, checkEndpoint } from './miners/check-endpoint.ts';
import { endpointId } from './miners/endpoint-miners.ts';

/** Miners as whoever runs the validator sets them: those at addresses of their own, and which hotkeys stand for whom. */
export class MinerDesk {
  readonly #opened: () => Promise<Pick<ResultsDb, 'endpoints' | 'hotkeys'>>;

  constructor(opened: () => Promise<Pick<ResultsDb, 'endpoints' | 'hotkeys'>>) {
    this.#opened = opened;
  }

  /** Their keys stay here. */
  async list(): Promise<EndpointView[]> {
    const { endpoints, hotkeys } = await this.#opened();
    const named = new Map((await hotkeys.list()).map(({ miner, hotkey }) => [miner, hotkey]));
    return (await endpoints.list()).map(({ apiKey, url, ...of }) => ({
      ...{ ...of, url: shownAddress(url), hasKey: apiKey !== '', hotkey: named.get(endpointId(of.name)) ?? null },
    }));
  }

  /** Adds one, or changes the one of this name. @throws BAD_REQUEST with the field `hotkey` for one that is none, or stands for another miner */
  async add({ hotkey, ...endpoint }: NewEndpoint): Promise<void> {
    const { endpoints, hotkeys } = await this.#opened();
    const miner = endpointId(endpoint.name);
    if (hotkey) {
      await checkAddress(hotkey);
      await hotkeys.refuseTaken({ miner, hotkey }); // before anything is changed
    }
    await endpoints.put(withKey(endpoint, await endpoints.list()));
    if (hotkey) await hotkeys.put({ miner, hotkey });
    if (hotkey === null) await hotkeys.remove(miner);
  }

  /** Its hotkey goes first: none is to stand for a name that another server may have one day. @throws BAD_REQUEST where there is none of this name */
  async remove(name: string): Promise<void> {
    const { endpoints, hotkeys } = await this.#opened();
    await hotkeys.remove(endpointId(name));
    if (!(await endpoints.remove(name))) throw noMiner(name);
  }

  /** Asks one something small, now. @throws BAD_REQUEST where there is none of this name; what keeps it from answering */
  async check(name: string, options: CheckOptions): Promise<MinerCheck> {
    const { endpoints } = await this.#opened();
    const endpoint = (await endpoints.list()).find((one) => one.name === name);
    if (!endpoint) throw noMiner(name);
    return checkEndpoint(endpoint, options);
  }

  /** Which hotkeys stand for miners. */
  async hotkeys(): Promise<MinerHotkeyView[]> {
    return (await this.#opened()).hotkeys.list();
  }

  /**
   * Says which hotkey stands for a miner, or that none does.
   * @param name of one at an address of its own, or the id of a worker of the mesh
   * @throws BAD_REQUEST with the field `name` for nobody, `hotkey` for one that is none, or stands for another miner
   */
  async setHotkey({ name, hotkey }: { name: string; hotkey: string | null }): Promise<void> {
    const { hotkeys } = await this.#opened();
    const miner = await this.#minerOf(name);
    if (hotkey === null) return hotkeys.remove(miner);
    await checkAddress(hotkey);
    await hotkeys.put({ miner, hotkey });
  }

  /** Workers of the mesh come and go: whoever could be one has a hotkey also while it is away. */
  async #minerOf(name: string): Promise<string> {
    const { endpoints } = await this.#opened();
    const all = await endpoints.list();
    const endpoint = all.find((one) => one.name === name || endpointId(one.name) === name);
    if (endpoint) return endpointId(endpoint.name);
    if (nodeIdSchema.safeParse(name).success) return name;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('validation.hotkey.noMiner', { name }), field: 'name' });
  }
}

const noMiner = (name: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('validation.noMiner', { name }), field: 'name' });

async function checkAddress(hotkey: string): Promise<void> {
  const { isAddress } = await import('../../bittensor/address.ts'); // what knows addresses is large, and few need it
  if (isAddress(hotkey)) return;
  const [message, hint] = [say('bittensor.noAddress'), say('bittensor.addressLooks')];
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'hotkey' });
}

/** Without what may be a secret: an address that was written into the database by other ways may have one. */
function shownAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!url.username && !url.password && !url.search) return text;
  const bare = { username: '', password: '', search: '' };
  return Object.assign(url, bare).href;
}

/** Where no key is told, that of the one of its name, unless it is another server’s now: a key goes to no server that it was not set for. */
export function withKey({ apiKey, ...endpoint }: Omit<NewEndpoint, 'hotkey'>, there: readonly Endpoint[]): Endpoint {
  const before = there.find(({ name }) => name === endpoint.name);
  const isSameServer = before && new URL(before.url).origin === new URL(endpoint.url).origin;
  return { ...endpoint, apiKey: apiKey ?? (isSameServer ? before.apiKey : '') };
}
