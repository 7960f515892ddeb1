import { describe, expect, it } from 'vitest';
import { BanList, type Offence } from '../../../../../src-main/mesh/transport/guards/ban-list.ts';
import { PeerBudgets } from '../../../../../src-main/mesh/transport/guards/budgets.ts';
import { ConnectionGate } from '../../../../../src-main/mesh/transport/guards/gate.ts';
import { DEFAULT_LIMITS } from '../../../../../src-main/mesh/transport/guards/limits.ts';
import { testLog as log } from '../../../../support/mesh-node.ts';

/** A connection that notes why it was closed. */
function guest(id: string, host: string, outgoing = false) {
  const closed: string[] = [];
  return { id, host, outgoing, closed, close: (reason: string) => void closed.push(reason) };
}

/** Comes in and shows where it is. */
const arrive = (gate: ConnectionGate, one: ReturnType<typeof guest>) => gate.enter(one) ?? gate.admit(one);

describe('the gate', () => {
  const setUp = (limits = {}) => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    const gate = new ConnectionGate({ ...DEFAULT_LIMITS, ...limits }, bans, () => now);
    const enter = (id: string, host: string, outgoing = false) => arrive(gate, guest(id, host, outgoing));
    return { gate, bans, enter, pass: (ms: number) => (now += ms) };
  };

  it('lets one host have so many connections, and this machine any number', () => {
    const { gate, enter } = setUp({ connectionsPerHost: 2 });
    const first = guest('a', '10.0.0.1');
    expect([arrive(gate, first), enter('b', '10.0.0.1'), enter('c', '10.0.0.1')]).toEqual([
      undefined,
      undefined,
      'too many from this host',
    ]);
    expect(['d', 'e', 'f'].map((id) => enter(id, '127.0.0.1'))).toEqual([undefined, undefined, undefined]);
    gate.leave(first);
    expect(enter('c', '10.0.0.1')).toBeUndefined();
  });

  it('holds this machine to the same limits where it is told so', () => {
    const { enter } = setUp({ connectionsPerHost: 1, exemptLoopback: false });
    expect([enter('a', '127.0.0.1'), enter('b', '127.0.0.1')]).toEqual([undefined, 'too many from this host']);
  });

  it('lets one network have twice as many as one host, but a home or office any number', () => {
    const { enter } = setUp({ connectionsPerHost: 2 });
    const hosts = [1, 2, 3, 4, 5];
    expect(hosts.map((n) => enter(`a${n}`, `203.0.113.${n}`))[4]).toBe('too many from this network');
    expect(hosts.map((n) => enter(`b${n}`, `2001:db8:7:${n}::1`))[4]).toBe('too many from this network');
    expect(hosts.map((n) => enter(`c${n}`, `192.168.1.${n}`))[4]).toBeUndefined();
    expect(enter('d', '203.0.114.1')).toBeUndefined();
  });

  it('lets all hosts together have so many', () => {
    const { gate, enter } = setUp({ connections: 2 });
    for (const host of ['127.0.0.1', '10.0.0.1']) enter(host, host);
    expect(gate.refusesHandshake('x', '10.0.0.2')).toBe('too many connections');
  });

  it('slows down a host that keeps connecting', () => {
    const { gate, enter, pass } = setUp({ handshakesPerSecond: 1, handshakeBurst: 2 });
    const come = () => enter('x', '10.0.0.1');
    expect([come(), come(), come()]).toEqual([undefined, undefined, 'host connects too often']);
    expect(gate.refusesHandshake('x', '10.0.0.1')).toBe('host connects too often');
    pass(1_000);
    expect([gate.refusesHandshake('x', '10.0.0.1'), come()]).toEqual([undefined, undefined]);
  });

  it('slows down a network that keeps connecting from many hosts', () => {
    const { gate, enter } = setUp({ handshakesPerSecond: 1, handshakeBurst: 2 });
    const came = Array.from({ length: 9 }, (_, host) => enter(`${host}`, `203.0.113.${host}`));
    expect(came).toEqual([...Array(8).fill(undefined), 'host connects too often']);
    expect(gate.refusesHandshake('x', '203.0.113.99')).toBe('host connects too often');
  });

  it('keeps out who is banned', () => {
    const { gate, bans } = setUp();
    bans.ban('x', 'test');
    expect(gate.refusesHandshake('x', undefined)).toBe('banned');
  });
});

describe('when all places are taken', () => {
  /** A gate all of whose 112 places for strangers are held by eight hosts, each in a network of its own. */
  function held() {
    let now = 0;
    const gate = new ConnectionGate(DEFAULT_LIMITS, new BanList({ log, now: () => now }), () => now);
    const guests = Array.from({ length: 112 }, (_, n) => guest(`hostile ${n}`, `198.51.${n % 8}.1`));
    expect(guests.map((one) => arrive(gate, one)).filter(Boolean)).toEqual([]);
    const inside = () => guests.filter(({ closed }) => closed.length === 0);
    return { gate, guests, inside, pass: (ms: number) => (now += ms) };
  }

  it('a newcomer of another network gets one, and so do the next, until all networks have a fair share', () => {
    const { gate, inside, pass } = held();
    for (let n = 0; n < 80; n++) {
      expect(gate.refusesHandshake(`new ${n}`, `203.0.${n}.1`)).toBeUndefined();
      expect(arrive(gate, guest(`new ${n}`, `203.0.${n}.1`))).toBeUndefined();
      pass(20);
    }
    expect(inside()).toHaveLength(112 - 80);
    const left = Array.from({ length: 8 }, (_, n) => inside().filter(({ host }) => host === `198.51.${n}.1`).length);
    expect(Math.max(...left) - Math.min(...left)).toBeLessThanOrEqual(1);
  });

  it('a newcomer of a network that holds its share already gets none', () => {
    const { gate } = held();
    expect(gate.refusesHandshake('x', '198.51.0.2')).toBe('too many connections');
    expect(arrive(gate, guest('x', '198.51.0.2'))).toBe('too many connections');
  });

  it('who was of use keeps its place longest', () => {
    const { gate, guests, inside } = held();
    for (let n = 0; n < 8; n++) gate.useful(`hostile ${n}`);
    for (let n = 0; n < 96; n++) arrive(gate, guest(`new ${n}`, `203.0.${n}.1`));
    expect(inside().map(({ id }) => id)).toEqual(expect.arrayContaining(guests.slice(0, 8).map(({ id }) => id)));
  });

  it('nobody is sent away for a newcomer where each network holds one, but who sat idle for ten minutes and more', () => {
    let now = 0;
    const gate = new ConnectionGate(DEFAULT_LIMITS, new BanList({ log, now: () => now }), () => now);
    const guests = Array.from({ length: 112 }, (_, n) => guest(`${n}`, `198.51.${n}.1`));
    for (const one of guests) arrive(gate, one);
    expect(arrive(gate, guest('x', '203.0.113.1'))).toBe('too many connections');
    now = 600_000;
    for (const { id } of guests.slice(1)) gate.useful(id);
    expect(arrive(gate, guest('x', '203.0.113.1'))).toBeUndefined();
    expect(guests.filter(({ closed }) => closed.length > 0).map(({ id }) => id)).toEqual(['0']);
  });

  it('this node can still go out: an eighth of the places is its own', () => {
    const { gate } = held();
    const outgoing = Array.from({ length: 16 }, (_, n) => arrive(gate, guest(`worker ${n}`, `203.0.${n}.1`, true)));
    expect(outgoing).toEqual(Array(16).fill(undefined));
  });

  it('strangers send away no connection that this node has started', () => {
    const gate = new ConnectionGate({ ...DEFAULT_LIMITS, connections: 8 }, new BanList({ log }), () => 0);
    const own = Array.from({ length: 8 }, (_, n) => guest(`worker ${n}`, '198.51.100.1', true));
    for (const one of own) arrive(gate, one);
    expect(arrive(gate, guest('x', '203.0.113.1'))).toBe('too many connections');
    expect(own.flatMap(({ closed }) => closed)).toEqual([]);
  });
});

describe('who has not shown where he is', () => {
  const setUp = (limits = {}) => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    const gate = new ConnectionGate({ ...DEFAULT_LIMITS, ...limits }, bans, () => now);
    return { gate, bans, pass: (ms: number) => (now += ms) };
  };

  it('takes nothing from the host or the network that he names', () => {
    const { gate, pass } = setUp();
    for (let n = 0; n < 1_000; n++) {
      expect(gate.refusesHandshake(`forger ${n}`, '203.0.113.7')).toBeUndefined();
      gate.enter(guest(`forger ${n}`, '203.0.113.7'));
      pass(20);
    }
    expect(gate.refusesHandshake('honest', '203.0.113.7')).toBeUndefined();
    expect(arrive(gate, guest('honest', '203.0.113.7'))).toBeUndefined();
  });

  it('takes no places: the oldest of them goes for one too many, and nobody else', () => {
    const { gate } = setUp({ unproven: 10 });
    const honest = Array.from({ length: 112 }, (_, n) => guest(`honest ${n}`, `198.51.${n}.1`));
    for (const one of honest.slice(0, 111)) arrive(gate, one);
    const worker = guest('worker', '198.51.100.1', true);
    gate.enter(worker);
    const forgers = Array.from({ length: 30 }, (_, n) => guest(`forger ${n}`, `203.${n}.113.1`));
    for (const one of forgers) expect(gate.enter(one)).toBeUndefined();
    expect(forgers.map(({ closed }) => closed.length)).toEqual([...Array(20).fill(1), ...Array(10).fill(0)]);
    expect(arrive(gate, honest[111]!)).toBeUndefined();
    expect(gate.admit(worker)).toBeUndefined();
    expect([...honest, worker].flatMap(({ closed }) => closed)).toEqual([]);
  });

  it('has his time whoever comes that this node knows, and those who are known have theirs', () => {
    const known = (id: string) => id.startsWith('known');
    const limits = { ...DEFAULT_LIMITS, unproven: 5 };
    const gate = new ConnectionGate(limits, new BanList({ log }), () => 0, known);
    const come = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => {
        const one = guest(`${name} ${n}`, `198.51.${n}.1`);
        gate.enter(one);
        return one;
      });
    const gone = (some: ReturnType<typeof guest>[]) => some.filter(({ closed }) => closed.length > 0).length;
    const [strangers, friends] = [come('stranger', 5), come('known', 5)];
    expect([gone(strangers), gone(friends)]).toEqual([0, 0]);
    come('known again', 5);
    expect([gone(strangers), gone(friends)]).toEqual([0, 5]);
    come('another', 5);
    expect(gone(strangers)).toBe(5);
  });

  it('has the time of a long round trip, however many come', () => {
    const { gate, pass } = setUp();
    const slow = guest('slow', '198.51.100.1');
    let flood = 0;
    const come = () => {
      while (!gate.refusesHandshake(`forger ${++flood}`, `203.0.113.${flood % 250}`)) {
        gate.enter(guest(`forger ${flood}`, `203.0.113.${flood % 250}`));
      }
    };
    expect(gate.refusesHandshake('slow', '198.51.100.1')).toBeUndefined();
    gate.enter(slow);
    for (let ms = 0; ms < 900; ms += 10) {
      come();
      pass(10);
    }
    expect([slow.closed, gate.admit(slow)]).toEqual([[], undefined]);
  });

  it('comes no more often than all such together may, but for who has been of use', () => {
    const { gate, pass } = setUp({ unprovenPerSecond: 1, unprovenBurst: 3 });
    const knocks = Array.from({ length: 4 }, (_, n) => gate.refusesHandshake(`forger ${n}`, `203.0.${n}.1`));
    expect(knocks).toEqual([undefined, undefined, undefined, 'too many strangers at once']);
    gate.useful('known');
    expect(gate.refusesHandshake('known', '198.51.100.1')).toBeUndefined();
    pass(1_000);
    expect(gate.refusesHandshake('new', '198.51.100.1')).toBeUndefined();
  });

  it('leaves room for others when he knocks from one address as often as he can', () => {
    const { gate, pass } = setUp();
    const knock = (times: number) => {
      let taken = 0;
      for (let n = 0; n < times; n++) if (!gate.refusesHandshake(`flood ${n}`, '203.0.113.7')) taken++;
      return taken;
    };
    let taken = 0;
    for (let second = 0; second < 20; second++) {
      for (let ms = 0; ms < 1_000; ms += 10) {
        taken += knock(10);
        pass(10);
      }
      const elsewhere = Array.from({ length: 10 }, (_, n) => gate.refusesHandshake('new', `198.51.${n}.1`));
      expect(elsewhere).toEqual(Array(10).fill(undefined));
      expect(gate.refusesHandshake('neighbour', `203.0.113.${100 + second}`)).toBeUndefined();
    }
    expect(taken).toBeGreaterThan(20 * 30); // what nobody else wants it has
  });

  it('has no more than so many handshakes read of one address, whatever he says in them', () => {
    const { gate, pass } = setUp();
    const brought = (host: string) => Array.from({ length: 1_000 }, () => gate.mayBring(host)).filter(Boolean).length;
    expect([brought('203.0.113.7'), brought('203.0.113.7'), brought('198.51.100.1')]).toEqual([250, 0, 250]);
    pass(1_000);
    expect([brought('203.0.113.7'), brought('127.0.0.1')]).toEqual([250, 1_000]);
  });

  it('waits for no strangers when he has served this node, unless he comes again and again', () => {
    const known = new Set(['earner', 'another']);
    const limits = {
      ...DEFAULT_LIMITS,
      unprovenPerSecond: 1,
      unprovenBurst: 1,
      handshakesPerSecond: 1,
      handshakeBurst: 3,
    };
    let now = 0;
    const gate = new ConnectionGate(
      limits,
      new BanList({ log }),
      () => now,
      (id) => known.has(id),
    );
    const knock = (id: string) => gate.refusesHandshake(id, '198.51.100.1');
    expect([knock('stranger'), knock('stranger')]).toEqual([undefined, 'too many strangers at once']);
    expect([knock('earner'), knock('earner'), knock('another')]).toEqual([undefined, undefined, undefined]);
    expect([knock('earner'), knock('earner')]).toEqual([undefined, 'too many strangers at once']);
    now = 1_000;
    expect(knock('earner')).toBeUndefined();
  });

  it('is no exception by saying that he is at this machine', () => {
    const { gate } = setUp({ unprovenPerSecond: 1, unprovenBurst: 1, unproven: 1 });
    const [first, second] = [guest('a', '127.0.0.1'), guest('b', '127.0.0.1')];
    expect(['a', 'b'].map((id) => gate.refusesHandshake(id, '127.0.0.1'))[1]).toBe('too many strangers at once');
    expect([gate.enter(first), gate.enter(second), first.closed.length]).toEqual([undefined, undefined, 1]);
  });

  it('is kept out by what was proven of the host that he names', () => {
    const { gate, bans } = setUp({ connectionsPerHost: 1 });
    arrive(gate, guest('a', '198.51.100.1'));
    expect(gate.refusesHandshake('b', '198.51.100.1')).toBe('too many from this host');
    bans.ban('c', 'test');
    expect(gate.enter(guest('c', '198.51.100.2'))).toBe('banned');
  });
});

describe('an offence', () => {
  const ADDRESS = '203.0.113.7';
  const setUp = () => {
    let now = 0;
    const bans = new BanList({ log, now: () => now });
    const gate = new ConnectionGate(DEFAULT_LIMITS, bans, () => now);
    /** As the swarm does it. @returns whether the node is banned */
    const offend = (id: string, offence: Offence, host = ADDRESS) => {
      gate.blame(host, offence);
      return bans.report(id, offence);
    };
    return { gate, offend, pass: (ms: number) => (now += ms) };
  };

  it('of one bad neighbour, however often it comes back, leaves the others of its address alone', () => {
    const { gate, offend, pass } = setUp();
    for (let hour = 0; hour < 48; hour++) {
      offend('bad', 'protocol error');
      offend('bad', 'wrong signature');
      expect(gate.refusesHandshake('neighbour', ADDRESS)).toBeUndefined();
      pass(3_600_000);
    }
  });

  it('weighs on the host too: throw-away keys do not help', () => {
    const { gate, offend, pass } = setUp();
    for (let key = 0; key < 10; key++) offend(`key ${key}`, 'wrong signature');
    expect(gate.refusesHandshake('fresh key', ADDRESS)).toBe('banned host or network');
    expect(gate.refusesHandshake('fresh key', '203.0.113.8')).toBeUndefined();
    pass(600_000);
    expect(gate.refusesHandshake('fresh key', ADDRESS)).toBeUndefined();
  });

  it('weighs on the network: throw-away addresses do not help', () => {
    const { gate, offend } = setUp();
    for (let n = 0; n < 17; n++) offend(`key ${n}`, 'wrong signature', `203.0.113.${n}`);
    expect(gate.refusesHandshake('fresh key', '203.0.113.99')).toBe('banned host or network');
    expect(gate.refusesHandshake('fresh key', '203.0.114.1')).toBeUndefined();
  });

  it('keeps out no neighbour that has been of use', () => {
    const { gate, offend } = setUp();
    gate.useful('good');
    for (let key = 0; key < 5; key++) offend(`key ${key}`, 'wrong signature');
    expect(gate.refusesHandshake('good', ADDRESS)).toBeUndefined();
  });

  it('of a node that is set up wrongly is no fault of its address', () => {
    const { gate, offend } = setUp();
    for (let key = 0; key < 100; key++) offend(`office ${key}`, 'wrong proof');
    expect(gate.refusesHandshake('x', ADDRESS)).toBeUndefined();
  });

  it('on this machine weighs on no address', () => {
    const { gate, offend } = setUp();
    for (let key = 0; key < 100; key++) offend(`key ${key}`, 'wrong signature', '127.0.0.1');
    expect(gate.refusesHandshake('x', '127.0.0.1')).toBeUndefined();
  });
});

describe('budgets', () => {
  it('are a node’s own, however often it opens its channels or connects', () => {
    const budgets = new PeerBudgets({ ...DEFAULT_LIMITS, frameBurst: 10, openBurst: 3 }, () => 0);
    const sent = Array.from({ length: 20 }, () => budgets.of('x').on('scores').frames.take(1, 0));
    expect(sent.filter(Boolean)).toHaveLength(10);
    expect(budgets.of('x').on('inference').frames.take(1, 0)).toBe(true);
    expect(budgets.of('y').on('scores').frames.take(1, 0)).toBe(true);
    expect(Array.from({ length: 5 }, () => budgets.of('x').mayOpen())).toEqual([true, true, true, false, false]);
  });
});
