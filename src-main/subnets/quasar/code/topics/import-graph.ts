/** Of each module, by its full name, what it imports itself. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The same the other way round: by whom each module is imported. */
export function turned(graph: Graph): Graph {
  const back = new Map([...graph.keys()].map((module) => [module, new Set<string>()]));
  for (const [from, to] of graph) for (const one of to) back.get(one)?.add(from);
  return back;
}

/** All that can be come to from a module; itself only where a way leads back. */
export function closure(graph: Graph, module: string): Set<string> {
  const found = new Set<string>();
  const open = [module];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const to of graph.get(next) ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}
