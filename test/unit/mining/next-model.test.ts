import { expect, it } from 'vitest';
import { NextModel } from '../../../src-main/mining/next-model.ts';
import type { ModelFile } from '../../../src-main/models/library/library.ts';
import { loadConfig } from '../../../src-main/settings/config.ts';

/** A library of one model, which may be another one later. */
function make(env: NodeJS.ProcessEnv = {}) {
  const state = { newest: 'small', looks: 0, at: 0, model: undefined as string | undefined };
  const library = {
    find: async () => {
      state.looks++;
      if (state.newest === '') throw new Error('the drive is gone');
      return { name: state.newest } as ModelFile;
    },
  };
  const config = loadConfig({ env });
  return { state, next: new NextModel({ config, model: () => state.model, library, now: () => state.at }) };
}

const turn = () => new Promise(setImmediate);

it('is the newest model of the library, which is looked at every few seconds and never waited for', async () => {
  const { state, next } = make();
  expect(next.name).toBeUndefined();
  await turn();
  expect(next.name).toBe('small');
  state.newest = 'large';
  state.at = 4_999;
  expect(next.name).toBe('small');
  expect(state.looks).toBe(1);
  state.at = 5_000;
  expect([next.name, next.name]).toEqual(['small', 'small']);
  await turn();
  expect([next.name, state.looks]).toEqual(['large', 2]);
});

it('is not known while the library is out of reach', async () => {
  const { state, next } = make();
  state.newest = '';
  expect(next.name).toBeUndefined();
  await turn();
  expect(next.name).toBeUndefined();
});

it('is what the settings name, whatever is in the library', async () => {
  const { state, next } = make();
  state.model = 'chosen';
  expect(next.name).toBe('chosen');
  const remote = { QUARRY_BACKEND: 'remote', QUARRY_REMOTE_BASE_URL: 'http://127.0.0.1:1/v1' };
  expect(make({ ...remote, QUARRY_REMOTE_MODEL: 'far' }).next.name).toBe('far');
  expect(make(remote).next.name).toBeUndefined();
  expect(state.looks).toBe(0);
});
