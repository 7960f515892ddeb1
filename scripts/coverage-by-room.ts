/**
 * Runs the tests and prints what they reach, by room of the house, and the files that none of them enters. Child processes and
 * the screens are not seen by it: the engine, commands and pages have tests of their own in test/integration and test/e2e.
 * Usage: npm run test:coverage [-- test/unit …]. Ends as the tests do: figures of tests that fail are printed all the same.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

interface Count {
  total: number;
  covered: number;
}
interface Figures {
  lines: Count;
  branches: Count;
}

const root = resolve(import.meta.dirname, '..');
const summaryPath = resolve(root, 'coverage/coverage-summary.json');
rmSync(summaryPath, { force: true });
const vitest = [
  resolve(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'unit',
  '--project',
  'integration',
  '--project',
  'mocked',
  '--coverage',
];
const tests = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }, // what comes out of the cache is counted less precisely
});
process.exitCode = tests.status ?? 1;
const summary = existsSync(summaryPath) ? JSON.parse(readFileSync(summaryPath, 'utf8')) : {};
const files = Object.entries<Figures>(summary)
  .filter(([file]) => file !== 'total')
  .map(([file, figures]) => ({ file: relative(root, file).split(sep).join('/'), ...figures }));

console.log('| Room | Files | Lines | Lines reached | Branches reached |\n|---|---:|---:|---:|---:|');
for (const [room, inside] of [...Map.groupBy(files, ({ file }) => roomOf(file))].sort()) console.log(row(room, inside));
console.log(row('all', files));

const unseen = files.filter(({ lines }) => lines.total > 0 && lines.covered === 0);
console.log(`\nNo test of this run enters:\n${unseen.map(({ file }) => `- ${file}`).join('\n') || '- (none)'}`);

/** `src-main/mesh/asking/client.ts` lies in `mesh/asking`. */
function roomOf(file: string): string {
  return (
    file
      .split('/')
      .slice(0, -1)
      .join('/')
      .replace(/^src-main\/?/, '') || 'src-main'
  );
}

function row(room: string, inside: typeof files): string {
  const lines = sum(inside.map((file) => file.lines));
  const branches = sum(inside.map((file) => file.branches));
  return `| ${room} | ${inside.length} | ${lines.total} | ${share(lines)} | ${share(branches)} |`;
}

function sum(counts: Count[]): Count {
  return counts.reduce((all, { total, covered }) => ({ total: all.total + total, covered: all.covered + covered }), {
    total: 0,
    covered: 0,
  });
}

function share({ total, covered }: Count): string {
  return total === 0 ? '–' : `${Math.round((100 * covered) / total)} %`;
}
