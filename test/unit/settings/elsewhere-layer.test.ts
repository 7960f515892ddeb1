import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGiven, loadConfig, readNotTaken } from '../../../src-main/settings/config.ts';

const cwd = resolve('/work-folder');
const home = resolve('/home/ada');
const ARCHIVE = 'wss://archive.chain.opentensor.ai:443';

/** What a command would see with these variables, this file of btcli, and this one of Quarry. */
function sources(env: Record<string, string>, { yaml, toml = '' }: { yaml?: string; toml?: string } = {}) {
  const files: Record<string, string | undefined> = {
    [join(home, '.bittensor/config.yml')]: yaml,
    [join(cwd, 'quarry.toml')]: toml,
  };
  const readFile = (path: string) => files[path];
  return { cwd, readFile, env: { HOME: home, ...env }, flags: { configFile: 'quarry.toml' } };
}

function chain(...given: Parameters<typeof sources>) {
  const { network, endpoint } = loadConfig(sources(...given)).bittensor;
  return [network, endpoint];
}

const refusals = (...given: Parameters<typeof sources>) => readNotTaken(sources(...given));

describe('what Bittensor’s own programs have set', () => {
  it('counts where nothing is set in Quarry: variables, then btcli’s file', () => {
    const yaml =
      'network: test\nwallet_path: ~/keys/\nwallet_name: 1\nwallet_hotkey: null\nmetagraph_cols:\n  UID: true\n';
    expect(chain({})).toEqual(['finney', undefined]);
    expect(chain({}, { yaml })).toEqual(['test', undefined]);
    expect(chain({ BT_SUBTENSOR_NETWORK: 'local' }, { yaml })).toEqual(['local', undefined]);
    expect(chain({ BT_SUBTENSOR_NETWORK: 'local' }, { yaml, toml: 'bittensor.network = "finney"' })).toEqual([
      'finney',
      undefined,
    ]);
    const { bittensor, axon } = loadConfig(sources({}, { yaml }));
    expect(bittensor.walletFolder).toMatch(/[/\\]keys$/);
    expect(axon).toMatchObject({ wallet: '1', hotkey: 'default' });
    expect(loadConfig(sources({ BT_WALLET_PATH: 'mine' }, { yaml })).bittensor.walletFolder).toBe(join(cwd, 'mine'));
  });

  it('btcli’s file may stand elsewhere', () => {
    const elsewhere = { ...sources({ BTCLI_CONFIG_PATH: '/etc/btcli.yml' }), readFile: () => 'network: test' };
    expect(
      loadConfig({
        ...elsewhere,
        flags: {},
        readFile: (path) => (path === '/etc/btcli.yml' ? 'network: test' : undefined),
      }),
    ).toMatchObject({ bittensor: { network: 'test' } });
  });

  it.each([
    ['archive', ['finney', ARCHIVE]],
    ['wss://test.finney.opentensor.ai:443', ['test', 'wss://test.finney.opentensor.ai:443']],
    // A node on this computer may follow any chain: that it is not finney shows by its first block.
    ['ws://127.0.0.1:9944', ['finney', 'ws://127.0.0.1:9944']],
  ])('a network may be the name or address of an endpoint: %s', (network, found) => {
    expect(chain({ BT_SUBTENSOR_NETWORK: network })).toEqual(found);
    expect(chain({}, { yaml: `network: ${network}` })).toEqual(found);
  });

  it('an endpoint brings its network along, and is left alone where Quarry is set to another', () => {
    const BT_SUBTENSOR_CHAIN_ENDPOINT = 'wss://test.finney.opentensor.ai:443';
    expect(chain({ BT_SUBTENSOR_CHAIN_ENDPOINT })).toEqual(['test', BT_SUBTENSOR_CHAIN_ENDPOINT]);
    expect(chain({ BT_SUBTENSOR_CHAIN_ENDPOINT, QUARRY_BITTENSOR_NETWORK: 'finney' })).toEqual(['finney', undefined]);
    expect(chain({ BT_SUBTENSOR_NETWORK: 'archive' }, { toml: 'bittensor.network = "test"' })).toEqual([
      'test',
      undefined,
    ]);
    expect(chain({ BT_SUBTENSOR_CHAIN_ENDPOINT: 'ws://10.0.0.2:9944', QUARRY_BITTENSOR_NETWORK: 'local' })).toEqual([
      'local',
      'ws://10.0.0.2:9944',
    ]);
    const toml = 'bittensor.endpoint = "ws://10.0.0.2:9944"';
    expect(chain({ BT_SUBTENSOR_NETWORK: 'test' }, { toml })).toEqual(['finney', 'ws://10.0.0.2:9944']);
  });

  it.each([
    [{ BT_SUBTENSOR_NETWORK: 'rao' }, undefined, /BT_SUBTENSOR_NETWORK names the network «rao»/],
    [{ BT_SUBTENSOR_NETWORK: '__proto__' }, undefined, /«__proto__»/],
    [{ BT_SUBTENSOR_CHAIN_ENDPOINT: 'http://example.org' }, undefined, /BT_SUBTENSOR_CHAIN_ENDPOINT.*wss:/],
    [{ BT_WALLET_HOTKEY: 'x'.repeat(65) }, undefined, /BT_WALLET_HOTKEY.*axon\.hotkey/],
    [{}, 'network: dev', /config\.yml, network names the network «dev»/],
    [{}, 'network: [', /config\.yml cannot be read/],
    [{}, '- network', /config\.yml cannot be read/],
    [{}, `${'['.repeat(60_000)}`, /config\.yml cannot be read/],
    [{}, `a: ${'x'.repeat(70_000)}`, /config\.yml cannot be read/],
  ])('what cannot be used stops nothing and is told: %j %.40s', (env, yaml, words) => {
    const given = [env, yaml === undefined ? {} : { yaml }] as const;
    expect(chain(...given)).toEqual(['finney', undefined]);
    expect(refusals(...given).map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
  });

  it('nothing is told of what Quarry does not need, or does not ask for', () => {
    expect(refusals({}, { yaml: '' })).toEqual([]);
    expect(refusals({ BT_SUBTENSOR_NETWORK: 'rao', QUARRY_BITTENSOR_NETWORK: 'test' })).toEqual([]);
    expect(isGiven('bittensor.network', sources({}, { yaml: 'wallet_name: main' }))).toBe(false);
    expect(isGiven('bittensor.network', sources({}, { yaml: 'network: test' }))).toBe(true);
  });
});
