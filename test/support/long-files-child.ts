import { pino } from 'pino';
import { LongFiles } from '../../src-main/conversations/long-files.ts';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { LongFileStore } from '../../src-main/store/conversations/long-files.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { report } from './report.ts';

/*
 * A process that reads a long file until it is killed: `node long-files-child.ts DATABASE CONVERSATION`. What it shows as
 * read is reported on standard output; the vector of a passage says how long that is.
 */

const [path = '', id = ''] = process.argv.slice(2);
const TEXT = Array.from({ length: 400 }, (_, page) => `Page ${page}. ${'word '.repeat(page % 50)}`).join('\f');

const db = await openDatabase(path);
const conversations = new ConversationStore(db);
const model = {
  name: 'lengths',
  sha256: 'lengths',
  embed: async (text: string) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return Float32Array.of(1, text.length);
  },
};
const store = new LongFileStore(db);
const files = new LongFiles({ store, embedding: { model: async () => model }, log: pino({ level: 'silent' }) });
const options = { target: 'local' } as const;
if (!(await conversations.find(id))) {
  await conversations.insert({ id, title: '', createdAt: 1, updatedAt: 1, options });
  await files.add(id, { name: 'pages.txt', text: TEXT });
}
const [file] = await store.of(id);
await report({ opened: true });
const search = { files: [file?.id ?? 0], question: 'word', room: 1_000 };
for await (const event of files.search(id, search, new AbortController().signal)) await report(event);
await report({ ended: true });
