/** Sends calls without an end, until it is killed. */
import { openDesk } from './call-desk.ts';

const [folder = '', url = ''] = process.argv.slice(2);
const { desk } = await openDesk(folder, url);
process.stdout.write('ready\n');
for (let said = 0; ; said++) {
  const action = { action: 'commitment', wallet: 'main', hotkey: 'hot', netuid: 1, text: `word ${said}` } as const;
  const { id } = await desk.draft(action);
  for await (const { state } of desk.send({ id, password: null }, new AbortController().signal)) {
    if (state === 'waiting') break; // it goes on by itself
  }
  process.stdout.write(`sent ${said}\n`);
}
