import { once } from 'node:events';
import { createServer } from 'node:net';
import { say, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/**
 * Whether the API's port is free.
 *
 * @param runningUrl address of the Quarry node that runs on this data folder, if one does: then it is the one that
 *   matters, whatever is set
 */
export async function checkPort(host: string, port: number, runningUrl?: string): Promise<CheckResult> {
  const name = 'port';
  if (runningUrl) {
    if (portOf(runningUrl) !== port) return elsewhere(port, runningUrl);
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

/** A node that was started with another port than is set, or before it was; 0 is any. */
function elsewhere(port: number, runningUrl: string): CheckResult {
  const found = say('doctor.port.running', { runningUrl });
  const advice = say('doctor.port.otherSet', { port: String(port) });
  return { name: 'port', status: 'ok', ...told(port === 0 ? { found } : { found, advice }) };
}

/** As the address says it, or as its scheme does. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === 'https:' ? 443 : 80));
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
