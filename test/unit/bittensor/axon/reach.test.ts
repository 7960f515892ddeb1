import { describe, expect, it } from 'vitest';
import { findExternalAddress, judgeReach } from '../../../../src-main/bittensor/axon/reach.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

describe('the address of an axon', () => {
  const peers = async () => '198.51.100.7';
  it.each([
    [
      'is what was set',
      { set: { ip: '203.0.113.9', port: 80 }, peers },
      { ip: '203.0.113.9', port: 80, from: 'settings' },
    ],
    [
      'has its own port where none was set',
      { set: { ip: '2001:db8::1' } },
      { ip: '2001:db8::1', port: 8091, from: 'settings' },
    ],
    ['is not one that nobody reaches', { set: { ip: '192.168.1.2' }, peers }, undefined],
    [
      'is where the router lets it in',
      { router: async (port: number) => ({ ip: '203.0.113.9', port: port + 1 }), peers },
      { ip: '203.0.113.9', port: 8092, from: 'router' },
    ],
    [
      'is where peers see it, behind a router behind another',
      { router: async () => ({ ip: '100.64.0.1', port: 8091 }), peers },
      { ip: '198.51.100.7', port: 8091, from: 'peers' },
    ],
    [
      'is where peers see it, when the router fails',
      { router: () => Promise.reject(new Error('no')), set: { port: 9000 }, peers },
      { ip: '198.51.100.7', port: 9000, from: 'peers' },
    ],
    ['is unknown where nobody can be asked', { peers: () => Promise.reject(new Error('no')) }, undefined],
  ])('%s', async (_, sources, found) => {
    expect(await findExternalAddress(sources, 8091)).toEqual(found);
  });
});

describe('whether others reach it', () => {
  const external = { ip: '2001:db8::1', port: 80, from: 'settings' as const };
  const facts = { port: 8091, external, announced: { ip: '2001:db8::1', port: 80 }, isReached: true };
  it.each([
    ['ok', facts, 'Others reach the axon at [2001:db8::1]:80.', undefined],
    ['ok', { ...facts, announced: undefined }, 'Others reach', undefined],
    ['ok', { ...facts, announced: { ip: '2001:DB8:0:0::1', port: 80 } }, 'Others reach', undefined],
    ['warn', { ...facts, isReached: false }, 'nobody outside has tried yet', 'port 80 of the router to port 8091'],
    ['fail', { ...facts, announced: { ip: '203.0.113.9', port: 80 } }, 'tells others 203.0.113.9:80', 'Announce'],
    ['fail', { ...facts, external: undefined }, 'Nobody knows', 'Set axon.externalIp'],
    ['skip', { ...facts, port: undefined }, 'does not run', undefined],
  ])('%s: %j', (status, given, found, advice) => {
    const finding = judgeReach(given);
    expect([finding.status, sentence(finding.found)]).toEqual([status, expect.stringContaining(found)]);
    expect(finding.advice && sentence(finding.advice)).toEqual(advice && expect.stringContaining(advice));
  });
});
