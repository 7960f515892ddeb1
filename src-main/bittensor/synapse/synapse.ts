import { z } from 'zod';
import { bodyHash } from './body-hash.ts';
import { pythonStr } from './python-text.ts';

/** The SDK's version whose protocol this is, as its headers write it: 10.5.0. From 7.2.0 on nonces are times. */
export const PROTOCOL_VERSION = 10_005_000;
/** Seconds that a request takes at most, unless it says otherwise: the SDK's own default. */
export const DEFAULT_TIMEOUT_S = 12;

/** Fields that every synapse has, and that are no business of its type. */
const RESERVED = ['name', 'timeout', 'total_size', 'header_size', 'dendrite', 'axon', 'computed_body_hash'];
const NAME = /^[A-Za-z_]\w{0,63}$/;
const MAX_FIELDS = 64;

/** Question and answer in one, as the SDK has them: fields without a default are asked, the others may be answered. */
export interface SynapseType<Fields = unknown> {
  /** The SDK's class name, and the path of the request. */
  readonly name: string;
  readonly fields: z.ZodType<Fields>;
  /** Whether the answer comes as chunks of bytes instead of as fields. */
  readonly streams: boolean;
  /** What a request has to say in headers of each field without a default: a value of its type that is empty. */
  readonly inputHeaders: Readonly<Record<string, string>>;
  /** The hash of the fields that the signature covers, in lower-case hex. */
  hash(fields: Fields): string;
}

export interface SynapseOptions<Shape extends z.ZodRawShape> {
  name: string;
  fields: Shape;
  /**
   * Fields that the signature covers, in the order of the SDK's `required_hash_fields`. Default: none, and then whoever carries
   * the request may change it. Let it be fields of text: other types are hashed as Python writes them.
   */
  hashed?: readonly (keyof Shape & string)[];
  /** Default false. */
  streams?: boolean;
}

/**
 * A kind of request, understood by the SDK's class of the same name and fields.
 * @throws Error for a name that the SDK could not have, or required fields with capitals: a mistake in the program
 */
export function defineSynapse<Shape extends z.ZodRawShape>(
  options: SynapseOptions<Shape>,
): SynapseType<z.output<z.ZodObject<Shape>>> {
  const { name, fields: shape, hashed = [], streams = false } = options;
  const types = Object.entries(shape) as [string, z.ZodType][];
  const required = types.filter(([, type]) => !type.safeParse(undefined).success);
  const wrong = [
    ...types.filter(([field]) => !NAME.test(field) || RESERVED.includes(field)),
    // Names of headers have no capitals: nobody could read the field's back from there.
    ...required.filter(([field]) => field !== field.toLowerCase()),
  ];
  if (!NAME.test(name) || types.length > MAX_FIELDS || wrong.length > 0) {
    throw new Error(`No synapse can be like that: ${[name, ...wrong.map(([field]) => field)].join(', ')}.`);
  }
  return {
    name,
    fields: z.object(shape),
    streams,
    inputHeaders: Object.fromEntries(required.map(([field, type]) => [`bt_header_input_obj_${field}`, emptyOf(type)])),
    hash: (fields) => bodyHash(hashed.map((field) => pythonStr(fields[field as keyof typeof fields], shape[field]))),
  };
}

/** What every axon of the SDK answers: nothing is asked, nothing is said. */
export const PING = defineSynapse({ name: 'Synapse', fields: {} });

/** Base64 of the JSON of what Python makes of a type when it is given nothing. */
function emptyOf(type: z.ZodType): string {
  return Buffer.from(emptyJson(type)).toString('base64');
}

function emptyJson(type: z.ZodType): string {
  if (type instanceof z.ZodNumber) return type.isInt ? '0' : '0.0';
  if (type instanceof z.ZodBoolean) return 'false';
  if (type instanceof z.ZodArray) return '[]';
  return type instanceof z.ZodRecord || type instanceof z.ZodObject ? '{}' : '""';
}
