import { expect, it } from 'vitest';
import { placeArgument, targetOf } from '../../../../src-main/cli/evaluation/target.ts';
import { SHEET_KEY } from '../../../support/bittensor-key.ts';

const { address: hotkey } = SHEET_KEY;
const at = { ip: '203.0.113.9', port: 8_091 };

it('knows this computer, the mesh, a server and a miner', () => {
  expect(targetOf(undefined, {})).toEqual({ kind: 'local' });
  expect(targetOf('some.gguf', {})).toEqual({ kind: 'local' });
  expect(targetOf('mesh', {})).toEqual({ kind: 'mesh' });
  expect(targetOf('mesh:a:b', {})).toEqual({ kind: 'mesh', model: 'a:b' });
  const url = 'https://host:8000/v1';
  expect(targetOf(url, { model: 'm' })).toEqual({ kind: 'address', url, model: 'm' });
  expect(targetOf(`axon:${hotkey}`, {})).toEqual({ kind: 'axon', hotkey });
  expect(targetOf(`axon:${hotkey}`, { netuid: 0, address: at })).toEqual({ kind: 'axon', hotkey, netuid: 0, at });
});

it('says what is not named, and takes no option of somebody else', () => {
  for (const wrong of ['axon', 'axon:', 'axon:5abc', `axon:${hotkey}0`]) {
    expect(() => targetOf(wrong, {})).toThrow('No miner is named.');
  }
  expect(() => targetOf('mesh', { model: 'm' })).toThrow('--model says more of a server');
  expect(() => targetOf(`axon:${hotkey}`, { model: 'm' })).toThrow('--model says more of a server');
  expect(() => targetOf('mesh', { address: at })).toThrow('--address says more of a miner');
  expect(() => targetOf('https://host/v1', { netuid: 3 })).toThrow('--netuid says more of a miner');
});

it('reads an address with its port, and nothing else', () => {
  expect(placeArgument('203.0.113.9:8091')).toEqual(at);
  expect(placeArgument('[2001:db8::9]:1')).toEqual({ ip: '2001:db8::9', port: 1 });
  for (const wrong of ['203.0.113.9', '203.0.113:8091', '2001:db8::9:8091', 'host:8091', '203.0.113.9:0', '[1]:1']) {
    expect(() => placeArgument(wrong), wrong).toThrow('are wanted');
  }
});
