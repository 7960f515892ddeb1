/**
 * Writes resources/trainer/requirements.txt and sizes.json anew: which packages the trainer in PyTorch wants, with the SHA-256 of each file that any
 * computer may be given, and how much that is to download: `node scripts/lock-torch.ts`. Wants uv; asks the index that uv is set up for, and writes
 * nothing of where that is.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { installedPath } from '../src-main/base/installation.ts';
import { PYTHON_RANGE } from '../src-main/learning/training/torch/find-tool.ts';

const WANTED = ['torch==2.15.0', 'numpy', 'gguf', 'safetensors'];
/** What uv calls them, and what of a wheel's name tells that it is for them. */
const PLATFORMS: Record<string, [uv: string, wheel: RegExp]> = {
  'linux-x64': ['x86_64-manylinux_2_28', /linux\S*_x86_64/],
  'linux-arm64': ['aarch64-manylinux_2_28', /linux\S*_aarch64/],
  'darwin-arm64': ['aarch64-apple-darwin', /macosx_\d+_\d+_(arm64|universal2)/],
  'win32-x64': ['x86_64-pc-windows-msvc', /win_amd64/],
};
const PYTHON = '3.12';

interface Package {
  name: string;
  version: string;
  wheels?: { url: string; size: number }[];
}

const work = mkdtempSync(join(tmpdir(), 'lock-torch-'));
// The oldest macOS that PyTorch is built for.
const env = { ...process.env, MACOSX_DEPLOYMENT_TARGET: '14.0' };
const uv = (...args: string[]) => execFileSync('uv', args, { cwd: work, encoding: 'utf8', env });
try {
  const project = { name: 'trainer', version: '0', 'requires-python': PYTHON_RANGE, dependencies: WANTED };
  const lines = Object.entries(project).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  writeFileSync(join(work, 'pyproject.toml'), ['[project]', ...lines, ''].join('\n'));
  uv('lock', '--quiet');
  const requirements = uv('export', '--quiet', '--frozen', '--no-header', '--no-annotate', '--no-emit-project');
  writeFileSync(installedPath('resources', 'trainer', 'requirements.txt'), requirements);
  const { package: packages } = parse(readFileSync(join(work, 'uv.lock'), 'utf8')) as unknown as { package: Package[] };
  writeFileSync(join(work, 'wanted.txt'), requirements);
  const sizes = Object.fromEntries(Object.entries(PLATFORMS).map(([name, how]) => [name, download(packages, ...how)]));
  writeFileSync(installedPath('resources', 'trainer', 'sizes.json'), `${JSON.stringify(sizes, null, 2)}\n`);
  console.log(sizes);
} finally {
  rmSync(work, { recursive: true });
}

/** Bytes that a computer of one kind downloads. */
function download(packages: readonly Package[], platform: string, wheel: RegExp): number {
  const options = ['--quiet', '--no-deps', '--no-header', '--no-annotate', '--python-version', PYTHON];
  const list = uv('pip', 'compile', ...options, '--python-platform', platform, 'wanted.txt');
  const wanted = [...list.matchAll(/^([\w.-]+)==([^\s;\\]+)/gm)];
  return wanted.reduce((sum, [, name, version]) => {
    const found = packages.find((each) => each.name === name && each.version === version);
    return sum + sizeFor(found?.wheels ?? [], wheel, `${name} ${version} for ${platform}`);
  }, 0);
}

function sizeFor(wheels: readonly { url: string; size: number }[], platform: RegExp, what: string): number {
  const named = wheels.map(({ url, size }) => ({ size, tags: url.split('/').at(-1) ?? '' }));
  const python = (tags: string) => /-(cp312-cp312|cp3\d+-abi3|py3-none|py2\.py3-none)-/.test(tags);
  const found = named.find(({ tags }) => python(tags) && (platform.test(tags) || tags.endsWith('-none-any.whl')));
  if (!found) throw new Error(`There is no wheel of ${what}.`);
  return found.size;
}
