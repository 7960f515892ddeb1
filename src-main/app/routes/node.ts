import type { MiningView } from '../../../src-preload/contract/node.ts';
import { followLog } from '../../diagnostics/log-tail.ts';
import type { Core } from '../parts/core.ts';
import type { EnergyPart } from '../parts/energy.ts';
import { type MiningPart, NO_MINING } from '../parts/mesh/mining.ts';
import { need } from '../parts/need.ts';
import type { ActivityPart } from '../parts/node/activity.ts';
import type { NodePart } from '../parts/node/node.ts';
import type { Domain } from './implementer.ts';

export interface NodeRoutesNeeds {
  node: NodePart;
  activity: ActivityPart;
  energy: Pick<EnergyPart, 'energy'>;
  mining: Pick<MiningPart, 'switch'> | undefined;
  core: Pick<Core, 'config' | 'door' | 'until'>;
}

/** The contract's `node`. */
export function nodeRoutes(
  { os, named }: Domain<'node'>,
  { node, activity, energy, mining, core: { config, door, until } }: NodeRoutesNeeds,
) {
  return {
    status: os.status.handler(() => node.status()),
    watch: os.watch.handler(({ signal }) => named(node.watch(signal))),
    watchSamples: os.watchSamples.handler(({ signal }) => named(node.watchSamples(signal))),
    history: os.history.handler(({ input }) => activity.history(input.range)),
    cards: os.cards.handler(() => node.cards()),
    energy: os.energy.handler(async () => energy.energy(await activity.mined())),
    hardware: os.hardware.handler(() => node.hardware()),
    entry: os.entry.handler(() => door.entry()),
    doctor: os.doctor.handler(() => node.doctor()),
    startMining: os.startMining.handler(() => turn('start', need(mining, NO_MINING))),
    stopMining: os.stopMining.handler(() => turn('stop', need(mining, NO_MINING))),
    restart: os.restart.handler(() => node.restart()),
    stop: os.stop.handler(() => node.stop()),
    diagnostics: os.diagnostics.handler(() => node.diagnostics()),
    watchLog: os.watchLog.handler(({ signal }) => named(followLog(config.dataDir, until(signal)))),
  };
}

/** @throws what loading the model throws */
async function turn(step: 'start' | 'stop', { switch: mining }: Pick<MiningPart, 'switch'>): Promise<MiningView> {
  await mining[step]();
  return mining.view();
}
