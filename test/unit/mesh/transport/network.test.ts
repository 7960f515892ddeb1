import { expect, it } from 'vitest';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

it('who follows a network meets those that are there and those that come, takes leave of those that go, and can stop', () => {
  const wireless = new WirelessNetwork();
  const [early, late, later] = ['early', 'late', 'later'].map((id) => new WirelessPeer(id)) as [
    WirelessPeer,
    WirelessPeer,
    WirelessPeer,
  ];
  const seen: string[] = [];
  wireless.join(early);
  const unfollow = wireless.network.follow(
    ({ id }) => seen.push(`met ${id}`),
    ({ id }, reason) => seen.push(`${id} left: ${reason}`),
  );
  wireless.join(late);
  wireless.leave(early);
  expect(seen).toEqual(['met early', 'met late', 'early left: gone']);
  unfollow();
  wireless.join(later);
  wireless.leave(late);
  expect([seen.length, wireless.listeners]).toEqual([3, 0]);
});
