import { followLog } from '../../diagnostics/log-tail.ts';
import type { App } from '../app.ts';
import { examineNode, probeComputer } from '../node/examination.ts';
import { diagnosticsOf } from '../node/node-diagnostics.ts';
import { type Implementer, named } from './implementer.ts';

/** The contract's `node`. */
export function nodeRouter(os: Implementer['node'], app: App) {
  return {
    status: os.status.handler(() => app.status()),
    watch: os.watch.handler(({ signal }) => named(app.watch(signal), app)),
    watchSamples: os.watchSamples.handler(({ signal }) => named(app.watchSamples(signal), app)),
    hardware: os.hardware.handler(() => probeComputer(app.config, app.gpus)),
    doctor: os.doctor.handler(() => examineNode(app)),
    startMining: os.startMining.handler(() => app.startMining()),
    stopMining: os.stopMining.handler(() => app.stopMining()),
    restart: os.restart.handler(() => app.restart()),
    diagnostics: os.diagnostics.handler(() => diagnosticsOf(app)),
    watchLog: os.watchLog.handler(({ signal }) => named(followLog(app.config.dataDir, app.until(signal)), app)),
  };
}
