import { once } from 'node:events';
import { createServer } from 'node:net';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
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
    return { name, status: 'ok', ...told({ found: say('doctor.port.running', { runningUrl }) }) };
  }
  try {
    await listenOnce(host, port);
    return { name, status: 'ok', ...told({ found: say('doctor.port.free', { port: String(port), host }) }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const found = say('doctor.port.taken', { port: String(port), host, why: explain(code) });
    return { name, status: 'fail', ...told({ found, advice: adviceFor(code) }) };
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

function explain(code: string | undefined): Words {
  if (code === 'EADDRINUSE') return say('doctor.port.held');
  if (code === 'EACCES') return say('doctor.port.forbidden');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return say('doctor.port.foreign');
  return code ?? say('doctor.port.unknown');
}

function adviceFor(code: string | undefined): Words {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return say('doctor.port.setHost');
  return say('doctor.port.choose');
}
