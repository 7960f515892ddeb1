import { rename } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { Downloads } from '../../src-main/models/downloads/downloads.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';
import { httpSources } from '../../src-main/models/downloads/http-source.ts';

/*
 * A process that downloads until it is done or killed: `node download-child.ts FOLDER URL SHA256 BYTES-PER-SECOND`. The file
 * becomes FOLDER/model.gguf. Says how much memory it took at most.
 */

flushCompileCache(); // who is killed does not do it at the end

const [folder = '', url = '', sha256 = '', bytesPerSecond = ''] = process.argv.slice(2);
const client = new HttpClient({ userAgent: 'quarry/test', proxies: { httpProxy: '', httpsProxy: '' } });
const downloads = new Downloads({
  folder,
  log: pino({ level: 'silent' }),
  sources: (wanted) => httpSources(wanted, client),
  adopt: (path) => rename(path, join(folder, 'model.gguf')),
  bytesPerSecond: Number(bytesPerSecond) || null,
  segmentBytes: 8 << 20,
});
await downloads.open({ resume: true });
await downloads.start({ name: 'model', urls: [url], typed: true, sha256 });
await downloads.finished('model', new AbortController().signal);
await downloads.close();
await client.close();
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
