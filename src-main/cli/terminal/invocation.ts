import { onPath } from '../../base/on-path.ts';

/** A command as sentences name it: `quarry` and what follows. */
const COMMAND =
  /\bquarry (?:start|open|ask|chat|ps|stop|logs|models|peers|credits|hardware|doctor|backup|wallet|axon|chain|validator|evaluate|audits|calibrate|focus|learn|my-nodes|bootstrap|bench|--help)\b/;

/**
 * What to type for `quarry` where it is not on the path: in a checkout that runs its sources. Told once, with the first sentence that names
 * a command; undefined where `quarry` is what one types.
 */
export function checkoutNote(
  text: string,
  program = process.argv[1] ?? '',
  path = process.env.PATH,
): string | undefined {
  if (!program.endsWith('cli.ts') || !COMMAND.test(text) || onPath('quarry', path)) return undefined;
  return 'In this checkout, type «npm run -s quarry --» for «quarry»; «npm link», once, puts quarry on the path.';
}
