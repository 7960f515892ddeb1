import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { configTables } from '../src-main/settings/config-view.ts';

// Writes the tables at the end of docs/configuration.md anew, from what the settings say of themselves.
const page = join(resolve(import.meta.dirname, '..'), 'docs', 'configuration.md');
const text = await readFile(page, 'utf8');
const start = text.indexOf('### General\n');
if (start < 0) throw new Error(`${page} has no tables that begin with «### General».`);
await writeFile(page, `${text.slice(0, start)}${configTables()}\n`);
