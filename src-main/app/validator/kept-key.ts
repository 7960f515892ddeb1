import type { NewEndpoint } from '../../../src-preload/contract/validator-run.ts';
import type { Endpoint } from '../../store/results/endpoints.ts';

/** An endpoint with its key: where none is told, that of the one of its name, unless it is another server’s now. A key goes to no server that it was not set for. */
export function withKey({ apiKey, ...endpoint }: NewEndpoint, there: readonly Endpoint[]): Endpoint {
  const before = there.find(({ name }) => name === endpoint.name);
  const isSameServer = before && new URL(before.url).origin === new URL(endpoint.url).origin;
  return { ...endpoint, apiKey: apiKey ?? (isSameServer ? before.apiKey : '') };
}
