import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { SEALED_SERVER } from '../base/sealed-server.ts';
import { about, section } from '../base/setting.ts';

/** Where results are kept. */
export const resultsSettings = section({
  database: z
    .url({ protocol: /^postgres(ql)?$/ })
    .max(1_024)
    .refine(namesServer)
    .optional()
    .meta(
      about('PostgreSQL server for what a validator keeps; several may share it.', {
        wanted: say('settings.wanted.database'),
        secret: true,
        standIn: () => SEALED_SERVER, // without its database, a validator would keep its results in a file of its own
        option: { form: '--database <url>', help: 'PostgreSQL server for what a validator keeps', hidden: true },
        shownDefault: '`results.db` in the data folder',
      }),
    ),
});

/**
 * A mistyped address puts the password where nobody looks for one: after `postgres:` without slashes everything is the name
 * of the database, and a `/`, `#` or `?` in a password ends the host.
 */
function namesServer(text: string): boolean {
  const parsed = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (!parsed) return false;
  const { hostname, pathname, searchParams, hash } = parsed;
  const orderly = !hash && !/[@:]/.test(pathname) && [...searchParams.keys()].every((key) => /^\w+$/.test(key));
  return orderly && Boolean(hostname || searchParams.get('host'));
}
