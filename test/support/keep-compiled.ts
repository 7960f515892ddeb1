import { flushCompileCache } from 'node:module';

/** Goes before a child, see quick-children.ts: who is killed does not keep at the end what it has compiled. */
const LOADED_MS = 1_000;
setTimeout(flushCompileCache, LOADED_MS).unref();
