import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isLoopback } from '../server/access.ts';
import { configError } from './config-error.ts';
import type { Given } from './config-layers.ts';
import type { Config } from './config-schema.ts';

/**
 * Resolves paths and holds the value to its setting.
 * @throws CONFIG_INVALID naming origin, setting, what is wanted and what was found
 */
export function checkGiven(given: Given): Given {
  const { setting, origin, folder } = given;
  const value = setting.isPath ? resolvePath(given.value, folder, setting.isPath === 'always') : given.value;
  const { success, error } = setting.schema.safeParse(value);
  if (success) return { ...given, value };
  const index = error.issues[0]?.path[0];
  const found =
    Array.isArray(value) && typeof index === 'number'
      ? `holds ${describe(value[index])}`
      : `is ${describe(value, setting.secret)}`;
  throw configError(`${origin}: ${setting.path} must be ${setting.wanted}, but it ${found}.`, undefined, setting.path);
}

/** Rules that take more than one setting. @throws CONFIG_INVALID */
export function checkTogether(config: Config): void {
  if (config.backend === 'remote' && !config.remote.baseUrl) {
    throw configError(
      'backend is "remote", but remote.baseUrl does not say where.',
      'Set remote.baseUrl to the server’s address, as in "http://127.0.0.1:8000/v1", or backend to "local".',
      'remote.baseUrl',
    );
  }
  if (!isLoopback(config.host) && !config.apiToken) {
    throw configError(
      `host is ${config.host}, so others can reach the API, but there is no apiToken.`,
      'Set apiToken to a long random text, or host to 127.0.0.1.',
      'apiToken',
    );
  }
  const { heatAbove, heatBelow } = config.policy;
  if (heatBelow >= heatAbove) {
    throw configError(
      `policy.heatBelow (${heatBelow} °C) must be less than policy.heatAbove (${heatAbove} °C).`,
      'A few degrees between them keep the engine from switching on and off.',
      'policy.heatBelow',
    );
  }
}

/** @param always false for a text that may be a name instead */
function resolvePath(value: unknown, folder: string, always: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => resolvePath(part, folder, always));
  if (typeof value !== 'string' || !(always || /[/\\]|\.gguf$/i.test(value))) return value;
  return resolve(folder, value.replace(/^~(?=$|[/\\])/, homedir()));
}

/** What stands there, as a noun phrase; of a secret only its kind. */
function describe(value: unknown, secret = false): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object') return 'a table';
  const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'value';
  return secret ? `a ${kind} that is not shown` : `the ${kind} ${JSON.stringify(value)}`;
}
