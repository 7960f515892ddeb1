import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { EndpointView, NewEndpoint } from '../../../src-preload/contract/validator-run.ts';
import type { Endpoint } from '../../store/results/endpoints.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';

/** Miners at addresses of their own, as whoever asks this node sees and names them. */
export class MinerDesk {
  readonly #opened: () => Promise<Pick<ResultsDb, 'endpoints'>>;

  constructor(opened: () => Promise<Pick<ResultsDb, 'endpoints'>>) {
    this.#opened = opened;
  }

  /** Their keys stay here. */
  async list(): Promise<EndpointView[]> {
    const { endpoints } = await this.#opened();
    return (await endpoints.list()).map(({ apiKey, ...of }) => ({ ...of, hasKey: apiKey !== '' }));
  }

  /** Adds one, or changes the one of this name. */
  async add(endpoint: NewEndpoint): Promise<void> {
    const { endpoints } = await this.#opened();
    await endpoints.put(withKey(endpoint, await endpoints.list()));
  }

  /** @throws BAD_REQUEST where there is none of this name */
  async remove(name: string): Promise<void> {
    const { endpoints } = await this.#opened();
    if (await endpoints.remove(name)) return;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('validation.noMiner', { name }), field: 'name' });
  }
}

/** Where no key is told, that of the one of its name, unless it is another server’s now: a key goes to no server that it was not set for. */
export function withKey({ apiKey, ...endpoint }: NewEndpoint, there: readonly Endpoint[]): Endpoint {
  const before = there.find(({ name }) => name === endpoint.name);
  const isSameServer = before && new URL(before.url).origin === new URL(endpoint.url).origin;
  return { ...endpoint, apiKey: apiKey ?? (isSameServer ? before.apiKey : '') };
}
