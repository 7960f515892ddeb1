/** A container that runs one program, once. */
export interface ContainerLaunch {
  /** Nobody else’s: it is ended by this name. */
  name: string;
  /** As the engine knows it, by its id. */
  image: string;
  /** Of a processor; who does not heed that has one more (Affine, executor). */
  cpuSeconds: number;
  /** After so many it ends itself, whoever is still there to end it. */
  seconds: number;
}

/** What differs between containers that run what strangers wrote. */
export interface Walled {
  /** Nobody else’s: it is ended by this name. */
  name: string;
  /** As the engine knows it, by its id. */
  image: string;
  /** After so many it ends itself, whoever is still there to end it. */
  seconds: number;
  /** How it is walled in beyond what all are. */
  walls: readonly string[];
  command: readonly string[];
}

/**
 * What every container of strangers has: no rights, no other user’s, nothing to write on but memory, nothing that stays. Its first process is `timeout`, which the program
 * cannot end. What it prints is written nowhere (`--log-driver none`). Nothing is fetched (`--pull never`).
 */
export const walledArguments = ({ name, image, seconds, walls, command }: Walled): string[] => [
  'run',
  '--rm',
  '--interactive',
  ...['--name', name],
  ...['--pull', 'never'],
  '--read-only',
  ...['--workdir', '/tmp'],
  ...['--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges'],
  ...['--user', '65534:65534'],
  ...['--ulimit', 'core=0:0'],
  ...['--log-driver', 'none'],
  ...['--hostname', 'sandbox'],
  ...['--env', 'HOME=/tmp'],
  ...['--env', 'PYTHONHASHSEED=0'],
  ...['--env', 'PYTHONDONTWRITEBYTECODE=1'],
  ...walls,
  ...['--entrypoint', 'timeout'],
  image,
  ...['-s', 'KILL', String(seconds)],
  ...command,
];

/**
 * Of `docker run` and `podman run`: no network, no files but a small folder in memory, no rights, no other user’s, and bounds on everything (quasar-omega, A11).
 */
export const containerArguments = ({ name, image, cpuSeconds, seconds }: ContainerLaunch): string[] =>
  walledArguments({
    ...{ name, image, seconds },
    walls: [
      ...['--network', 'none'],
      ...['--ipc', 'none'],
      ...['--tmpfs', '/tmp:rw,noexec,nosuid,nodev,size=64m'],
      ...['--memory', '512m'],
      ...['--memory-swap', '512m'],
      ...['--cpus', '1'],
      ...['--pids-limit', '64'],
      ...['--ulimit', 'nofile=64:64'],
      ...['--ulimit', `cpu=${cpuSeconds}:${cpuSeconds + 1}`],
    ],
    command: GIVEN_PROGRAM,
  });

/**
 * What the container gets on its standard input: how many bytes the program has, the program, and what the program reads. No shell, no argument and no file has a
 * word of it.
 */
export function containerInput(program: string, stdin: string): Buffer {
  const text = Buffer.from(program, 'utf8');
  return Buffer.concat([Buffer.from(`${text.length}\n`), text, Buffer.from(stdin, 'utf8')]);
}

/** Python that reads {@link containerInput}, and runs what is in there. It reads no byte more than the program has: it may read its own input by whatever means. */
const FIRST = `
import os, sys, types, random
def take(size):
    taken = b""
    while len(taken) < size:
        piece = os.read(0, size - len(taken))
        if not piece: sys.exit(1)
        taken += piece
    return taken
size = b""
while not size.endswith(b"\\n"): size += take(1)
text = take(int(size))
random.seed(0)
sys.argv = ["program.py"]
main = sys.modules["__main__"] = types.ModuleType("__main__")
exec(compile(text, "program.py", "exec"), vars(main))
`;

/** In the container: Python that runs what it is given by {@link containerInput}. */
export const GIVEN_PROGRAM = ['python3', '-P', '-s', '-c', FIRST];
