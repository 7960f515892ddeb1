import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What every repository of the track has, by path. @param chunk what follows the imports in chunk.py */
export function repositoryFiles(chunk: string): Record<string, string> {
  const needed = 'autocast_custom_bwd, autocast_custom_fwd, autotune_cache_kwargs, check_shared_mem, input_guard';
  return {
    'fla/__init__.py': 'raise SystemError("nobody is to come through here")\n',
    'fla/utils.py': `${needed} = range(5)\n`,
    'fla/ops/quasar/fused_recurrent.py': '\n',
    'fla/ops/quasar/chunk_intra_token_parallel.py': '\n',
    'fla/ops/quasar/forward_substitution.py': '\n',
    'fla/ops/quasar/gate.py': '\n',
    'fla/ops/quasar/chunk.py': `from fla.utils import ${needed}\n${chunk}`,
  };
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args]);

/** A repository with one commit. @returns its SHA-1 */
export async function makeRepository(folder: string, files: Record<string, string>): Promise<string> {
  await mkdir(folder, { recursive: true });
  git(folder, 'init', '--quiet');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'What there is');
  return git(folder, 'rev-parse', 'HEAD').toString().trim();
}

/**
 * Programs in the place of those of the image: `git`, which finds `https://git.example/ann/NAME` in a folder `NAME` here, and `python3`, which sees a card while a file `card` is
 * there, and says of a repository what stands in its chunk.py: `speed = 2`, `fault = wrong`, `dies`, `dies once`, `forges`. The reference has the speed 1.
 */
export async function standInImage(folder: string): Promise<void> {
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, `${name}.mjs`), text);
    await writeFile(
      join(folder, name),
      `#!/bin/sh\nexec "${process.execPath}" "${join(folder, `${name}.mjs`)}" "$@"\n`,
    );
    await chmod(join(folder, name), 0o755);
  };
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  await program('git', GIT.replaceAll('FOLDER', JSON.stringify(folder)).replaceAll('REAL', JSON.stringify(real)));
  await program('python3', PYTHON.replaceAll('FOLDER', JSON.stringify(folder)));
}

const GIT = `
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
const args = process.argv.slice(2);
appendFileSync(FOLDER + '/git-calls', args.join(' ') + '\\n');
if (args[0] === 'ls-remote') process.exit(existsSync(FOLDER + '/no-network') ? 128 : 0);
const here = args.map((arg) => arg.replace(/^https:\\/\\/git.example\\/ann\\//, FOLDER + '/'));
const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'file' };
process.exit(spawnSync(REAL, here, { env, stdio: 'inherit' }).status ?? 1);
`;

const PYTHON = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
if (process.argv.at(-1).includes('is_available')) process.exit(existsSync(FOLDER + '/card') ? 0 : 3);
const all = readFileSync(0);
const end = all.indexOf(10) + 1;
const [line, tree] = all.subarray(end + Number(all.subarray(0, end))).toString().split('\\n');
const { secret, device, runner, reference } = JSON.parse(line);
if (device !== 'cuda' || !runner.includes('importlib') || !reference.includes('def ')) process.exit(9);
const chunk = Buffer.from(tree, 'base64').toString().match(/said: (.*)/)?.[1] ?? 'speed = 1';
const once = FOLDER + '/died';
if (chunk === 'dies' || (chunk === 'dies once' && !existsSync(once))) {
  writeFileSync(once, '');
  process.kill(process.pid, 'SIGKILL');
}
if (chunk === 'forges') console.log(JSON.stringify({ times: Array(20).fill(0.001) }));
const [what, value] = chunk.split(' = ');
const said = what === 'fault' ? { fault: value, detail: 'usual' } : { times: Array.from({ length: 20 }, (_, at) => (10 + at / 100) / Number(value)) };
if (what === 'speed' || what === 'fault' || chunk === 'dies once') console.log(secret + ' ' + JSON.stringify(chunk === 'dies once' ? { times: Array(20).fill(5) } : said));
`;
