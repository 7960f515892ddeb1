import { ENGLISH } from './domains.ts';
import { shortId } from './limits.ts';
import { sizeText } from './sizes.ts';

/**
 * What main says to a person, as data: which sentence, and what fills it in. Main makes the English sentence from it for
 * terminals and programs; the screens make their own, in their language and with its numbers and sizes.
 */
export interface Saying {
  /** One of {@link ENGLISH}; another one where the node is newer than the screens. */
  key: string;
  params?: Record<string, Param> | undefined;
}

/** Numbers are amounts, to be written as a language writes them; what only looks like one (a port, a code) is text. */
export type Param = string | number | Saying | readonly (string | Saying)[];

/** A sentence that main words itself, or free text: of a peer, of the system, of a library. */
export type Words = string | Saying;

/** What stands behind the sentences of an answer, by the field that holds the sentence. */
export type Said = Record<string, Saying>;

export type SayingKey = keyof typeof ENGLISH;

/**
 * How numbers are written. A template asks for a form by name: `{{free, bytes}}`; what is counted stands there for one and for
 * more: `{{entries, entry|entries}}`. A text has a form, too: `{{peer, node}}`, an id in short; `{{price, tao}}`, an amount of TAO with all of its digits.
 */
export interface Forms {
  number(value: number): string;
  /** «4.7 GB» */
  bytes(bytes: number): string;
  /** One digit after the point, always. */
  tenths(value: number): string;
  /** Three digits after the point, always: «1.175» times as fast. */
  thousandths(value: number): string;
  /** «0.1», all digits of an amount that is no floating-point number. */
  tao(amount: string): string;
  /** Whether the language speaks of so many as of one. */
  isOne(value: number): boolean;
}

type Slot<Inside extends string> = Inside extends `${infer Name}, ${string}` ? Name : Inside;
type Slots<Template extends string> = Template extends `${string}{{${infer Inside}}}${infer Rest}`
  ? Slot<Inside> | Slots<Rest>
  : never;
type ParamsOf<Key extends SayingKey> = [Slots<(typeof ENGLISH)[Key]>] extends [never]
  ? []
  : [params: Record<Slots<(typeof ENGLISH)[Key]>, Param>];

type Told<Fields> = { [Field in keyof Fields]: undefined extends Fields[Field] ? string | undefined : string } & {
  said?: Said;
};

const PLAIN: Forms = {
  number: String,
  bytes: (bytes) => sizeText(bytes),
  tenths: (value) => value.toFixed(1),
  thousandths: (value) => value.toFixed(3),
  tao: (amount) => amount,
  isOne: isOneIn('en'),
};

/** How people of one language write them. */
export function formsIn(language: string): Forms {
  const upToTwo = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const upToOne = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const none = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const one = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const three = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  const all = new Intl.NumberFormat(language, { maximumFractionDigits: 9 });
  return {
    number: (value) => upToTwo.format(value),
    bytes: (bytes) => sizeText(bytes, (value, digits) => (digits === 0 ? none : upToOne).format(value), '\u00a0'),
    tenths: (value) => one.format(value),
    thousandths: (value) => three.format(value),
    tao: (amount) => all.format(amount as `${number}`),
    isOne: isOneIn(language),
  };
}

function isOneIn(language: string): Forms['isOne'] {
  const rules = new Intl.PluralRules(language);
  return (value) => rules.select(value) === 'one';
}

/** How the entries of a list are told apart, by form. */
const BETWEEN: Record<string, string> = { semicolons: '; ', spaces: ' ' };

/** A sentence of the list, with everything that it names; the compiler knows what that is. */
export function say<Key extends SayingKey>(key: Key, ...[params]: ParamsOf<Key>): Saying {
  return params ? { key, params } : { key };
}

/** In English, as terminals and programs see it. */
export function sentence(words: Words): string {
  return typeof words === 'string' ? words : (phrase(words, ENGLISH, PLAIN) ?? words.key);
}

/**
 * Fields with sentences for an answer: in English, with what stands behind them in `said`. Fields without words are left out.
 */
export function told<Fields extends Record<string, Words | undefined>>(fields: Fields): Told<Fields> {
  const given = Object.entries(fields).filter((entry): entry is [string, Words] => entry[1] !== undefined);
  const said = given.filter((entry): entry is [string, Saying] => typeof entry[1] !== 'string');
  return {
    ...Object.fromEntries(given.map(([field, words]) => [field, sentence(words)])),
    ...(said.length > 0 && { said: Object.fromEntries(said) }),
  } as Told<Fields>;
}

/** A sentence of an answer or an error, as part of another: what stands behind it where that is known. */
export function wordsOf<Field extends string>(
  view: { readonly [Name in Field]: string } & { readonly said?: Said | undefined },
  field: Field,
): Words {
  return view.said?.[field] ?? view[field];
}

/** Fills in a saying; one from outside may have anything in it, and is worded as far as it goes. @returns undefined where the templates lack it, or a saying in it */
export function phrase(
  { key, params }: Saying,
  templates: Readonly<Record<string, string>>,
  forms: Forms,
): string | undefined {
  const template = Object.hasOwn(templates, key) ? templates[key] : undefined;
  if (template === undefined) return undefined;
  let complete = true;
  const write = (param: Param | null | undefined, form: string | undefined): string => {
    if (param === undefined || param === null) return '';
    if (typeof param === 'string') return inForm(param, form, forms);
    if (typeof param === 'number') return amount(param, form, forms);
    if (Array.isArray(param)) return param.map((one) => write(one, undefined)).join(BETWEEN[form ?? ''] ?? ', ');
    const inner = phrase(param as Saying, templates, forms);
    complete &&= inner !== undefined;
    return inner ?? '';
  };
  const text = template.replace(/\{\{(\w+)(?:, ([^}]+))?\}\}/g, (_, name: string, form?: string) =>
    write(params?.[name], form),
  );
  return complete ? text : undefined;
}

function inForm(text: string, form: string | undefined, forms: Forms): string {
  if (form === 'tao') return forms.tao(text);
  return form === 'node' ? shortId(text) : text;
}

function amount(value: number, form: string | undefined, forms: Forms): string {
  const [one, more] = form?.split('|') ?? [];
  if (more !== undefined) return `${forms.number(value)} ${forms.isOne(value) ? one : more}`;
  const { number, bytes, tenths, thousandths } = forms;
  const write = { number, bytes, tenths, thousandths }[form ?? 'number'];
  return write?.(value) ?? String(value);
}
