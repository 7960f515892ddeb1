import { oneOf, type Pick } from './schema-values.ts';

/** Places of a value that are looked at for a change. */
const PLACES = 400;

const NUMBERS = [0, -1, -0, 0.1, 1e308, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e-308, 4_294_967_296, 255, 1e21];
const TEXTS = [
  '',
  '\0',
  '\ud800',
  'half \udc00 a character',
  '\u001b[2J\u001b]0;owned\u0007',
  '\u202egnp.exe',
  '\r\n\r\nGET / HTTP/1.1\r\n',
  '../../../../etc/passwd',
  'a'.repeat(65_537),
  '>'.repeat(3_000),
  '- '.repeat(4_000),
  '\u0301'.repeat(2_000),
  "'; DROP TABLE entries; --",
  '%00%2e%2e%2f',
  'NaN',
];
const KEYS = ['__proto__', 'constructor', 'toString', 'toJSON', 'then', 'length', '', '\0', 'a'.repeat(2_000), '$ref'];
const MEBIBYTE_TEXT = 'm'.repeat(1_048_577);
const HUGE = 500;
/** What is made many times over stays below this. */
const MOST_CHARS = 2_000_000;

type Holder = Record<string | number, unknown>;
interface Place {
  holder: Holder;
  key: string | number;
}

/** Changes a value of JSON in one place or a few: what stays is what an honest node would say. The value itself is changed. */
export function mutated(value: unknown, pick: Pick): unknown {
  const root: Holder = { value };
  for (let count = 1 + pick(3); count > 0; count--) change(root, pick);
  return root.value;
}

function change(root: Holder, pick: Pick): void {
  const places = placesOf(root);
  const { holder, key } = oneOf(places, pick);
  const value = holder[key];
  switch (pick(10)) {
    case 0:
      delete holder[key];
      return;
    case 1: {
      const other = oneOf(places.slice(1), pick) ?? { holder, key };
      holder[key] = copy(other.holder[other.key]); // a field of another's, or what it is in once more
      return;
    }
    case 2:
      holder[key] = nested(value, 1 + pick(80), pick);
      return;
    case 3:
      put(holder, oneOf(KEYS, pick), copy(value));
      return;
    case 4:
      holder[key] = more(value, pick);
      return;
    case 5:
      holder[key] = oneOf([null, true, [], {}, '', 0, [[]], { toJSON: 1 }, typeof value, [value]], pick);
      return;
    default:
      holder[key] = worse(value, pick);
  }
}

/** A number at its edges, a text with what no text should have. */
function worse(value: unknown, pick: Pick): unknown {
  if (typeof value === 'number') return oneOf([value + 1, value - 1, -value, value + 0.5, ...NUMBERS], pick);
  if (typeof value !== 'string') return oneOf([...NUMBERS, ...TEXTS], pick);
  if (pick(HUGE) === HUGE - 1) return MEBIBYTE_TEXT;
  const at = pick(value.length + 1);
  const flipped = value.slice(0, at) + String.fromCharCode(pick(65_536)) + value.slice(at + 1);
  return oneOf([`${value}a`, value.slice(1), value.toUpperCase(), flipped, value + value, ...TEXTS], pick);
}

/** Lists longer than they may be, objects fuller than any. */
function more(value: unknown, pick: Pick): unknown {
  const asked = oneOf([1, 2, 20, 33, 65, 130, 1_025], pick);
  const times = (JSON.stringify(value)?.length ?? 0) * asked > MOST_CHARS ? 1 : asked;
  if (Array.isArray(value)) return [...value, ...Array(times).fill(value.at(-1) ?? 1)];
  if (typeof value === 'string') return value.padEnd(value.length + times, 'x');
  if (typeof value !== 'object' || value === null) return Array(times).fill(value);
  return { ...value, ...Object.fromEntries(Array.from({ length: times }, (_, at) => [`k${at}`, at])) };
}

function nested(value: unknown, levels: number, pick: Pick): unknown {
  const asList = pick(2) === 0;
  let deep = value;
  for (let level = 0; level < levels; level++) deep = asList ? [deep] : { a: deep };
  return deep;
}

function placesOf(root: Holder): Place[] {
  const places: Place[] = [{ holder: root, key: 'value' }];
  for (let at = 0; at < places.length && places.length < PLACES; at++) {
    const { holder, key } = places[at] as Place;
    const value = holder[key];
    if (typeof value !== 'object' || value === null) continue;
    for (const each of Object.keys(value).slice(0, 50)) places.push({ holder: value as Holder, key: each });
  }
  return places;
}

/** `__proto__` as JSON brings it: a field of its own. */
function put(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder)) return;
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function copy(value: unknown): unknown {
  return value === undefined ? null : structuredClone(value);
}

/** Changes bytes: some are flipped, cut out, doubled or put in. */
export function damaged(bytes: Uint8Array, pick: Pick): Buffer {
  let result: Buffer = Buffer.from(bytes);
  for (let count = 1 + pick(4); count > 0; count--) result = damage(result, pick);
  return result;
}

function damage(bytes: Buffer, pick: Pick): Buffer {
  const at = pick(bytes.length + 1);
  const length = pick(Math.min(64, bytes.length - at) + 1);
  const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (pick(6)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, rest.subarray(length)]);
    case 2:
      return Buffer.concat([before, rest.subarray(0, length), rest]);
    case 3:
      return Buffer.concat([
        before,
        Buffer.from(oneOf(['\0', '{', '[', '"', ']', '}', ',', '1e999', '\\ud800', '\xff'], pick), 'latin1'),
        rest,
      ]);
    case 4:
      return Buffer.concat([before, Buffer.alloc(length, oneOf([0, 255, 0x5b, 0x22], pick)), rest.subarray(length)]);
    default:
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
      return bytes;
  }
}
