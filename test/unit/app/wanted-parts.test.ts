import { expect, it } from 'vitest';
import { wantedParts } from '../../../src-main/app/domains.ts';
import { loadConfig } from '../../../src-main/settings/config.ts';

const partsOf = (env: Record<string, string>) => wantedParts(loadConfig({ env }));

it('lets a miner mine, at once unless the settings say otherwise', () => {
  expect(partsOf({})).toMatchObject({ worker: true, engine: true, mesh: true, server: true });
  expect(partsOf({ QUARRY_MINE_ON_START: 'false' })).toMatchObject({ worker: true, engine: false });
});

it('gives the other roles no worker and no model', () => {
  expect(partsOf({ QUARRY_ROLE: 'client' })).toMatchObject({ worker: false, engine: false, mesh: true, server: true });
  expect(partsOf({ QUARRY_ROLE: 'validator' })).toMatchObject({ worker: false, engine: false });
});

it('joins the models network only for a reason', () => {
  const off = { QUARRY_MODELS_FROM_PEERS: 'false', QUARRY_SHARING_SEED: 'false' };
  expect(partsOf(off).sharing).toBe(false);
  expect(partsOf({ ...off, QUARRY_SHARING_SEED: 'true' }).sharing).toBe(true);
});
