import { expect } from 'vitest';
import type { TestFleetNode } from './fleet-node.ts';
import { until } from './until.ts';

/** Has `guest` join with a code that `host` shows; resolves when each sees the other and can call it. */
export async function pair(host: TestFleetNode, guest: TestFleetNode): Promise<void> {
  const { code } = await host.fleet.offer(false);
  await guest.fleet.join(code, false);
  await until(async () => {
    expect((await host.sees(guest.id))?.summary).toBeDefined();
    expect((await guest.sees(host.id))?.summary).toBeDefined();
    for (const [from, to] of [
      [host, guest],
      [guest, host],
    ] as const) {
      from.fleet.call(to.id, 'nothing').close();
    }
  });
}
