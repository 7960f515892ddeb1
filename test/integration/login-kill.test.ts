import { afterEach, beforeEach, expect, it } from 'vitest';
import { cookieOfLink } from '../support/owner.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';

const KILLS = 2 * ROUNDS;

type Cookie = Awaited<ReturnType<typeof cookieOfLink>>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: QuarryProcess | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await node?.stop('SIGKILL');
  await folder.remove();
});

/** Starts a node on the folder. @returns the link that it prints */
async function start(): Promise<string> {
  const flags = ['--role', 'client', '--port', '0', '--bootstrap', '127.0.0.1:9', '--data', folder.path];
  node = new QuarryProcess(['start', '--headless', ...flags]);
  const [, link = ''] = await node.printed(/screens\s+(\S+)/);
  return link;
}

/** Asks the node of a link whether the browser is in, or with DELETE that it be logged out. */
async function session(link: string, { name, value }: Cookie, method = 'GET'): Promise<boolean> {
  const answer = await fetch(new URL('/session', link), { method, headers: { cookie: `${name}=${value}` } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { loggedIn: boolean }).loggedIn;
}

it(`a node killed ${KILLS} times, as soon as it has answered, loses no login and brings back none that was ended`, async () => {
  const kept: Cookie[] = [];
  const ended: Cookie[] = [];
  for (let kill = 0; kill <= KILLS; kill++) {
    const link = await start();
    for (const cookie of kept) expect(await session(link, cookie)).toBe(true);
    for (const cookie of ended) expect(await session(link, cookie)).toBe(false);
    const oldest = kill % 2 === 1 ? kept.shift() : undefined;
    if (oldest) {
      await session(link, oldest, 'DELETE');
      ended.push(oldest);
    } else {
      kept.push(await cookieOfLink(link));
    }
    await node?.stop('SIGKILL');
  }
});
