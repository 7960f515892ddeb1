import type { ChildMessage, RequestEvent } from '../../src-main/inference/engine-protocol.ts';
import { nodeSpawner, type ProcessSpawner } from '../../src-main/process/process-spawner.ts';

/**
 * Starts an engine's child, and notes what that says of its requests, in the order in which it says it: a busy machine hears much of it at
 * once, and whoever waits for two answers then does not see which came first.
 * @param said is added to
 */
export function hearing(said: RequestEvent[]): ProcessSpawner {
  return {
    spawn: (launch, listeners) =>
      nodeSpawner.spawn(launch, {
        ...listeners,
        onMessage(message) {
          const told = message as ChildMessage;
          if (told.type === 'events') said.push(...told.events);
          listeners.onMessage(message);
        },
      }),
  };
}
