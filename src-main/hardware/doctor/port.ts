import { once } from 'node:events';
import { createServer } from 'node:net';
import type { CheckResult } from './check.ts';

/**
 * Whether the API's port is free.
 *
 * @param runningUrl address of the Quarry node that runs on this data folder, if one does: then it is the one that
 *   holds the port
 */
export async function checkPort(host: string, port: number, runningUrl?: string): Promise<CheckResult> {
  const name = 'port';
  if (runningUrl && new URL(runningUrl).port === String(port)) {
    return { name, status: 'ok', found: `Quarry is running on ${runningUrl}.` };
  }
  try {
    await listenOnce(host, port);
    return { name, status: 'ok', found: `Port ${port} on ${host} is free.` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const found = `Port ${port} on ${host} cannot be used: ${explain(code)}.`;
    return { name, status: 'fail', found, advice: adviceFor(code) };
  }
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
  } finally {
    server.close();
  }
}

function explain(code: string | undefined): string {
  if (code === 'EADDRINUSE') return 'another program holds it';
  if (code === 'EACCES') return 'this user may not open it';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'the address is not one of this computer';
  return code ?? 'unknown reason';
}

function adviceFor(code: string | undefined): string {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'Set host to 127.0.0.1 or to an address of this computer.';
  return 'End that program, or choose another port with --port.';
}
