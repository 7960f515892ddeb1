import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Chain } from '../../bittensor/chain/chain.ts';
import { type Identity, verify } from '../../mesh/transport/identity.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import { GenuineResults } from '../../validation/genuine-results.ts';
import type { RunSettings } from '../../validation/run/run-options.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import { chosen } from './chosen.ts';
import type { KnownEnvironments } from './known-environments.ts';
import { AllMiners, type AllMinersOptions } from './miners/all-miners.ts';
import { RunControl } from './run-control.ts';
import type { SubnetLook } from './subnet-look.ts';
import { WeightKeeper } from './weight-keeper.ts';
import { openWeightSetting, type WeightSettingOptions } from './weight-setting.ts';
import { chainWeights } from './weights-in-force.ts';

export interface AskingNeeds
  extends Pick<AllMinersOptions, 'mesh' | 'allowInside'>,
    Pick<WeightSettingOptions, 'wallets'> {
  chain: WeightSettingOptions['chain'] & Pick<Chain, 'committed'>;
  /** What the chain said of the subnet lately. */
  subnet: Pick<SubnetLook, 'known'>;
  settings: () => ValidatorSettings;
  results: ResultsDb;
  known: KnownEnvironments;
  identity: Identity;
  /** Milliseconds that what is being asked has at the end. */
  graceMs: number;
  /** Told when weights are set or cannot be. How the run goes is not told: with every result is too often. */
  onChange: () => void;
  log: Logger;
}

/** What asks miners on and on, and sets weights by what they said. Both are begun and ended together. */
export function openAsking(needs: AskingNeeds): { control: RunControl; keeper: WeightKeeper } {
  const { settings, results, known, identity, chain, wallets, onChange, graceMs, log } = needs;
  const committed = (netuid: number) => chain.committed(netuid);
  const miners = new AllMiners({ ...needs, committed: (netuid) => needs.subnet.known(netuid) });
  const control = new RunControl({
    results,
    miners: {
      list: async () => {
        await known.lookFor(settings().environments); // a data set may have come meanwhile
        return miners.list();
      },
      close: () => miners.close(),
      get fault() {
        return miners.fault;
      },
    },
    prepare: async () => {
      if (await isThere(results, log)) await known.lookFor(settings().environments);
      else if (settings().environments) return; // which data sets there are is in the database, too
      // What there is not is told before anything is asked.
      for (const { environment } of chosen(known, settings())) await environment.prepare?.();
    },
    names: () => settings().environments ?? [...known.usual.keys()],
    settings: () => runSettings(settings(), known),
    environmentOf: (name) => known.all.get(name),
    signer: identity,
    verify,
    graceMs,
    log,
  });
  const genuine = new GenuineResults(verify);
  const weighing = { results, known, settings, committed, genuine, own: identity.id };
  const keeper = new WeightKeeper({
    settings,
    weigh: (netuid, onLooked) => chainWeights({ ...weighing, onLooked }, netuid),
    open: (netuid, by) => openWeightSetting({ chain, wallets, netuid, by }),
    onChange,
    log,
  });
  return { control, keeper };
}

/** Where the database’s server is away, as it may be while a machine starts, the run waits for it. @throws what will not pass */
async function isThere(results: ResultsDb, log: Logger): Promise<boolean> {
  try {
    await results.open();
    return true;
  } catch (error) {
    if (!QuarryError.from(error).retryable) throw error;
    log.warn({ err: error }, 'the results cannot be reached yet');
    return false;
  }
}

function runSettings({ timeout, ...settings }: ValidatorSettings, known: KnownEnvironments): RunSettings {
  return { ...settings, timeoutMs: timeout * 1_000, environments: chosen(known, settings) };
}
