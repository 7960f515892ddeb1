/**
 * What almost any program needs of its parent's environment, and nothing that is anybody's secret: where programs, the
 * home and temporary files are, and which language is spoken. A name that ends in `*` stands for all that begin so.
 */
export const BASIC_ENVIRONMENT: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_ADDRESS',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_IDENTIFICATION',
  'LC_MEASUREMENT',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NAME',
  'LC_NUMERIC',
  'LC_PAPER',
  'LC_TELEPHONE',
  'LC_TIME',
  // Windows; without SystemRoot neither sockets nor random numbers work there.
  'USERPROFILE',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles*',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_*',
];

/**
 * A name like this comes through no `*`: NVIDIA_API_KEY is the key to a service and not a driver's setting. The short ones
 * count as whole words only, or PATH would be a PAT.
 */
const SECRET =
  /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|(?:^|_)(?:PWD|PW|PAT|COOKIES?|SESSION|BEARER|DSN|UR[IL]|PGP)(?:_|$)/i;

/**
 * The part of an environment that a child may have. Nothing else of it reaches the child.
 *
 * @param allowed names, or beginnings of names with `*`; letter case counts, but on Windows
 * @param parent default: this process's
 */
export function allowedEnvironment(
  allowed: readonly string[],
  parent: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const fold = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const names = new Set(allowed.map(fold));
  const beginnings = allowed.filter((name) => name.endsWith('*')).map((name) => fold(name.slice(0, -1)));
  const mayPass = (name: string) =>
    names.has(fold(name)) || (!SECRET.test(name) && beginnings.some((beginning) => fold(name).startsWith(beginning)));
  return Object.fromEntries(
    Object.entries(parent).filter((entry): entry is [string, string] => entry[1] !== undefined && mayPass(entry[0])),
  );
}
