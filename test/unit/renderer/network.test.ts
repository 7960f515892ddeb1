import { describe, expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../src-main/hardware/health-score.ts';
import { OFFENCES } from '../../../src-main/mesh/transport/guards/ban-list.ts';
import { NAT_KINDS, type PeerView } from '../../../src-preload/contract/mesh.ts';
import commonDe from '../../../src-renderer/i18n/de/common.json' with { type: 'json' };
import de from '../../../src-renderer/i18n/de/network.json' with { type: 'json' };
import commonEn from '../../../src-renderer/i18n/en/common.json' with { type: 'json' };
import en from '../../../src-renderer/i18n/en/network.json' with { type: 'json' };
import { knownText } from '../../../src-renderer/i18n/known-text.ts';
import { choosePeers, EVERYBODY, sortPeers } from '../../../src-renderer/pages/network/peers/peer-list.ts';

const peer = (id: string, more: Partial<PeerView> = {}): PeerView => ({
  id,
  sides: ['client'],
  validator: false,
  models: [],
  tier: 'newcomer',
  points: 0,
  owes: 0,
  owed: 0,
  ready: false,
  ...more,
});
const ids = (peers: PeerView[]) => peers.map(({ id }) => id);

const miner = peer('aa1', { sides: ['worker', 'client'], models: ['Qwen2.5-7B'], health: 50, rttMs: 20, owes: 9 });
const other = peer('bb2', { sides: ['worker'], models: ['llama-3'], health: 90, rttMs: 300, owes: 9 });
const client = peer('aa3', { rttMs: 5, owes: 700 });
const all = [other, client, miner];

describe('choosing peers', () => {
  it('shows everybody at first', () => {
    expect(choosePeers(all, EVERYBODY)).toEqual(all);
  });

  it('tells those that serve from those that only ask', () => {
    expect(ids(choosePeers(all, { role: 'miners', text: '' }))).toEqual(['bb2', 'aa1']);
    expect(ids(choosePeers(all, { role: 'clients', text: '' }))).toEqual(['aa3']);
  });

  it('finds the beginning of an id, and any part of a model’s name', () => {
    expect(ids(choosePeers(all, { role: 'all', text: ' AA ' }))).toEqual(['aa3', 'aa1']);
    expect(ids(choosePeers(all, { role: 'all', text: 'qwen' }))).toEqual(['aa1']);
    expect(choosePeers(all, { role: 'clients', text: 'qwen' })).toEqual([]);
  });
});

describe('sorting peers', () => {
  it('sorts either way, with what is not known at the end of both', () => {
    expect(ids(sortPeers(all, { key: 'health', descending: true }))).toEqual(['bb2', 'aa1', 'aa3']);
    expect(ids(sortPeers(all, { key: 'health', descending: false }))).toEqual(['aa1', 'bb2', 'aa3']);
  });

  it('keeps equals in the order of their ids, however they came', () => {
    const order = { key: 'owes', descending: true } as const;
    expect(ids(sortPeers(all, order))).toEqual(['aa3', 'aa1', 'bb2']);
    expect(ids(sortPeers(all.toReversed(), order))).toEqual(['aa3', 'aa1', 'bb2']);
  });
});

describe('words', () => {
  it('has a word in both languages for every health that a peer may tell of itself', () => {
    for (const texts of [commonEn, commonDe]) {
      for (const state of HEALTH_STATES) expect(texts.healthState).toHaveProperty([state], expect.any(String));
    }
  });

  it('has a text in both languages for every offence and every kind of NAT', () => {
    for (const texts of [en, de]) {
      for (const offence of [...Object.keys(OFFENCES), 'banned by hand']) {
        expect(texts.offence).toHaveProperty([offence], expect.any(String));
      }
      for (const kind of [...NAT_KINDS, 'offline']) expect(texts.reach).toHaveProperty([kind, 'title']);
    }
  });

  it('shows a word without a text as it is', () => {
    expect(knownText(en.offence, 'replay')).toBe('Sent an old message again');
    expect(knownText(en.offence, 'toString')).toBe('toString');
  });
});
