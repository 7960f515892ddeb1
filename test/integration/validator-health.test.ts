import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** How a validator is, by its own word. */
async function healthOf(env: Record<string, string>) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const flags = [
    '--role',
    'validator',
    '--port',
    '0',
    '--data',
    join(folder.path, 'data'),
    '--bootstrap',
    '127.0.0.1:9',
  ];
  const node = new QuarryProcess(['start', '--headless', ...flags], env);
  onTestFinished(() => node.stop());
  const [, url = ''] = await node.printed(/api +(http:\S+)\/v1/);
  return async () => {
    const answer = await fetch(`${url}/healthz`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };
}

it('a validator that could not begin with its node says so by the health of that, and one that waits is well', async () => {
  const failed = await healthOf({ QUARRY_VALIDATOR_ENVIRONMENTS: 'elr:nowhere' });
  expect(await failed()).toMatchObject({
    ...{
      code: 503,
      status: 'unavailable',
      validator: 'failed',
      validatorFault: expect.stringContaining('elr:nowhere'),
    },
  });
  const waiting = await healthOf({ QUARRY_DATABASE: 'postgres://nobody@127.0.0.1:9/none' });
  await until(async () => expect(await waiting()).toHaveProperty('validatorFault'));
  expect(await waiting()).toMatchObject({ code: 200, status: 'ok', validator: 'running' });
});
