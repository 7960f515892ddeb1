import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether only this machine can reach the host.
 * @param host an address, also an IPv4 one written as IPv6 (`::ffff:127.0.0.1`), or a name, of which only `localhost` counts
 */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The host of a URL as an address: IPv6 stands in brackets there. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** {@link isLoopback}, of the host of a URL. */
export const isLoopbackUrl = (url: Pick<URL, 'hostname'>): boolean => isLoopback(bareHost(url));
