import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** The first major version with `await using` and AsyncDisposableStack; bin/quarry.js asks for the same. */
const NODE_NEEDED = 24;

/** What runs here, for a bug report, and whether Node is new enough. */
export function checkVersions(quarry: string, versions: NodeJS.ProcessVersions = process.versions): CheckResult {
  const name = 'versions';
  const runtime = versions.electron ? `Electron ${versions.electron}, ` : '';
  // Names and numbers alone: the same in every language.
  const found = `Quarry ${quarry}, ${runtime}Node ${versions.node}, ${process.platform} ${process.arch}.`;
  if (Number.parseInt(versions.node, 10) >= NODE_NEEDED) return { name, status: 'ok', found };
  return { name, status: 'fail', ...told({ found, advice: say('doctor.versions.old', { needed: NODE_NEEDED }) }) };
}
