import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, plainBody, remark } from '../text/bodies.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import type { Asked, CodeBase, Topic } from './code-base.ts';
import { closure, turned } from './import-graph.ts';
import { importLines } from './import-text.ts';

const MODULE_CHARS = 1_900;
/** Modules that mostly import each other. */
const CLUSTER = 12;

/** Where an import stands, and so whether it counts. */
type Place = 'top' | 'function' | 'typing';
const PLACES: readonly Place[] = ['top', 'top', 'top', 'function', 'typing'];

/** Which modules need which others, and which of them in a circle. */
export const imports: Topic = {
  name: 'imports',

  draw(random) {
    const [inFunctions, inTyping] = [random.coin(), random.coin()];
    const rule = (functions: boolean, typing: boolean) =>
      `an import within a function ${functions ? 'counts as' : 'is not'} a dependency; one below \`if TYPE_CHECKING:\` ${typing ? 'counts as' : 'is not'} a dependency.`;
    const notes = [{ now: rule(inFunctions, inTyping), before: rule(!inFunctions, !inTyping) }];
    const counted = new Set<Place>([
      'top',
      ...(inFunctions ? ['function' as const] : []),
      ...(inTyping ? ['typing' as const] : []),
    ]);
    return { notes, question: QUESTION, make: (draws, chars) => made(draws, chars, notes, counted) };
  },
};

const QUESTION = `Find out who depends on a module. Which imports count as dependencies is a convention of this project.
Parameters: "module" is the full name of a module ("quays.vouchers.voucher_desk" for quays/vouchers/voucher_desk.py).
A module depends on another of this code base if it imports it, or a name out of it, in whatever way Python has for that, also relatively. Modules that are not among the files do not count, nor do packages (\`__init__.py\`) as such.
Return {"dependents": […], "circle": […]}, both sorted as Python sorts texts. "dependents" has the full names of all modules that depend on it, directly or through others; the module itself is among them only if it depends on itself that way. "circle" has all modules that depend on it, directly or through others, and on which it depends in the same sense, with itself; it is empty where it does not depend on itself.`;

function* made(
  random: SeededRandom,
  chars: number,
  notes: readonly Note[],
  counted: ReadonlySet<Place>,
): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const { modules, names } = layout;
  const shuffled = random.sample([...modules.keys()], modules.length);
  const rank = new Map(shuffled.map((module, at) => [module, at]));
  const graph = new Map<string, Set<string>>();
  for (const [at, module] of modules.entries()) {
    const edges = drawEdges(random, rank.get(at) ?? 0, shuffled).map((to) => ({
      to: modules[to] as PlannedModule,
      place: random.pick(PLACES),
    }));
    const own = edges.filter(({ place }) => counted.has(place)).map(({ to }) => to.dotted);
    graph.set(module.dotted, new Set(own));
    writeModule(random, names, module, edges);
    yield;
  }
  const dependents = new Map<string, Set<string>>();
  const back = turned(graph);
  for (const module of graph.keys()) {
    dependents.set(module, closure(back, module));
    yield;
  }
  const of = (module: string) => dependents.get(module) ?? new Set<string>();
  const askable = [...graph.keys()].filter((module) => of(module).size > 0);
  const inCircle = askable.filter((module) => of(module).has(module));
  const ask = (draws: SeededRandom): Asked => {
    const module = draws.pick(inCircle.length > 0 && draws.coin() ? inCircle : askable);
    const all = [...of(module)].sort();
    const below = closure(graph, module);
    return { parameters: { module }, expected: { dependents: all, circle: all.filter((one) => below.has(one)) } };
  };
  return { files: layout.files(), ask };
}

/** Of its own cluster one or two that come later, now and then one that comes earlier, and seldom one of another. */
function drawEdges(random: SeededRandom, rank: number, shuffled: readonly number[]): number[] {
  const first = rank - (rank % CLUSTER);
  const cluster = shuffled.slice(first, first + CLUSTER);
  const own = rank - first;
  const later = cluster.slice(own + 1, own + 4);
  const earlier = cluster.slice(Math.max(0, own - 3), own);
  const to = random.sample(later, Math.min(later.length, random.between(1, 2)));
  if (earlier.length > 0 && random.below(3) === 0) to.push(random.pick(earlier));
  if (random.below(8) === 0) to.push(random.pick(shuffled));
  return [...new Set(to)].filter((one) => one !== shuffled[rank]);
}

function writeModule(
  random: SeededRandom,
  names: Names,
  module: PlannedModule,
  edges: readonly { to: PlannedModule; place: Place }[],
): void {
  const { text, isFull } = module;
  const linesFor = (place: Place) =>
    edges.filter((edge) => edge.place === place).flatMap(({ to }) => importLines(random, module, to));
  text.addAll(0, random.sample(['import json', 'import math', 'from collections import Counter', 'import re'], 2));
  text.add(0, 'from typing import TYPE_CHECKING');
  text.addAll(0, linesFor('top'));
  const typing = linesFor('typing');
  if (typing.length > 0) {
    text.addAll(0, ['', 'if TYPE_CHECKING:']);
    text.addAll(1, typing);
  }
  const lazy = linesFor('function');
  let isFirst = true;
  while (isFirst || !isFull()) {
    text.gap(2);
    text.add(0, `def ${names.function()}(amount, region=${random.between(1, 99)}):`);
    text.add(1, docstring(random));
    if (isFirst) text.addAll(1, lazy);
    if (random.below(6) === 0) text.add(1, `# from ${module.dotted} import ${names.function()}`);
    if (random.below(8) === 0) text.add(1, `print("import ${module.dotted}")`);
    text.addAll(1, remark(random));
    text.addAll(1, plainBody(random, ['amount', 'region'], random.between(3, 7)));
    isFirst = false;
  }
}
