import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections } from '../../../src-main/http/connections.ts';

let nextPort = 1;

/** As much of a connection as counts, open until somebody ends it. */
class Connection extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort = nextPort++;
  open = true;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.open = false;
    this.emit('close');
  }
}

function server(most: number) {
  const connections = new Connections(most);
  const connect = (address: string) => {
    const made = new Connection(address);
    connections.add(made as unknown as Socket);
    return made;
  };
  const many = (count: number, address: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => connect(address(at)));
  const open = (all: Connection[]) => all.filter((each) => each.open).length;
  return { connections, connect, many, open };
}

describe('the connections of a server', () => {
  it('from one address are a quarter of all; one more takes the place of its own oldest', () => {
    const { connect, many, open } = server(16);
    const other = connect('192.0.2.1');
    const greedy = many(40, () => '203.0.113.7');
    expect([open(greedy), other.open, greedy.at(-1)?.open]).toEqual([4, true, true]);
  });

  it.each([
    ['a network of IPv6', (at: number) => `2001:db8:7:${at}::1`],
    ['an address as IPv6 shows it', (at: number) => (at % 2 ? '203.0.113.7' : '::ffff:203.0.113.7')],
  ])('take %s for one address', (_, address) => {
    const { many, open } = server(16);
    expect(open(many(40, address))).toBe(4);
  });

  it('lock nobody out who comes when all places are taken', () => {
    const { connect, many, open } = server(16);
    const silent = many(16, (at) => `203.0.113.${at % 8}`);
    const honest = connect('192.0.2.1');
    expect([honest.open, open(silent), silent[0]?.open]).toEqual([true, 15, false]);
  });

  it('are no more when many come before those that were ended are gone', () => {
    const connections = new Connections(16);
    const made = Array.from({ length: 40 }, (_, at) => new Connection(`203.0.113.${at % 8}`));
    for (const each of made) {
      // As a socket does: it counts as destroyed at once, and its «close» comes a turn later.
      each.destroy = () => void Object.assign(each, { open: false, destroyed: true });
      connections.add(each as unknown as Socket);
    }
    expect(made.filter(({ open }) => open)).toHaveLength(16);
  });

  it('that were let in keep their places, whatever strangers do', () => {
    const { connections, connect, many, open } = server(16);
    const owner = connect('192.0.2.1');
    connections.keep(owner);
    many(1_000, (at) => `203.0.113.${at % 250}`);
    expect(owner.open).toBe(true);
    const friends = many(15, (at) => `198.51.100.${at}`);
    for (const each of friends) connections.keep(each);
    expect([connect('203.0.113.7').open, open(friends)]).toEqual([false, 15]);
  });

  it('from this machine have places of their own, for any program', () => {
    const { connect, many, open } = server(16);
    many(1_000, (at) => `203.0.113.${at % 250}`);
    expect(open(many(16, () => '127.0.0.1'))).toBe(16);
    expect(connect('::1').open).toBe(true);
  });

  it('of those who use what is open to all are a half at most, and the one that was quiet for longest makes room', () => {
    const { connections, connect, many, open } = server(16);
    const first = connect('127.0.0.1');
    connections.admit(first);
    const answered = connections.asked(first);
    const others = many(7, () => '127.0.0.1');
    for (const each of others) connections.admit(each);
    answered(); // so it is the last that has become quiet
    const more = many(7, () => '127.0.0.1');
    for (const each of more) connections.admit(each);
    expect([first.open, open(others), open(more)]).toEqual([true, 0, 7]);
  });

  it('over which something is asked keep their places among those, and who finds none there is served as a stranger', () => {
    const { connections, connect, many, open } = server(16);
    const busy = many(8, () => '127.0.0.1');
    for (const each of busy) {
      connections.admit(each);
      connections.asked(each);
    }
    const late = connect('127.0.0.1');
    connections.admit(late);
    expect([open(busy), late.open]).toEqual([8, true]);
    many(8, () => '127.0.0.1');
    expect([open(busy), late.open]).toEqual([8, false]);
  });

  it('can never all be held by those who use what is open to all: who brings a token comes in, and stays', () => {
    const { connections, connect, many, open } = server(16);
    for (const each of many(100, () => '127.0.0.1')) {
      connections.admit(each);
      connections.asked(each);
    }
    const owners = Array.from({ length: 12 }, () => {
      const owner = connect('127.0.0.1');
      connections.keep(owner);
      return owner;
    });
    for (const each of many(100, () => '127.0.0.1')) connections.admit(each);
    expect(open(owners)).toBe(12);
  });

  it('are all ended at the end, and those that ended by themselves make room', () => {
    const { connections, many, open } = server(16);
    const first = many(4, () => '203.0.113.7');
    for (const each of first) each.destroy();
    const second = many(4, () => '203.0.113.7');
    expect(open(second)).toBe(4);
    connections.destroy();
    expect(open(second)).toBe(0);
  });
});
