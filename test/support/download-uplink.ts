import type { ByteSource } from '../../src-main/models/downloads/byte-source.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';
import { connectionError } from '../../src-main/models/downloads/http-refusal.ts';
import { httpSources } from '../../src-main/models/downloads/http-source.ts';
import type { WantedModel } from '../../src-main/models/wanted-model.ts';

/** The way to real web servers, which may be cut: then it is as where the network is unreachable. Down at first. */
export class Uplink {
  up = false;
  /** Times that a server was asked for in vain. */
  tries = 0;
  readonly #client = new HttpClient({
    userAgent: 'quarry/test',
    isNamed: () => true,
    proxies: { httpProxy: '', httpsProxy: '' },
  });

  readonly sources = (wanted: WantedModel): ByteSource[] =>
    httpSources(wanted, this.#client).map((source) => this.#behind(source));

  async close(): Promise<void> {
    await this.#client.close();
  }

  #behind(source: ByteSource): ByteSource {
    return {
      name: source.name,
      kind: source.kind,
      get parallel() {
        return source.parallel;
      },
      open: (signal) => {
        this.#check(source.name);
        return source.open(signal);
      },
      read: (range, signal) => {
        this.#check(source.name);
        return source.read(range, signal);
      },
      close: () => source.close(),
    };
  }

  #check(host: string): void {
    if (this.up) return;
    this.tries++;
    throw connectionError(host, Object.assign(new Error('unreachable'), { code: 'ENETUNREACH' }));
  }
}
