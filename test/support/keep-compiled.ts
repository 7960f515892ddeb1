import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** Goes before a child, see quick-children.ts. Who is killed does not keep at the end what it has compiled, so it is kept once all is loaded. */
const LOADED_MS = 1_000;
enableCompileCache(resolve(import.meta.dirname, '../../node_modules/.cache/quarry-tests'));
setTimeout(flushCompileCache, LOADED_MS).unref();
