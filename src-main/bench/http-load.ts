import { Agent, request } from 'node:http';
import { quantile } from '../base/quantile.ts';

/** Requests on their way at a time. */
const CONNECTIONS = 32;

/** A request that is ready to be sent, to a server on this computer. */
export interface PreparedRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What a server was found to do. */
export interface LoadFigures {
  perSecond: number;
  /** Milliseconds below which 99 of 100 answers were there. */
  p99Ms: number;
}

/** Many who ask one server of this computer as fast as it answers. */
export class HttpLoad {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  /** Sends all of them. @throws Error when one is refused */
  async run(port: number, requests: readonly PreparedRequest[]): Promise<LoadFigures> {
    const waiting = requests.toReversed();
    const waits: number[] = [];
    const startedAt = performance.now();
    const sender = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) waits.push(await this.#send(port, next));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    const perSecond = (requests.length * 1_000) / (performance.now() - startedAt);
    const sorted = waits.toSorted((a, b) => a - b);
    return { perSecond, p99Ms: quantile(sorted, 0.99) };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(port: number, { method, path, headers, body }: PreparedRequest): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const startedAt = performance.now();
    const options = { host: '127.0.0.1', port, path, method, agent: this.#agent, headers };
    const asked = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const isSuccess = response.statusCode === 200 || response.statusCode === 201;
      response.once('error', reject).once('end', () => {
        if (isSuccess) resolve(performance.now() - startedAt);
        else reject(new Error(`${path} was answered with ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    asked.once('error', reject).end(body);
    return promise;
  }
}
