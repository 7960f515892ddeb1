import { report } from '../report.ts';
import { openTrainingNode } from './training-node.ts';

/*
 * A node that trains for another one until it is killed: `node training-child.ts PORT FOLDER`. It reports the code with which it is paired, then each step that it
 * begins, and never ends one after the first.
 */

const [port = '', folder = ''] = process.argv.slice(2);
const node = await openTrainingNode(folder, { bootstrap: [{ host: '127.0.0.1', port: Number(port) }], name: 'Child' });
await report({ code: (await node.fleet.offer(false)).code });
const watch = setInterval(() => {
  const [trainer] = node.local;
  if (!trainer || trainer.steps.length === 0) return;
  clearInterval(watch);
  trainer.gate = new Promise(() => undefined);
  void report({ steps: trainer.steps.length });
}, 5);
