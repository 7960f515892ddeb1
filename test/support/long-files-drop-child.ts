import { setImmediate as breath } from 'node:timers/promises';
import { sql } from 'kysely';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { longFilesIn } from './long-files.ts';
import { report } from './report.ts';

/*
 * A process that deletes a conversation with a long file until it is killed: `node long-files-drop-child.ts DATABASE CONVERSATION`.
 * It makes the conversation, unless one that was deleted before is still being deleted; how many passages are left goes to standard output.
 */

const [path = '', id = ''] = process.argv.slice(2);
const TEXT = Array.from({ length: 50_000 }, (_, at) => `A secret called quetzalcoatl${at}.`).join('\n');

const db = await openDatabase(path);
const conversations = new ConversationStore(db);
const files = longFilesIn(db);
const left = async () => {
  const counted = sql<{ left: number }>`SELECT count(*) AS left FROM passages
    WHERE file IN (SELECT id FROM long_files WHERE conversation IS NULL)`;
  return (await counted.execute(db)).rows[0]?.left ?? 0;
};
if ((await left()) === 0) {
  await conversations.remove(id);
  await conversations.insert({ id, title: '', createdAt: 1, updatedAt: 1, options: { target: 'local' } });
  const file = await files.add(id, { name: 'secret.txt', text: TEXT });
  const search = { files: [file], question: 'secret', room: 1_000 };
  for await (const _ of files.search(id, search, new AbortController().signal));
  await conversations.remove(id);
}
files.dropGone();
for (let last = Number.POSITIVE_INFINITY; last > 0; await breath()) {
  const now = await left();
  if (now < last) await report({ left: now });
  last = now;
}
await files.close();
await db.destroy();
