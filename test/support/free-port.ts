import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any, or calls somebody; above 10,080, which `fetch` refuses to call. */
const PORTS = [10_081, 20_000] as const;
/** Those that this process has had: who kept a connection to the one before would send the next one's question there. */
const had = new Set<number>();

/** A TCP port of the loopback interface that nobody takes by chance, also while its server is away for a moment. */
export async function freePort(): Promise<number> {
  await using taken = await takePort();
  return taken.port;
}

/** Such a port that somebody else has, until it is disposed of. */
export async function takePort(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer();
  const port = randomInt(...PORTS);
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  const isFree = await listening.then(
    () => true,
    () => false, // whatever else runs here has it
  );
  if (!isFree || had.has(port)) {
    server.close();
    return await takePort();
  }
  had.add(port);
  return { port, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}
