import type { Address } from 'hyperdht';

/** Where nodes look for the bootstrap node of a private mesh unless told otherwise: its UDP port. */
export const DEFAULT_BOOTSTRAP_PORT = 49_737;

/** `["192.168.1.5:49737"]` as DHT addresses; undefined for an empty list: the public nodes. */
export function bootstrapAddresses(list: readonly string[]): Address[] | undefined {
  if (list.length === 0) return undefined;
  return list.map((text) => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
  });
}
