import { flushCompileCache } from 'node:module';
import { fetchFile } from '../../src-main/clips/sources/file-fetch.ts';
import { PoliteClient } from '../../src-main/clips/sources/polite-client.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';

/* A process that fetches a video until it is done or killed: `node clip-sources-child.ts URL FILE`. Says how many bytes are there, now and then. */

flushCompileCache(); // who is killed does not do it at the end

const [address = '', to = ''] = process.argv.slice(2);
const url = new URL(address);
const isNamed = (origin: string) => origin === url.origin;
const http = new HttpClient({ userAgent: 'Quarry/test', isNamed, proxies: { httpProxy: '', httpsProxy: '' } });
await fetchFile({
  client: new PoliteClient({ client: http, isNamed, paceMs: 1 }),
  url,
  to,
  seconds: null,
  mostSeconds: 300,
  mostBytes: 1 << 30,
  signal: new AbortController().signal,
  onProgress: (bytes) => process.stdout.write(`${bytes}\n`),
});
await http.close();
