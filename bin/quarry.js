#!/usr/bin/env node
// The installed command: the built bundle where there is one, the sources in a checkout (Node 24 runs them as they are).
import { existsSync } from 'node:fs';
import module from 'node:module';

// Older ones end in a SyntaxError (`await using`), or lack AsyncDisposableStack. This file itself runs on all of them.
const NODE_NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_NEEDED) {
  process.stderr.write(
    `Quarry needs Node ${NODE_NEEDED} or newer, and this is Node ${process.versions.node}; in a checkout «npm start» and «npm run quarry» bring the right one along.\n`,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache(); // starts in two thirds of the time
  const built = new URL('../out/main/cli.js', import.meta.url);
  await import(existsSync(built) ? built.href : new URL('../src-main/cli.ts', import.meta.url).href);
}
