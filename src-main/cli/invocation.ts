/** A command as sentences name it: `quarry` and what follows, so that the product's name alone stays as it is. */
const COMMAND = /\bquarry(?= (?:start|open|ask|models|peers|credits|hardware|doctor|bootstrap|bench|--help)\b)/g;

/**
 * Text with its commands as they must be typed here: `quarry` is on the path only where it was installed, and a checkout
 * runs its sources through npm.
 */
export function asTyped(text: string, program = process.argv[1] ?? ''): string {
  return program.endsWith('cli.ts') ? text.replace(COMMAND, 'npm run -s quarry --') : text;
}
