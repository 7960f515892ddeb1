import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { say } from '../../../src-preload/contract/saying.ts';
import { bareHost } from '../../base/loopback.ts';
import { isInside } from '../../base/network-prefix.ts';
import { SourceError } from './byte-source.ts';

/** Looks a name up, as `dns.lookup` does. */
export type LookUp = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Refuses what an address leads to without a name: this computer and its network. What a catalogue, a server or a peer names must
 * not make this node ask routers, printers and metadata services, which take whoever reaches them for a friend.
 * @throws SourceError
 */
export function checkOutward(url: URL): void {
  if (isInside(bareHost(url))) throw leadsInside(url.host);
}

/** The same for names: they are looked up by the connection itself, so that they lead nowhere else a moment later. */
export function outwardLookup(lookUp: LookUp = lookup): LookupFunction {
  return (name, options, done) => {
    lookUp(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? new Error(`no address of ${name}`), '');
      if (found.some(({ address }) => isInside(address))) return done(leadsInside(name), '');
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

function leadsInside(host: string): SourceError {
  return new SourceError('gone', say('download.inside', { host }));
}
