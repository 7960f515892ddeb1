import type { Logger } from 'pino';
import { version } from '../../base/version.ts';
import type { SharingNetwork } from '../../mesh/sharing/model-sharing.ts';
import { Downloads } from '../../models/downloads/downloads.ts';
import { HttpClient } from '../../models/downloads/http-client.ts';
import { httpSources } from '../../models/downloads/http-source.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import type { WantedAdapter } from '../../models/wanted-model.ts';
import type { FixedConfig } from '../../settings/config.ts';
import { modelsFolder } from './model-library.ts';
import type { ModelShares } from './model-shares.ts';

export interface ModelDownloadsOptions {
  config: FixedConfig;
  /** Bytes a second of all downloads together. Default: no cap. */
  limit?: number | undefined;
  library: ModelLibrary;
  shares: ModelShares;
  /** The models network, on a node that is on it. */
  network: SharingNetwork | undefined;
  /** Takes in versions of adapters. */
  adapters: { take(path: string, adapter: WantedAdapter, sha256: string): Promise<void> };
  client: HttpClient;
  log: Logger;
}

/** The downloads of this node, not open yet: from the web, and from peers where it is on the models network. */
export function modelDownloads(options: ModelDownloadsOptions): Downloads {
  const { config, limit, library, shares, network, adapters, client, log } = options;
  return new Downloads({
    folder: modelsFolder(config),
    sources: (wanted) => {
      const peers = network?.sharing.source(wanted);
      return [...(peers ? [peers] : []), ...httpSources(wanted, client)];
    },
    adopt: async (partial, wanted, download) => {
      if (wanted.adapter) await adapters.take(partial, wanted.adapter, download.sha256);
      else await shares.seed(await library.adopt(partial, wanted, download));
    },
    bytesPerSecond: limit ?? null,
    log,
  });
}

/** What fetches models from the web. */
export function modelsHttpClient({ models: { token, endpoint } }: Pick<FixedConfig, 'models'>): HttpClient {
  const { origin, hostname } = new URL(endpoint);
  return new HttpClient({
    userAgent: `quarry/${version}`,
    isNamed: (asked) => asked === origin,
    witness: hostname,
    ...(token && { token: { origin, value: token } }),
  });
}
