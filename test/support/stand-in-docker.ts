import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * A program by the name of a container engine, on the PATH of this process: it holds what it is asked to do against what Docker’s documentation says of it, writes it down, and
 * runs the system’s Python in the place of a container. Containers run on when their client is gone, as real ones do, until they are removed by their name.
 */
export interface StandInEngine {
  /** What `run` was called with, each time. */
  runs: () => Promise<string[][]>;
  /** Names of containers that run. */
  containers: () => Promise<string[]>;
  /** Whether the engine answers, and whether it has the image. */
  set: (state: { down?: boolean; images?: string[] }) => Promise<void>;
  restorePath: () => void;
}

export async function standInEngine(folder: string, name: 'docker' | 'podman'): Promise<StandInEngine> {
  const at = (...parts: string[]) => join(folder, ...parts);
  await mkdir(at('running'), { recursive: true });
  const set = ({ down = false, images = ['python:3.13-slim'] }) =>
    writeFile(at('state'), JSON.stringify({ down, images }));
  await set({});
  await writeFile(at('runs'), '');
  await writeFile(at(`${name}.mjs`), PROGRAM);
  await writeFile(at(name), `#!/bin/sh\nexec "${process.execPath}" "${at(`${name}.mjs`)}" "${folder}" "$@"\n`);
  await chmod(at(name), 0o755);
  const path = process.env.PATH ?? '';
  process.env.PATH = [folder, path].join(delimiter);
  return {
    runs: async () =>
      (await readFile(at('runs'), 'utf8'))
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    containers: () => readdir(at('running')),
    set,
    restorePath: () => {
      process.env.PATH = path;
    },
  };
}

const PROGRAM = `
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const [folder, command, ...args] = process.argv.slice(2);
const { down, images } = JSON.parse(readFileSync(folder + '/state', 'utf8'));
const fail = (words, code = 1) => {
  console.error(words);
  process.exit(code);
};
if (down) fail('Cannot connect to the Docker daemon. Is the docker daemon running?', command === 'run' ? 125 : 1);

const container = (name) => folder + '/running/' + name;
const ID = 'sha256:' + 'ab'.repeat(32);
if (command === 'ps') process.exit(0);
else if (command === 'image') {
  if (!images.includes(args.at(-1))) fail('Error response from daemon: No such image: ' + args.at(-1));
  console.log(ID);
} else if (command === 'rm') {
  const name = args.at(-1);
  if (!existsSync(container(name))) fail('Error response from daemon: No such container: ' + name);
  try {
    process.kill(-Number(readFileSync(container(name), 'utf8')), 'SIGKILL');
  } catch {
    // It has ended, and who would have taken it off the list was killed with its client.
  }
  rmSync(container(name), { force: true });
} else if (command === 'run') run();
else fail('unknown command: ' + command);

function run() {
  appendFileSync(folder + '/runs', JSON.stringify(args) + '\\n');
  const flags = new Map();
  const alone = ['--rm', '--interactive', '--read-only'];
  let at = 0;
  for (; args[at].startsWith('--'); at++) {
    const flag = args[at];
    flags.set(flag, [...(flags.get(flag) ?? []), alone.includes(flag) ? true : args[++at]]);
  }
  const [image, dash, kill, seconds, ...program] = args.slice(at);
  if (image !== ID || flags.get('--entrypoint')?.[0] !== 'timeout' || dash !== '-s' || kill !== 'KILL') fail('docker: not as agreed', 125);
  const env = Object.fromEntries([['PATH', process.env.PATH], ['TMPDIR', folder], ...flags.get('--env').map((one) => one.split('='))]);
  // Python 3.11 is the first to know -P; whoever has an older one does without it here.
  const child = spawn('timeout', [dash, kill, seconds, ...program.filter((word) => word !== '-P')], { env, cwd: '/tmp', detached: true, stdio: 'inherit' });
  const name = flags.get('--name')[0];
  writeFileSync(container(name), String(child.pid));
  child.on('exit', (code, signal) => {
    rmSync(container(name), { force: true });
    process.exit(signal === 'SIGKILL' ? 137 : code ?? 1);
  });
}
`;
