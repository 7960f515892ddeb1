import { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import { type Gateway, pmpNat, upnpNat } from '@achingbrain/nat-port-mapper';
import { ignoring } from '../../base/swallowed.ts';
import { type RouterReply, type RouterTask, routerReplySchema, routerTaskSchema } from './router-tasks.ts';

/**
 * Entry of the process that asks the router to let others in, by UPnP or NAT-PMP. Whoever is on the same network can answer it, with
 * whatever it likes and as much as it likes: that ends this process at worst.
 */

/** Milliseconds for a router to be found and to answer, and to be told goodbye. */
const SEARCH_MS = 8_000;
const GOODBYE_MS = 2_000;
/** How routers list it. */
const DESCRIPTION = 'Quarry axon';

/** Where we were let in, and by which router. */
interface Opened {
  gateway: Gateway;
  internal: number;
  external: number;
}

let opened: Opened | undefined;
let before: Promise<unknown> = Promise.resolve();

process.on('message', (message) => {
  const task = routerTaskSchema.parse(message);
  before = before.then(() => run(task)).then((reply) => process.send?.(reply));
});

async function run(task: RouterTask): Promise<RouterReply> {
  if (task.task === 'close') {
    await leave();
    return { place: null };
  }
  if (opened?.internal !== task.port) {
    await leave();
    opened = await search(task);
  }
  const ip = await opened?.gateway
    .externalIp({ signal: AbortSignal.timeout(SEARCH_MS) })
    .catch(ignoring('a router that does not tell is as good as none'));
  return routerReplySchema.safeParse({ place: { ip, port: opened?.external } }).data ?? { place: null };
}

async function leave(): Promise<void> {
  const { gateway } = opened ?? {};
  opened = undefined;
  // What it does not take back now ends by itself within the hour.
  await gateway?.stop({ signal: AbortSignal.timeout(GOODBYE_MS) }).catch(ignoring('it is not renewed any more'));
}

/** Whoever answers first. */
async function search({ port, descriptor }: Extract<RouterTask, { task: 'open' }>): Promise<Opened | undefined> {
  const signal = AbortSignal.timeout(SEARCH_MS);
  const ways = descriptor
    ? [byDescriptor(port, descriptor, signal)]
    : [byUpnp(port, signal), ...firstAddresses().map((host) => byPmp(port, host, signal))];
  return await Promise.any(ways).catch(ignoring('no router here lets itself be asked'));
}

async function byUpnp(port: number, signal: AbortSignal): Promise<Opened> {
  for await (const gateway of upnpNat({ description: DESCRIPTION }).findGateways({ signal })) {
    const found = await mapped(gateway, port, signal).catch(ignoring('another router may do it'));
    if (found) return found;
  }
  throw new Error('No router with UPnP.');
}

async function byDescriptor(port: number, descriptor: string, signal: AbortSignal): Promise<Opened> {
  const client = upnpNat({ description: DESCRIPTION });
  return mapped(await client.getGateway(new URL(descriptor), { signal }), port, signal);
}

function byPmp(port: number, host: string, signal: AbortSignal): Promise<Opened> {
  const gateway = pmpNat(host);
  // Another program has the port of this protocol.
  if (gateway instanceof EventEmitter) gateway.on('error', ignoring('UPnP may do without'));
  return mapped(gateway, port, signal);
}

async function mapped(gateway: Gateway, port: number, signal: AbortSignal): Promise<Opened> {
  for await (const { externalPort } of gateway.mapAll(port, { protocol: 'tcp', signal })) {
    return { gateway, internal: port, external: externalPort };
  }
  throw new Error('The router opens nothing.');
}

/** Of each network of this computer the first address: there the router is, as a rule. */
function firstAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const networks = own.filter(({ family, internal }) => family === 'IPv4' && !internal);
  const first = networks.map(({ address, netmask }) => {
    const [ip, mask] = [address, netmask].map((text) => text.split('.').map(Number));
    return ip?.map((byte, at) => (byte & (mask?.[at] ?? 255)) + (at === 3 ? 1 : 0)).join('.') ?? '';
  });
  return [...new Set(first)].slice(0, 4);
}
