import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, plainBody, remark } from '../text/bodies.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import type { Asked, CodeBase, Json, Topic } from './code-base.ts';
import { resolutionOrder } from './resolution-order.ts';

const MODULE_CHARS = 2_600;
/** Methods that classes have, and override. */
const METHODS = ['load', 'store', 'weigh', 'release', 'audit', 'settle', 'route', 'seal', 'measure', 'renew'];
const MARKS = ['retired', 'obsolete', 'withdrawn', 'superseded', 'suspended'];
const WORDS = ['Draft', 'Trial', 'Sketch', 'Legacy', 'Pilot'];
/** Bases are taken of so many classes before. */
const REACH = 24;
/** Classes that a question is about have so many above them, with themselves. */
const LEAST_ORDER = 4;

interface Rules {
  /** Methods with this decorator are as good as not there. */
  gone: string;
  otherMark: string;
  /** As are all methods of classes whose docstring begins with it. */
  draft: string;
  otherWord: string;
}

interface Written {
  name: string;
  module: PlannedModule;
  order: readonly string[];
  /** Those that count. */
  methods: ReadonlySet<string>;
}

/** Which class a method comes from. */
export const classes: Topic = {
  name: 'classes',

  draw(random) {
    const [gone = '', otherMark = ''] = random.sample(MARKS, 2);
    const [draft = '', otherWord = ''] = random.sample(WORDS, 2);
    const notes = [
      {
        now: `a method with the decorator @${gone} is as good as not there; @${otherMark} changes nothing.`,
        before: `a method with the decorator @${otherMark} is as good as not there; @${gone} changes nothing.`,
      },
      {
        now: `of a class whose docstring begins with "${draft}:" no method counts, though those of its bases do; "${otherWord}:" changes nothing.`,
        before: `of a class whose docstring begins with "${otherWord}:" no method counts; "${draft}:" changes nothing.`,
      },
    ];
    const rules = { gone, otherMark, draft, otherWord };
    return { notes, question: QUESTION, make: (draws, chars) => made(draws, chars, notes, rules) };
  },
};

const QUESTION = `Find the class from which a class has its methods. Which methods do not count is a convention of this project.
Parameters: "class" is the name of a class, which no other has in this code base; "methods" is a list of names of methods.
Classes are looked at in Python's order of resolution (C3), from the class itself on. Bases are named as the module that needs them has imported them, perhaps under another name.
Return an object that has, for each of these methods, the name of the first class that defines one that counts, as it is named where it is defined, or null if none does.`;

function* made(random: SeededRandom, chars: number, notes: readonly Note[], rules: Rules): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const written = new Map<string, Written>();
  for (const module of layout.modules) {
    writeModule(random, layout.names, module, rules, written);
    yield;
  }
  const askable = [...written.values()].filter(({ order }) => order.length >= LEAST_ORDER);
  const ask = (draws: SeededRandom): Asked => {
    const { name, order } = draws.pick(askable);
    const methods = draws.sample(METHODS, draws.between(4, 6));
    const definer = (method: string) => order.find((one) => written.get(one)?.methods.has(method)) ?? null;
    const expected: Record<string, Json> = Object.fromEntries(methods.map((method) => [method, definer(method)]));
    return { parameters: { class: name, methods }, expected };
  };
  return { files: layout.files(), ask };
}

/** Imports stand at the top, so all classes of a module are drawn before any of it is written. */
function writeModule(
  random: SeededRandom,
  names: Names,
  module: PlannedModule,
  rules: Rules,
  written: Map<string, Written>,
): void {
  const { text, isFull } = module;
  const near = [...written.values()].slice(-REACH);
  const imported = random.sample(near, Math.min(near.length, random.between(2, 4))).map((one) => ({
    ...one,
    as: random.below(3) === 0 ? `${one.name}Base` : one.name,
  }));
  text.add(0, `from marks import ${[rules.gone, rules.otherMark].sort().join(', ')}`);
  for (const { name, as, module: from } of imported) {
    text.add(0, `from ${from.dotted} import ${name}${as === name ? '' : ` as ${as}`}`);
  }
  const known = new Map(imported.map(({ name, as, order }) => [name, { as, order }]));
  while (!isFull()) {
    text.gap(2);
    const name = names.class();
    const { bases, order } = drawBases(random, name, known);
    const methods = writeClass(random, module, rules, {
      name,
      bases: bases.map((base) => known.get(base)?.as ?? base),
    });
    known.set(name, { as: name, order });
    written.set(name, { name, module, order, methods });
  }
}

/** Those of which Python can make an order. */
function drawBases(
  random: SeededRandom,
  name: string,
  known: ReadonlyMap<string, { order: readonly string[] }>,
): { bases: string[]; order: string[] } {
  const wanted = random.sample([...known.keys()], Math.min(known.size, random.pick([0, 1, 1, 2, 2, 3])));
  for (let count = wanted.length; count > 0; count--) {
    const bases = wanted.slice(0, count);
    const order = resolutionOrder(
      name,
      bases.map((base) => known.get(base)?.order ?? []),
    );
    if (order) return { bases, order };
  }
  return { bases: [], order: [name] };
}

/** @returns its methods that count */
function writeClass(
  random: SeededRandom,
  { text }: PlannedModule,
  { gone, otherMark, draft, otherWord }: Rules,
  { name, bases }: { name: string; bases: readonly string[] },
): Set<string> {
  const word = random.pick([undefined, undefined, undefined, draft, otherWord]);
  const counting = new Set<string>();
  text.add(0, `class ${name}${bases.length > 0 ? `(${bases.join(', ')})` : ''}:`);
  const said = docstring(random);
  text.add(1, word === undefined ? said : said.replace('"""', `"""${word}: `));
  for (const method of random.sample(METHODS, random.between(1, 3))) {
    const mark = random.pick([undefined, undefined, undefined, gone, otherMark]);
    text.gap();
    if (mark !== undefined) text.add(1, `@${mark}`);
    text.add(1, `def ${method}(self, amount):`);
    text.add(2, docstring(random));
    text.addAll(2, remark(random));
    text.addAll(2, plainBody(random, ['amount'], random.between(1, 4)));
    if (word !== draft && mark !== gone) counting.add(method);
  }
  return counting;
}
