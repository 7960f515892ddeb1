/** The environment variable that the official software takes the password of a keyfile from (Bittensor §2). */
export const passwordVariable = (file: string): string => `BT_PW_${file.toUpperCase().replace(/[/.]/g, '_')}`;

/**
 * The password of a keyfile in the environment, as the official software keeps it there: hidden from a glance by the variable's name, and from
 * nobody else.
 * @returns undefined where there is none
 */
export function passwordFrom(
  environment: Readonly<Record<string, string | undefined>>,
  file: string,
): string | undefined {
  const name = passwordVariable(file);
  const hidden = environment[name];
  if (!hidden) return undefined;
  const key = Buffer.from(name);
  return Buffer.from(Buffer.from(hidden, 'base64').map((byte, at) => byte ^ (key[at % key.length] ?? 0))).toString(
    'utf8',
  );
}
