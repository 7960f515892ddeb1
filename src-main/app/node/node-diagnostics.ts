import { collectDiagnostics } from '../../diagnostics/diagnostics.ts';
import type { App } from '../app.ts';
import { examineNode, probeComputer } from './examination.ts';
import { reachabilityOf } from './reachability.ts';

/** What a helper needs to find a fault of this node, as one JSON text without secrets. Never throws. */
export function diagnosticsOf(app: App): Promise<{ fileName: string; text: string }> {
  return collectDiagnostics({
    config: app.config,
    settings: app.settings,
    sections: {
      status: () => app.status(),
      doctor: () => examineNode(app),
      hardware: () => probeComputer(app.config, app.gpus),
      reachability: async () => reachabilityOf(app),
      refusals: async () => app.mesh?.swarm.refusals.counts(),
      models: () => app.models.list(),
      downloads: async () => app.models.downloads.list(),
      sharing: async () => app.models.sharing(),
      lastMinutes: async () => app.samples?.list(),
    },
  });
}
