#!/usr/bin/env node
// The installed command: the built bundle where there is one, the sources in a checkout (Node 24 runs them as they are).
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

// Older ones end in a SyntaxError (`await using`), or lack AsyncDisposableStack. This file itself runs on all of them.
const NODE_NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_NEEDED) {
  process.stderr.write(
    `Quarry needs Node ${NODE_NEEDED} or newer, and this is Node ${process.versions.node}; in a checkout «npm start» and «npm run quarry» bring the right one along.\n`,
  );
  process.exitCode = 1;
} else {
  // Starts in two thirds of the time. Node's own place for it lies among temporary files: another account that makes it first could have its code run.
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  if (isAbsolute(caches)) module.enableCompileCache(join(caches, 'quarry', 'compiled')); // else it is in whichever folder this runs in
  const built = new URL('../out/main/cli.js', import.meta.url);
  await import(existsSync(built) ? built.href : new URL('../src-main/cli.ts', import.meta.url).href);
}
