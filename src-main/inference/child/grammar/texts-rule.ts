/** Takes a rule and gives it a name. */
type Naming = (rule: string) => string;

/**
 * The rule of one of several texts.
 * @param texts each once
 * @param name for what follows on a beginning that some have in common: written in place it would be as many levels as texts begin with each other
 */
export function textsRule(texts: readonly string[], name: Naming): string {
  return restRule(
    texts.map((text) => [...text]),
    0,
    name,
  );
}

function restRule(texts: readonly string[][], from: number, name: Naming): string {
  const longer = texts.filter(({ length }) => length > from);
  const ways = [...Map.groupBy(longer, (text) => text[from]).values()].map((alike) => alikeRule(alike, from, name));
  return [...ways, ...(longer.length < texts.length ? ['""'] : [])].join(' | ');
}

/** Of those that have the same letter there. */
function alikeRule(texts: readonly string[][], from: number, name: Naming): string {
  const [first = [], ...others] = texts;
  if (others.length === 0) return literal(first.slice(from).join(''));
  const end = Math.min(...texts.map(({ length }) => length));
  let to = from + 1;
  while (to < end && others.every((text) => text[to] === first[to])) to++;
  return `${literal(first.slice(from, to).join(''))} ${name(restRule(texts, to, name))}`;
}

/** One piece of JSON, letter for letter. */
export function literal(json: string): string {
  return `"${json.replaceAll(/[\\"]/g, '\\$&')}"`;
}
