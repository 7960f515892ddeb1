import { expect, it } from 'vitest';
import { placeArgument, targetOf, withTheOthers } from '../../../../src-main/cli/evaluation/target.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
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

it('says who else can be asked where no model is called so', () => {
  const hint = 'Choose one of: tiny.';
  const none = new QuarryError({ code: 'MODEL_NOT_FOUND', message: 'There is no model named «msh» here.', hint });
  expect(withTheOthers(none)).toMatchObject({
    ...{ code: 'MODEL_NOT_FOUND', message: none.message },
    hint: expect.stringMatching(/^Choose one of: tiny\. .*«mesh».*https:\/\/.*«axon:HOTKEY»/),
  });
  const other = new QuarryError({ code: 'NO_WORKER', message: 'No worker is in reach.' });
  expect(withTheOthers(other)).toBe(other);
});

it('reads an address with its port, and nothing else', () => {
  expect(placeArgument('203.0.113.9:8091')).toEqual(at);
  expect(placeArgument('[2001:db8::9]:1')).toEqual({ ip: '2001:db8::9', port: 1 });
  for (const wrong of ['203.0.113.9', '203.0.113:8091', '2001:db8::9:8091', 'host:8091', '203.0.113.9:0', '[1]:1']) {
    expect(() => placeArgument(wrong), wrong).toThrow('are wanted');
  }
});

it('says what can be given where something odd is', () => {
  const all = /model of this computer.*«mesh».*http:\/\/ or https:\/\/.*«axon:HOTKEY»/s;
  for (const odd of ['ftp://host/v1', 'ws://host', 'file:///m.gguf', 'HTTP:/host/v1', '', ' ']) {
    expect(() => targetOf(odd, {}), odd).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', field: 'model', hint: expect.stringMatching(all) }),
    );
  }
  for (const odd of ['http://', 'https://a b', 'https://host/v1?key=secret', 'https://me:secret@host/v1']) {
    const thrown = { message: 'This is no address of a server that can be asked.', hint: expect.stringMatching(/key/) };
    expect(() => targetOf(odd, {}), odd).toThrow(expect.objectContaining(thrown));
  }
  // Names of models may have a colon.
  for (const name of ['qwen3:4b', 'C:\\models\\a.gguf', '/models/a.gguf']) {
    expect(targetOf(name, {})).toEqual({ kind: 'local' });
  }
});
