import { describe, expect, it } from 'vitest';
import type { AxonState } from '../../../src-preload/contract/axon.ts';
import type { NeuronView, SubnetView } from '../../../src-preload/contract/chain.ts';
import { raoOf } from '../../../src-preload/contract/rao.ts';
import { registrationLimit } from '../../../src-preload/contract/registration-limit.ts';
import { RULE_KINDS } from '../../../src-preload/contract/subnet-rules.ts';
import de from '../../../src-renderer/i18n/de/subnets.json' with { type: 'json' };
import en from '../../../src-renderer/i18n/en/subnets.json' with { type: 'json' };
import { agreementOf } from '../../../src-renderer/pages/subnets/axon/agreement.ts';
import { keptHotkeys, payableHotkeys } from '../../../src-renderer/pages/subnets/calls/own-hotkeys.ts';
import { chooseSubnets, sortSubnets } from '../../../src-renderer/pages/subnets/list/subnet-list.ts';
import { neuronsCsv, neuronsFileName } from '../../../src-renderer/pages/subnets/neurons/neuron-csv.ts';
import {
  ALL_NEURONS,
  chooseNeurons,
  incentiveRank,
  sortNeurons,
} from '../../../src-renderer/pages/subnets/neurons/neuron-list.ts';
import { ownPart } from '../../../src-renderer/pages/subnets/subnet/own-part.ts';
import { pathOfSubnet, subnetAt } from '../../../src-renderer/pages/subnets/subnet-address.ts';
import { sampleAxon } from '../../support/screens/sample-axon.ts';
import { chainSubnets, sampleMetagraph } from '../../support/screens/sample-chain.ts';

const subnet = (netuid: number, more: Partial<SubnetView> = {}): SubnetView => ({
  netuid,
  name: `net ${netuid}`,
  neurons: 1,
  places: 256,
  price: '10',
  registrationCost: '100',
  registrationOpen: true,
  own: 0,
  ...more,
});
const neuron = (uid: number, more: Partial<NeuronView> = {}): NeuronView => ({
  uid,
  hotkey: `5Hot${uid}`,
  coldkey: '5Cold',
  axon: null,
  active: true,
  validatorPermit: false,
  stake: '0',
  incentive: 0,
  dividends: 0,
  consensus: 0,
  emission: '0',
  updatedAgo: 0,
  registeredAt: 0,
  ...more,
});
const netuids = (subnets: SubnetView[]) => subnets.map(({ netuid }) => netuid);
const uids = (neurons: NeuronView[]) => neurons.map(({ uid }) => uid);

describe('the list of subnets', () => {
  const subnets = [
    subnet(1, { price: '9' }),
    subnet(2, { price: null }),
    subnet(12, { price: '100', own: 1, name: 'Omega' }),
    subnet(30, { price: '10' }),
  ];

  it('has those with neurons of one’s own first, whatever it is sorted by', () => {
    expect(netuids(sortSubnets(subnets, { key: 'netuid', descending: false }))).toEqual([12, 1, 2, 30]);
    expect(netuids(sortSubnets(subnets, { key: 'netuid', descending: true }))).toEqual([12, 30, 2, 1]);
  });

  it('sorts amounts by what they are, not by their letters, with those that have none at the end', () => {
    expect(netuids(sortSubnets(subnets, { key: 'price', descending: true }))).toEqual([12, 30, 1, 2]);
    expect(netuids(sortSubnets(subnets, { key: 'price', descending: false }))).toEqual([12, 1, 30, 2]);
  });

  it('is searched by the beginning of a number, or by any part of a name', () => {
    expect(netuids(chooseSubnets(subnets, '1'))).toEqual([1, 12]);
    expect(netuids(chooseSubnets(subnets, '#12'))).toEqual([12]);
    expect(netuids(chooseSubnets(subnets, ' omEGA'))).toEqual([12]);
    expect(chooseSubnets(subnets, '.*')).toEqual([]);
    expect(chooseSubnets(subnets, ' ')).toHaveLength(4);
  });
});

describe('the neurons of a subnet', () => {
  const neurons = [
    neuron(0, { validatorPermit: true, stake: '18446744073709551615' }),
    neuron(1, { incentive: 0.2, stake: '9', own: { wallet: 'main', hotkey: 'default' } }),
    neuron(2, { incentive: 0.5, stake: '10', axon: { ip: '203.0.113.9', port: 8_091 } }),
    neuron(3, { incentive: 0.2, stake: '10' }),
  ];

  it('are sorted by stake beyond what a number can hold; equals keep the order of their numbers', () => {
    expect(uids(sortNeurons(neurons, { key: 'stake', descending: true }))).toEqual([0, 2, 3, 1]);
    expect(uids(sortNeurons(neurons.toReversed(), { key: 'incentive', descending: true }))).toEqual([2, 1, 3, 0]);
  });

  it('are found by number, key, address and own name, and by what they are', () => {
    const find = (text: string) => uids(chooseNeurons(neurons, { ...ALL_NEURONS, text }));
    expect(find('113.9:80')).toEqual([2]);
    expect(find('MAIN default')).toEqual([1]);
    expect(find('5hot3')).toEqual([3]);
    expect(uids(chooseNeurons(neurons, { whose: 'own', text: '' }))).toEqual([1]);
    expect(uids(chooseNeurons(neurons, { whose: 'validators', text: '' }))).toEqual([0]);
    expect(uids(chooseNeurons(neurons, { whose: 'validators', text: '5hot3' }))).toEqual([]);
  });

  it('share the better rank where they have the same incentive', () => {
    expect(neurons.map((one) => incentiveRank(neurons, one))).toEqual([4, 2, 1, 2]);
  });

  it('are added up where they are one’s own, without losing a rao', () => {
    const own = { wallet: 'main', hotkey: 'other' };
    const rows = [neuron(1, { own, emission: '9007199254740993' }), neuron(2, { own, emission: '2' }), neuron(3)];
    expect(ownPart({ rows })).toMatchObject({ neurons: [rows[0], rows[1]], emission: '9007199254740995' });
    expect(ownPart({ rows: [neuron(3)] })).toBeUndefined();
  });

  it('are as quickly sorted and searched when there are 4,096 of them', () => {
    const { rows } = sampleMetagraph(subnet(1), 4_096);
    const validators = chooseNeurons(rows, { whose: 'validators', text: '' });
    expect(validators).toHaveLength(256);
    const byStake = sortNeurons(rows, { key: 'stake', descending: true });
    expect(BigInt(byStake[0]?.stake ?? 0)).toBeGreaterThan(BigInt(byStake.at(-1)?.stake ?? 0));
    expect(new Set(uids(byStake)).size).toBe(4_096);
  });
});

describe('neurons as CSV', () => {
  it('has a head, a line for each, and every digit of an amount', () => {
    const csv = neuronsCsv([
      neuron(7, { stake: '1234567890123456789', incentive: 0.25, axon: { ip: '2001:db8::9', port: 8_091 } }),
    ]);
    const [head, line, end] = csv.split('\r\n');
    expect(head?.split(',').slice(0, 5)).toEqual(['uid', 'hotkey', 'coldkey', 'own', 'stake']);
    expect(line).toBe('7,5Hot7,5Cold,,1234567890.123456789,0.25,0,0,0,[2001:db8::9]:8091,true,false,0,0');
    expect(end).toBe('');
  });

  it('hands no formula and no second cell to a spreadsheet, whatever a wallet is called', () => {
    const csv = neuronsCsv([neuron(1, { own: { wallet: '=1+1', hotkey: 'a","b' } })]);
    expect(csv).toContain(`,"'=1+1/a"",""b",`);
  });

  it('is named by subnet and block', () => {
    expect(neuronsFileName({ netuid: 12, block: 5 })).toBe('subnet-12-block-5.csv');
  });
});

describe('the address of a subnet', () => {
  it('names its number and what of it is shown', () => {
    expect(subnetAt('/subnets/12')).toEqual({ netuid: 12, view: 'neurons' });
    expect(subnetAt(pathOfSubnet(0, 'rules'))).toEqual({ netuid: 0, view: 'rules' });
  });

  it.each(['/subnets', '/subnets/axon', '/subnets/65536', '/subnets/1e3', '/subnets/-1', '/subnets/1/other'])(
    '%s names none',
    (address) => expect(subnetAt(address)).toBeUndefined(),
  );
});

describe('whether others are told of the axon that runs here', () => {
  const here: AxonState = sampleAxon;
  const hotkey = here.hotkey?.address ?? '';
  const told = { ip: '203.0.113.17', port: 8_091 };

  it.each([
    ['none', null, here],
    ['same', told, here],
    ['other', { ...told, port: 8_092 }, here],
    ['stopped', told, { ...here, running: false, hotkey: null, port: null }],
    ['elsewhere', told, { ...here, hotkey: { wallet: 'w', hotkey: 'h', address: '5Other' } }],
    ['unsure', told, { ...here, external: null }],
  ] as const)('%s', (agreement, axon, state) => {
    expect(agreementOf({ hotkey, axon }, state)).toBe(agreement);
  });

  it('knows an IPv6 address however it is written', () => {
    const external = { ip: '2001:DB8:0::9', port: 8_091, from: 'settings' } as const;
    expect(agreementOf({ hotkey, axon: { ip: '2001:db8::9', port: 8_091 } }, { ...here, external })).toBe('same');
  });
});

describe('registering', () => {
  it('offers the price and a hundredth as the most to pay, rounded up', () => {
    expect(registrationLimit(raoOf('1'))).toBe(raoOf('1.01'));
    expect(registrationLimit(1n)).toBe(2n);
    expect(registrationLimit(0n)).toBe(0n);
  });

  it('takes hotkeys whose coldkey can pay; answering takes those whose own key is here', () => {
    const wallets = [
      {
        name: 'main',
        coldkey: { address: '5Pays', sealing: 'nacl' as const },
        hotkeys: [
          { name: 'here', address: '5Here', sealing: 'plain' as const },
          { name: 'watched', address: '5Watched', sealing: null },
        ],
      },
      {
        name: 'watched',
        coldkey: { address: '5Cold', sealing: null },
        hotkeys: [{ name: 'k', address: '5K', sealing: 'plain' as const }],
      },
      { name: 'empty', coldkey: null, hotkeys: [] },
    ];
    expect(payableHotkeys(wallets).map(({ address, coldkey }) => [address, coldkey])).toEqual([
      ['5Here', '5Pays'],
      ['5Watched', '5Pays'],
    ]);
    expect(keptHotkeys(wallets).map(({ address }) => address)).toEqual(['5Here', '5K']);
  });
});

describe('the rules of a subnet', () => {
  it('have a name and a sentence in both languages', () => {
    for (const texts of [en, de]) {
      expect(Object.keys(texts.rules.of).sort()).toEqual(Object.keys(RULE_KINDS).sort());
    }
  });
});

describe('the samples', () => {
  it('are as many subnets as there are on the main chain', () => {
    expect(chainSubnets).toHaveLength(128);
  });
});
