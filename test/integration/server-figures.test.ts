import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { labelsIn, metricsIn, queries } from '../support/server-files.ts';

/** What the alerts and the dashboard of build/server ask for, a node has. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const nodes: QuarryProcess[] = [];
const told = new Set<string>();
/** Labels by metric, of those that have had something to tell. */
const labels = new Map<string, Set<string>>();

/** @returns what it tells Prometheus */
async function figuresOf(role: string, env: Record<string, string>): Promise<string> {
  const data = join(folder.path, role);
  const flags = ['--role', role, '--port', '0', '--data', data, '--bootstrap', '127.0.0.1:9'];
  const node = new QuarryProcess(['start', '--headless', ...flags], env);
  nodes.push(node);
  const [, url = ''] = await node.printed(/api +(http:\S+)\/v1/);
  await fetch(`${url}/v1/embeddings`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  return await (await fetch(`${url}/metrics`)).text();
}

beforeAll(async () => {
  folder = await temporaryFolder();
  // Only who has a wallet for an axon tells of one.
  const texts = [await figuresOf('validator', {}), await figuresOf('miner', { QUARRY_AXON_WALLET: 'main' })];
  for (const [, name = '', kind] of texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)])) {
    const ends = kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const end of ends) told.add(`${name}${end}`);
  }
  for (const [, name = '', list = ''] of texts.flatMap((text) => [...text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)])) {
    const known = labels.get(name) ?? labels.set(name, new Set()).get(name);
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) known?.add(label);
  }
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await folder?.remove();
});

it.each(queries())('$of: $expr', ({ expr }) => {
  const names = metricsIn(expr).filter((name) => name !== 'up'); // Prometheus’ own
  expect(names.filter((name) => !told.has(name))).toEqual([]);
  const known = names.map((name) => labels.get(name)).filter((of) => of !== undefined);
  if (known.length === 0) return; // nothing was told of it yet
  expect(labelsIn(expr).filter((label) => !known.some((of) => of.has(label)))).toEqual([]);
});
