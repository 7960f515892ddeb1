import type { SeededRandom } from '../../../../validation/seeded-random.ts';

interface Parameter {
  name: string;
  default: number | undefined;
}

/** What a function takes, in Python’s order. */
export interface Signature {
  positional: readonly Parameter[];
  /** So many of these, the first ones, are taken by position only. */
  positionalOnly: number;
  /** `*rest` */
  takesMore: boolean;
  keywordOnly: readonly Parameter[];
  /** `**options` */
  takesOthers: boolean;
}

/** What is given to a function. */
export type Call = { positional: number; keywords: string[] };

/** @param names of parameters, of which it takes some */
export function drawSignature(random: SeededRandom, names: readonly string[]): Signature {
  const [byPosition, byKeyword] = [random.below(4), random.below(3)];
  const drawn = random.sample(names, byPosition + byKeyword);
  const required = random.between(0, byPosition);
  const value = () => random.between(1, 99);
  const positionalOnly = byPosition > 0 && random.below(4) === 0 ? random.between(1, byPosition) : 0;
  return {
    positional: drawn.slice(0, byPosition).map((name, at) => ({ name, default: at < required ? undefined : value() })),
    positionalOnly,
    takesMore: random.below(6) === 0,
    keywordOnly: drawn.slice(byPosition).map((name) => ({ name, default: random.coin() ? undefined : value() })),
    // Never both: of such a call, `Signature.bind` of Python’s own `inspect` says something else than a call itself.
    takesOthers: positionalOnly === 0 && random.below(7) === 0,
  };
}

/** As it stands between the parentheses. @param bound `self` or `cls`, where there is one */
export function signatureText(signature: Signature, bound: string | undefined): string {
  const { positional, positionalOnly, takesMore, keywordOnly, takesOthers } = signature;
  const written = positional.map(parameterText);
  if (positionalOnly > 0) written.splice(positionalOnly, 0, '/');
  return [
    ...(bound === undefined ? [] : [bound]),
    ...written,
    ...(takesMore ? ['*rest'] : keywordOnly.length > 0 ? ['*'] : []),
    ...keywordOnly.map(parameterText),
    ...(takesOthers ? ['**options'] : []),
  ].join(', ');
}

const parameterText = (parameter: Parameter) =>
  parameter.default === undefined ? parameter.name : `${parameter.name}=${parameter.default}`;

/** Whether Python would take it (language reference, Calls). */
export function accepts(signature: Signature, { positional: given, keywords }: Call): boolean {
  const { positional, positionalOnly, takesMore, keywordOnly, takesOthers } = signature;
  if (given > positional.length && !takesMore) return false;
  const left = new Map(positional.map((parameter, at) => [parameter.name, { ...parameter, at }]));
  const byKeyword = new Map(keywordOnly.map((parameter) => [parameter.name, parameter]));
  for (const keyword of keywords) {
    const parameter = left.get(keyword);
    if (parameter && parameter.at >= positionalOnly) {
      if (parameter.at < given) return false; // given twice
      left.delete(keyword);
    } else if (!byKeyword.delete(keyword) && !takesOthers) return false;
  }
  const missing = [...left.values()].some((parameter) => parameter.at >= given && parameter.default === undefined);
  return !missing && [...byKeyword.values()].every((parameter) => parameter.default !== undefined);
}

/** A call that a function takes: all that it needs, and some of what it need not have. */
export function callOf(random: SeededRandom, signature: Signature): Call {
  const { positional, positionalOnly, keywordOnly } = signature;
  const neededByPosition = positional.slice(0, positionalOnly).filter((one) => one.default === undefined).length;
  const given = random.between(neededByPosition, positional.length);
  const wanted = (parameter: Parameter) => parameter.default === undefined || random.below(3) === 0;
  const named = positional.filter((_, at) => at >= Math.max(given, positionalOnly));
  return { positional: given, keywords: [...named, ...keywordOnly].filter(wanted).map(({ name }) => name) };
}
