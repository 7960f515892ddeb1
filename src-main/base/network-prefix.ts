import { BlockList, isIP } from 'node:net';

/**
 * The network that a host is in, as far as one owner usually has it: `203.0.113.0/24` of an IPv4 address (also one written as
 * IPv6), `2001:db8:7::/48` of an IPv6 one. Addresses are cheap, networks are less so: what is counted by host is counted by
 * network too.
 *
 * @param host an address; anything else is a network of its own
 */
export function networkPrefix(host: string): string {
  const version = isIP(host);
  if (version === 4) return `${host.split('.').slice(0, 3).join('.')}.0/24`;
  if (version === 0) return host.toLowerCase();
  const groups = groupsOf(host);
  if (isMapped(groups)) return networkPrefix(dotted(groups.slice(6)));
  return `${groups
    .slice(0, 3)
    .map((group) => group.toString(16))
    .join(':')}::/48`;
}

/** What counts as one address: of IPv6, where everybody has billions of them, the network. */
export function addressPlace(host: string): string {
  if (isIP(host) !== 6) return host;
  const groups = groupsOf(host);
  return isMapped(groups) ? dotted(groups.slice(6)) : networkPrefix(host);
}

/** Two groups of an IPv6 address as the IPv4 address that they hold. */
function dotted([a = 0, b = 0]: number[]): string {
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

/** `::ffff:203.0.113.7`: an IPv4 address, as a socket for both kinds shows it. */
function isMapped(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The eight 16-bit groups of a valid IPv6 address, however short it is written. */
function groupsOf(host: string): number[] {
  const [address = ''] = host.split('%');
  const [head = '', tail] = address.split('::');
  const before = partsOf(head);
  if (tail === undefined) return before;
  const after = partsOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return Number.parseInt(part, 16);
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** Networks of homes and offices. */
const LOCAL = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];
/** What else is not out in the world: this computer, those behind a provider's address, all at once, and what a network translates itself. */
const NOT_OUTSIDE = [
  ...['0.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '192.0.0.0/24', '224.0.0.0/3'],
  ...['ff00::/8', '64:ff9b:1::/48'],
];

const local = blockList(LOCAL);
const inside = blockList([...LOCAL, ...NOT_OUTSIDE]);

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Whether an address leads to this computer, its network, or what serves only those in it (the metadata of a cloud): also an IPv4
 * address within an IPv6 one. Of names, `localhost` alone.
 */
export function isInside(host: string): boolean {
  const [address = ''] = host.split('%');
  const version = isIP(address);
  if (version === 0) return /^(.*\.)?localhost\.?$/i.test(host);
  if (version === 4) return inside.check(address, 'ipv4');
  const within = withinIPv6(groupsOf(address));
  return within === undefined ? inside.check(address, 'ipv6') : inside.check(within, 'ipv4');
}

/** The IPv4 address that an IPv6 one stands for (`::1` among them: 0.0.0.1): mapped, compatible, by NAT64 and by 6to4. */
function withinIPv6(groups: number[]): string | undefined {
  if (groups[0] === 0x2002) return dotted(groups.slice(1, 3));
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const isEmbedded = isMapped(groups) || isZero(0, 6) || (groups[0] === 0x64 && groups[1] === 0xff9b && isZero(2, 6));
  return isEmbedded ? dotted(groups.slice(6)) : undefined;
}

/** Whether a host is in a network of a home or an office, where all have one prefix and one owner knows them. */
export function isLocalNetwork(host: string): boolean {
  const [address = ''] = host.split('%');
  const version = isIP(address);
  return version !== 0 && local.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
