import { describe, expect, it } from 'vitest';
import { reachability } from '../../../src-main/mesh/reachability.ts';

const FACTS = { online: true, firewalled: true, randomized: false, host: '203.0.113.7', port: 49_737 };

describe('reachability', () => {
  it('is unknown until another node has answered', () => {
    const here = [{ host: '192.0.2.1', port: 49_737 }];
    const silent = reachability({ ...FACTS, host: null }, here);
    expect(silent).toMatchObject({
      online: false,
      nat: 'unknown',
      advice: expect.stringMatching(/bootstrap node runs/),
    });
    expect(silent.found).toContain('No answer from 192.0.2.1:49737');
    expect(reachability(undefined, []).found).toContain('the public DHT');
    expect(reachability({ ...FACTS, online: false }, []).online).toBe(false);
  });

  it('tells the address where it is the same for everybody', () => {
    const behind = reachability(FACTS, []);
    expect(behind).toMatchObject({ online: true, nat: 'consistent', address: '203.0.113.7:49737' });
    expect(behind.advice).toBeUndefined();
    expect(reachability({ ...FACTS, firewalled: false }, [])).toMatchObject({
      nat: 'open',
      address: '203.0.113.7:49737',
    });
  });

  it('says what to do about a router that shows another port to everybody', () => {
    const random = reachability({ ...FACTS, randomized: true, port: 0 }, []);
    expect(random).toMatchObject({ online: true, nat: 'random', advice: expect.stringMatching(/Forward a UDP port/) });
    expect(random.address).toBeUndefined();
  });
});
