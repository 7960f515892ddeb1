import { describe, expect, it } from 'vitest';
import { addressPlace, isLocalNetwork, networkPrefix } from '../../../src-main/base/network-prefix.ts';

describe('the network of a host', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['127.0.0.1', '127.0.0.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::FFFF:cb00:7107', '203.0.113.0/24'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:7:1::5', '2001:db8:7::/48'],
    ['2001:0DB8:0007:ffff:1:2:3:4', '2001:db8:7::/48'],
    ['2001:db8:7::', '2001:db8:7::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
    ['::', '0:0:0::/48'],
    ['::203.0.113.7', '0:0:0::/48'],
    ['Example.org', 'example.org'],
    ['', ''],
    ['203.0.113', '203.0.113'],
  ])('%s is in %s', (host, prefix) => {
    expect(networkPrefix(host)).toBe(prefix);
  });

  it('is the same for neighbours, and another for the next network', () => {
    expect(networkPrefix('10.1.2.3')).toBe(networkPrefix('10.1.2.200'));
    expect(networkPrefix('10.1.2.3')).not.toBe(networkPrefix('10.1.3.3'));
    expect(networkPrefix('2001:db8:7:1::')).toBe(networkPrefix('2001:db8:7:2::'));
    expect(networkPrefix('2001:db8:7::')).not.toBe(networkPrefix('2001:db8:8::'));
  });
});

describe('networks of homes and offices', () => {
  it.each([
    ['192.168.1.5', true],
    ['10.9.8.7', true],
    ['172.31.0.1', true],
    ['::ffff:192.168.1.5', true],
    ['fd00::1', true],
    ['fe80::1%eth0', true],
    ['172.32.0.1', false],
    ['203.0.113.7', false],
    ['2001:db8::1', false],
    ['office.example', false],
  ])('%s is in one: %s', (host, expected) => {
    expect(isLocalNetwork(host)).toBe(expected);
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:7:1::5', '2001:db8:7::/48'],
  ['nothing', 'nothing'],
])('%s counts as the address %s', (host, place) => {
  expect(addressPlace(host)).toBe(place);
});
