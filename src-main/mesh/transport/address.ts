import type { Address } from 'hyperdht';

/** `["192.168.1.5:49737"]` as DHT addresses; undefined for an empty list: the public nodes. */
export function bootstrapAddresses(list: readonly string[]): Address[] | undefined {
  if (list.length === 0) return undefined;
  return list.map((text) => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
  });
}
