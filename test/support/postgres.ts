import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A PostgreSQL server of the test's own, on loopback. */
export interface TestPostgres {
  /** Of a database in it, for the user that may do everything. */
  url(database?: string): string;
  port: number;
  /** Ends it as a power cut would; what it had promised to keep is there after the next {@link start}. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes all that it wrote. */
  close(): Promise<void>;
}

const folders = [
  ...(process.env.PATH ?? '').split(delimiter),
  ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
];
/** Where PostgreSQL’s programs are; undefined when it is not installed. Its server refuses to run as root. */
const programs = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? userCalled('postgres') : undefined;

export const HAS_POSTGRES = programs !== undefined && (owner !== undefined || !isRoot);
if (!HAS_POSTGRES) {
  process.stderr.write(
    'skipped: no PostgreSQL. Install it (on Debian: apt-get install postgresql) to run these tests.\n',
  );
}

function userCalled(name: string): { uid: number; gid: number } | undefined {
  const [, , uid, gid] =
    /^(\w+):[^:]*:(\d+):(\d+):/m.exec(passwd().find((line) => line.startsWith(`${name}:`)) ?? '') ?? [];
  return uid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

function passwd(): string[] {
  return existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
}

/**
 * Starts a server whose texts are in the order of a dictionary, as most are. Everybody may come in without a password but
 * the user `guarded`, whose password is «right».
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  makeCluster(data);
  const hba = join(data, 'pg_hba.conf');
  writeFileSync(hba, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(hba, 'utf8')}`);
  const port = await freePort();
  let server: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    const ended = server && server.exitCode === null && new Promise((resolve) => server?.once('exit', resolve));
    server?.kill(signal);
    await ended;
    server = undefined;
  };
  const start = async () => {
    server = await startServer(data, folder, port);
  };
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const close = async () => {
    await end('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', () => server?.kill('SIGQUIT'));
  await start();
  return { url, port, start, kill: () => end('SIGQUIT'), close };
}

function makeCluster(data: string): void {
  const common = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  const init = (...more: string[]) =>
    execFileSync(join(programs ?? '', 'initdb'), [...common, ...more], { ...owner, stdio: 'pipe', cwd: tmpdir() });
  try {
    init('--locale=C', '--locale-provider=icu', '--icu-locale=en-US');
  } catch {
    init(); // before 15, or built without ICU: as the machine has it
  }
}

async function startServer(data: string, folder: string, port: number): Promise<ChildProcess> {
  // What it promised is kept when the process dies, without a sync of the disk for each promise.
  const settings = ['fsync=off', 'full_page_writes=off', 'shared_buffers=16MB', 'max_wal_size=4GB'];
  const where = ['-D', data, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1'];
  const options = [...where, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs ?? '', 'postgres'), options, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (text) => {
    said += text;
  });
  while (!said.includes('ready to accept connections')) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`);
    await delay(20);
  }
  return server;
}
