import { flushCompileCache } from 'node:module';
import pino from 'pino';
import { Changes } from '../../src-main/base/changes.ts';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../src-main/store/focus/focus-recordings.ts';
import { FocusScoreStore } from '../../src-main/store/focus/focus-scores.ts';
import { FocusVectorStore } from '../../src-main/store/focus/focus-vectors.ts';
import { byRules } from '../../src-main/subnets/omega/focus/by-rules.ts';
import { Ratings } from '../../src-main/subnets/omega/focus/ratings.ts';
import { factsOf, HONEST } from './focus-zoo.ts';
import { honest, pictureOf } from './judge-server.ts';
import { report } from './report.ts';

/*
 * A node that scores a recording again and again until it is killed: `node focus-score-child.ts DATABASE ID`. What was left of the run before, and what comes
 * of each scoring, is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

const [path = '', id = ''] = process.argv.slice(2);
const db = await openDatabase(path);
const recordings = new FocusRecordingStore(db);
const [work] = HONEST;
if (!work) throw new Error('The zoo is empty.');
const facts = factsOf(work, { minutes: 2 });
const ratings = new Ratings({
  store: new FocusScoreStore(db),
  vectors: new FocusVectorStore(db),
  recordings: {
    get: async () => {
      const found = await recordings.get(id);
      if (!found) throw new Error('The recording is gone.');
      return found;
    },
    byRules: async () => ({ seconds: facts.seconds, byRules: byRules(facts) }),
    content: async () => 'ab'.repeat(32),
  },
  judge: () => ({
    judge: {
      model: 'looks-7b',
      host: 'a.example',
      ask: async ({ name }) => JSON.stringify({ seal: 'seal', orders: false, ...honest({ name }) }),
    },
  }),
  keyFrames: async () => [{ atMs: 0, jpeg: pictureOf(64, 36) }],
  space: async () => ({ id: 'space', embed: async () => Float32Array.of(1, 0) }),
  signer: identityFromSeed(Buffer.alloc(32, 7)),
  changes: new Changes(),
  draw: () => ({ token: 'f'.repeat(32), seal: 'seal' }),
  log: pino({ level: 'silent' }),
});

await report({ before: (await recordings.get(id))?.state });
await ratings.open();
await report({ opened: await ratings.verdicts([id]) });
for (;;) {
  await report({ begun: true });
  for await (const event of ratings.rate(id, new AbortController().signal)) {
    if (event.type === 'done') await report({ kept: event.verdict.state });
  }
}
