import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { openFleetNode } from '../support/fleet-node.ts';
import { startChild } from '../support/killed-child.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('../support/fleet-child.ts', import.meta.url));

let testnet: Testnet;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  testnet = await openTestnet();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await testnet.close();
  await folder.remove();
});

/** Who was killed says no goodbye. */
const WATCHFUL = { pingIntervalMs: 300, silenceMs: 2_000 };

interface Report {
  code?: string;
  step?: string;
}

/** A node in a process of its own, and what it reports. */
function startNode(database: string, seed: string, step: string, code?: string) {
  const port = String(testnet.bootstrap[0]?.port);
  const args = [port, database, seed, step, ...(code ? [code] : [])];
  const child = startChild(CHILD, args);
  const reports: Report[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => reports.push(JSON.parse(line) as Report));
  return {
    reports,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('a node that is killed while it pairs', () => {
  it.each([
    { role: 'guest', step: 'before', paired: false },
    { role: 'guest', step: 'after', paired: true },
    { role: 'host', step: 'before', paired: false },
    { role: 'host', step: 'after', paired: false },
  ])(
    'as $role, $step it has kept that: in the end both are paired ($paired) or none',
    async ({ role, step, paired }) => {
      const seed = randomBytes(32).toString('hex');
      const identity = identityFromSeed(Buffer.from(seed, 'hex'));
      const database = join(folder.path, `${role}-${step}.db`);
      await using here = await openFleetNode({ bootstrap: testnet.bootstrap, name: 'Here', limits: WATCHFUL });
      const giveUp = new AbortController();
      const code = role === 'guest' ? (await here.fleet.offer(false)).code : undefined;
      const child = startNode(database, seed, step, code);
      if (role === 'host') {
        await until(() => expect(child.reports[0]?.code).toBeDefined());
        const joining = here.fleet.join(child.reports[0]?.code ?? '', false, giveUp.signal);
        joining.catch(ignoring('it is given up below'));
      }
      await until(() => expect(child.reports.at(-1)).toEqual({ step }));
      await child.kill();
      giveUp.abort();
      await using there = await openFleetNode({ bootstrap: testnet.bootstrap, name: 'There', identity, database });
      // Both have met, so that both know what the other one has kept.
      await until(async () => {
        const [hereSees, thereSees] = [await here.sees(there.id), await there.sees(here.id)];
        expect([hereSees?.online, thereSees?.online]).toEqual(paired ? [true, true] : [undefined, undefined]);
      });
      expect((await there.fleet.view()).nodes).toHaveLength(paired ? 2 : 1);
    },
  );
});
