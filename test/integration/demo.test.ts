import { existsSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

let demo: QuarryProcess | undefined;
afterEach(() => demo?.stop('SIGKILL'));

it('shows a whole mesh: a question, its answer and the credits for it, again and again', async () => {
  const folder = await temporaryFolder();
  demo = new QuarryProcess(['start', '--demo', '--port', '0', '--data', folder.path]);
  const [, url = ''] = await demo.printed(/curl (\S+)\/v1\/chat\/completions/);
  await demo.printed(/(asks: .*?answers: .*?client owes 2 credits more .*?worker \+\d+ points.*?){2}/s);

  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mesh', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ choices: [{ message: { role: 'assistant' } }] });

  await demo.stop('SIGINT');
  expect(demo.child.signalCode).toBeNull();
  expect(existsSync(`${folder.path}/quarry.db`)).toBe(false); // it leaves the user's own data alone
  await folder.remove();
});
