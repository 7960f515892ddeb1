import { delimiter } from 'node:path';
import { onPath } from '../../base/on-path.ts';

/** A command as sentences name it: `quarry` and what follows. */
const COMMAND =
  /\bquarry (?:start|open|ask|chat|ps|stop|settings|logs|models|peers|credits|hardware|doctor|backup|wallet|axon|chain|validator|evaluate|submit|reveal|rounds|leaderboard|optimise|audits|calibrate|focus|data|kernel|learn|my-nodes|bootstrap|bench|--help)\b/;

/** Programs of a folder that Quarry was installed into: only npm's own commands look there. */
const IN_PACKAGES = /(^|[\\/])node_modules[\\/]/;

/**
 * What to type for `quarry` where it is not on the path: in a checkout that runs its sources, and where the package was installed into a
 * folder. Told once, with the first sentence that names a command; undefined where `quarry` is what one types.
 */
export function invocationNote(
  text: string,
  program = process.argv[1] ?? '',
  path = process.env.PATH,
): string | undefined {
  if (!COMMAND.test(text) || onPath('quarry', outsidePackages(path))) return undefined;
  if (program.endsWith('cli.ts')) {
    return 'In this checkout, type «npm run -s quarry --» for «quarry»; «npm link», once, puts quarry on the path.';
  }
  if (!IN_PACKAGES.test(program)) return undefined;
  return 'In this folder, type «npx quarry» for «quarry»; installed with «npm install --global», it is on the path.';
}

const outsidePackages = (path = '') =>
  path
    .split(delimiter)
    .filter((folder) => !IN_PACKAGES.test(folder))
    .join(delimiter);
