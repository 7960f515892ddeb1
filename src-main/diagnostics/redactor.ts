import { homedir, hostname, userInfo } from 'node:os';

export interface RedactorOptions {
  /** Texts that must not be seen. */
  secrets: readonly string[];
  /** What this computer is called. Default: its host name. */
  names?: readonly string[];
  /** Default: the user's. */
  home?: string;
  /** Default: this one's. */
  user?: string;
}

interface Replacement {
  pattern: RegExp;
  by: string;
}

/** A shorter secret is looked for only between other characters than letters and digits: it may be part of any word. */
const SHORT_SECRET = 8;
/** What stands in the place of what was taken out. */
export const HIDDEN = '[removed]';

/** Tokens that are told by their look, whoever they belong to. */
const TOKENS: Replacement[] = [
  { pattern: /\b(bearer\s+)[^\s"'\\,;]+/gi, by: `$1${HIDDEN}` },
  { pattern: /\b(?:hf_|sk-)[\w-]{16,}/g, by: HIDDEN },
  // Up to the last @: one may stand in a password.
  { pattern: /(\/\/)[^\s/?#"']+@/g, by: `$1${HIDDEN}@` },
  { pattern: /\b(quarry_session=)[^\s"';,]+/g, by: `$1${HIDDEN}` },
];

/** Takes secrets, the user's name and the computer's name out of what is to be shown to somebody else. */
export class Redactor {
  readonly #replacements: Replacement[];

  constructor({ secrets, names = [hostname()], home = homedir(), user = userName() }: RedactorOptions) {
    const longestFirst = secrets.filter(Boolean).toSorted((a, b) => b.length - a.length);
    this.#replacements = [
      ...longestFirst.flatMap(writtenForms).map((form) => ({ pattern: secretPattern(form), by: HIDDEN })),
      ...TOKENS,
      ...pathReplacements(home, user),
      ...names
        .filter((name) => name && name !== 'localhost')
        .map((name) => ({ pattern: word(name), by: '[computer]' })),
    ];
  }

  text(text: string): string {
    return this.#replacements.reduce((clean, { pattern, by }) => clean.replace(pattern, by), text);
  }

  /** A JSON value with every text in it redacted, keys too. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((part) => this.json(part));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [this.text(key), this.json(part)]));
  }

  /** A line of JSON; any other line as text. */
  line(line: string): string {
    try {
      return JSON.stringify(this.json(JSON.parse(line)));
    } catch {
      return this.text(line); // it is no JSON
    }
  }
}

/** How a secret may be written: as it is, in a JSON text within the text, in an address, and in base64. */
export function writtenForms(secret: string): string[] {
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const inSmall = inAddress.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), inAddress, inSmall, ...base64Forms(secret)])];
}

/** Of a shorter one nothing is left that is its alone. */
const SHORT_BASE64 = 8;

/** Within a longer text it is written in one of three ways: three bytes make four letters, and those that are half its neighbour’s are left out. */
function base64Forms(secret: string): string[] {
  const ways = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
    return (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(from, to));
  });
  return ways.filter(({ length }) => length >= SHORT_BASE64);
}

function secretPattern(secret: string): RegExp {
  return secret.length < SHORT_SECRET ? word(secret) : new RegExp(escaped(secret), 'g');
}

/** For a pattern that means just this text. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Not within another word, whatever the case. */
function word(text: string): RegExp {
  return new RegExp(`(?<!\\w)${escaped(text)}(?!\\w)`, 'gi');
}

function pathReplacements(home: string, user: string): Replacement[] {
  const slash = '[\\\\/]+';
  const parts = home.split(/[\\/]/).map((part) => escaped(part));
  return [
    // A home of «/» alone would make every path begin with ~.
    ...(parts.filter(Boolean).length > 0
      ? [{ pattern: new RegExp(`(?<![\\w])${parts.join(slash)}(?![\\w.-])`, 'gi'), by: '~' }]
      : []),
    { pattern: /((?:\/home|\/Users|\b[A-Z]:[\\/]+Users)[\\/]+)[^\\/\s"':,;]+/gi, by: '$1[user]' },
    ...(user ? [{ pattern: new RegExp(`(?<=[\\\\/])${escaped(user)}(?=[\\\\/]|$)`, 'gi'), by: '[user]' }] : []),
  ];
}

/** Some containers run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // nobody’s name has to be taken out
  }
}
