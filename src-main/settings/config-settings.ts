import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { isNear } from '../base/nearest.ts';
import type { SettingMeta } from '../base/setting.ts';
import { type Config, configSchema } from './config-schema.ts';

/** One setting, as the layers and the documentation see it. */
export interface Setting extends Omit<SettingMeta, 'wanted'> {
  /** Its place in the configuration file: `port`, `mesh.name`. */
  path: string;
  /** Its environment variable: `QUARRY_PORT`, `QUARRY_MESH_NAME`. */
  variable: string;
  /** Its command-line option, `--port`. */
  flag: string | undefined;
  /** What a value must be, as a noun phrase. */
  wanted: Saying;
  type: 'number' | 'string' | 'list' | 'switch';
  /** The texts that there are to choose from; absent for any other setting. */
  choices?: string[];
  /** A whole number is wanted. */
  whole?: boolean;
  /** The least number; absent where it is none. */
  min?: number;
  max?: number;
  schema: z.ZodType;
}

/** All settings, in the order of their sections: those of no table first, as in a file. */
export const SETTINGS: readonly Setting[] = settingsOf(configSchema.shape, '').sort(
  (a, b) => Number(a.path.includes('.')) - Number(b.path.includes('.')),
);

/** The tables of the configuration file: `mesh`, `limits.requestsPerMinute`. */
export const TABLES: ReadonlySet<string> = new Set(SETTINGS.flatMap(({ path }) => parents(path)));

export function settingAt(path: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.path === path);
}

/** The value that a path leads to. */
export function valueAt(root: object, path: string): unknown {
  return path.split('.').reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], root);
}

/** Makes it, and whatever is in it, unchangeable. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** Puts a value where a path leads, through tables that are there. */
export function place(root: object, path: string, value: unknown): void {
  const dot = path.lastIndexOf('.');
  const table = dot < 0 ? root : valueAt(root, path.slice(0, dot));
  (table as Record<string, unknown>)[path.slice(dot + 1)] = value;
}

/** Longer than any name of a setting. */
const MAX_NAME_CHARS = 100;

/** An unknown name, as far as errors repeat it: a file may hold one of any length. */
export function shownName(unknown: string): string {
  return unknown.length > MAX_NAME_CHARS ? `${unknown.slice(0, MAX_NAME_CHARS)}…` : unknown;
}

/**
 * The known name that an unknown one was most likely meant to be; undefined where none is near. A right last part in a wrong table is
 * near, too.
 * @param unknown as {@link shownName} gives it: to compare a long one takes long
 */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  const cost = (name: string) => [
    Math.min(distance(bare(unknown), bare(name)), distance(bare(lastPart(unknown)), bare(lastPart(name)))),
    distance(bare(unknown), bare(name)),
  ];
  const ranked = known.map((name) => ({ name, cost: cost(name) }));
  ranked.sort((a, b) => (a.cost[0] ?? 0) - (b.cost[0] ?? 0) || (a.cost[1] ?? 0) - (b.cost[1] ?? 0));
  const meant = ranked[0]?.name ?? '';
  const near = isNear(bare(unknown), bare(meant)) || isNear(bare(lastPart(unknown)), bare(lastPart(meant)));
  return near ? meant : undefined;
}

function settingsOf(shape: Record<string, unknown>, table: string): Setting[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const path = table ? `${table}.${key}` : key;
    if (schema instanceof z.ZodObject) return settingsOf(schema.shape, path);
    return schema instanceof z.ZodType ? [settingOf(path, schema)] : [];
  });
}

function settingOf(path: string, schema: z.ZodType): Setting {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const { description = '', ...meta } = (schema.meta() ?? {}) as Partial<SettingMeta>;
  const type = typeOf(json.type);
  const wanted = meta.wanted ?? wantedBy(path, json);
  const flag = meta.option?.form.split(' ')[0];
  return { path, variable: variableOf(path), flag, description, ...meta, wanted, type, ...boundsOf(json), schema };
}

function typeOf(type: z.core.JSONSchema.BaseSchema['type']): Setting['type'] {
  if (type === 'array') return 'list';
  if (type === 'boolean') return 'switch';
  return type === 'string' ? 'string' : 'number';
}

function boundsOf({ type, enum: choices, minimum: min, maximum: max }: z.core.JSONSchema.BaseSchema) {
  return { ...(choices && { choices: choices.map(String) }), ...(type === 'integer' && { whole: true }), min, max };
}

/** `limits.framesPerSecond` → `QUARRY_LIMITS_FRAMES_PER_SECOND`. */
function variableOf(path: string): string {
  const words = path.replaceAll('.', '_').replace(/[A-Z]/g, (capital) => `_${capital}`);
  return `QUARRY_${words.toUpperCase()}`;
}

/** @throws Error for a setting whose schema alone does not tell */
function wantedBy(
  path: string,
  { type, enum: choices, items, minimum, maximum, minLength, maxLength }: z.core.JSONSchema.BaseSchema,
): Saying {
  const some = typeof items === 'object' && !Array.isArray(items) ? items.enum : undefined;
  if (some) return say('settings.wanted.someOf', { choices: some.map((choice) => JSON.stringify(choice)) });
  if (choices) return say('settings.wanted.oneOf', { choices: choices.map((choice) => JSON.stringify(choice)) });
  if (type === 'boolean') return say('settings.wanted.oneOf', { choices: ['true', 'false'] });
  if (type === 'string' && !maxLength) return say('settings.wanted.text');
  if (type === 'string') return say('settings.wanted.textOf', { least: minLength ?? 0, most: maxLength ?? 0 });
  if (minimum === undefined || maximum === undefined)
    throw new Error(`${path} is neither a text nor a number within bounds: it says itself what it wants.`);
  const range = { least: minimum, most: maximum };
  return type === 'integer' ? say('settings.wanted.wholeNumber', range) : say('settings.wanted.number', range);
}

function parents(path: string): string[] {
  const parts = path.split('.').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Whether a running node takes it over at once; the others wait for a restart. */
export function appliesAtOnce(path: string): boolean {
  return settingAt(path)?.atOnce !== undefined;
}

/** The secrets that a configuration holds; of an address with a password in it, that alone too. */
export function secretsOf(config: Config): string[] {
  const secrets = SETTINGS.filter(({ secret }) => secret).map(({ path }) => valueAt(config, path));
  return secrets.filter((secret) => typeof secret === 'string').flatMap((secret) => [secret, ...passwordsIn(secret)]);
}

/** As it stands there, and as it is meant: in an address some characters are written as `%40`. */
function passwordsIn(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { username, password, searchParams } = new URL(secret);
  const inUser = unescaped(username).split(':').slice(1).join(':');
  const found = [password, unescaped(password), inUser, searchParams.get('password')];
  return [...new Set(found)].filter((one): one is string => Boolean(one));
}

/** Unlike decodeURIComponent it leaves what is no escape as it is. */
function unescaped(text: string): string {
  return new URLSearchParams(`_=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('_') ?? '';
}
