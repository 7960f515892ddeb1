import { version } from '../../base/version.ts';
import { Downloads } from '../../models/downloads/downloads.ts';
import { HttpClient } from '../../models/downloads/http-client.ts';
import { httpSources } from '../../models/downloads/http-source.ts';
import type { App } from '../app.ts';
import { modelsFolder } from './model-library.ts';

/** The downloads of this node, not open yet: from the web, and from peers where it is on the models network. */
export function createDownloads(app: App, resources: AsyncDisposableStack): Downloads {
  const { config, library, log } = app;
  const { token, endpoint, downloadLimit } = config.models;
  const client = new HttpClient({
    userAgent: `quarry/${version}`,
    ...(token && { token: { origin: new URL(endpoint).origin, value: token } }),
  });
  resources.defer(() => client.close());
  return new Downloads({
    folder: modelsFolder(config),
    sources: (wanted) => {
      const peers = app.modelsNode?.sharing.source(wanted);
      return [...(peers ? [peers] : []), ...httpSources(wanted.urls, client)];
    },
    adopt: async (partial, wanted, download) => {
      await app.models.seed(await library.adopt(partial, wanted, download));
    },
    bytesPerSecond: downloadLimit ?? null,
    log,
  });
}
