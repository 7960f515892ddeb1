import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, remark } from '../text/bodies.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import { LOCALS } from '../text/words.ts';
import type { Asked, CodeBase, Topic } from './code-base.ts';

const MODULE_CHARS = 3_600;
/** Names that are used all over, in scopes of all sorts. */
const USED = LOCALS.slice(0, 7);
/** A question is asked where a name is given so many values at least. */
const LEAST_LINES = 3;

/** Ways to give a name a value of which a project counts some. */
const WAYS = {
  augmented: 'augmented assignments such as `total += 1`',
  loop: 'targets of `for` statements',
  with: 'names after `as` in `with` statements',
  walrus: 'assignment expressions such as `(total := 1)`',
} as const;
type Way = keyof typeof WAYS | 'plain';
const ALL_WAYS = Object.keys(WAYS) as (keyof typeof WAYS)[];

/** Where a name gets values, in one scope of one module. */
interface Written {
  path: string;
  scope: string;
  name: string;
  lines: { line: number; way: Way }[];
}

/** On which lines of a scope a name gets a value. */
export const assignments: Topic = {
  name: 'assignments',

  draw(random) {
    const counted = random.sample(ALL_WAYS, random.between(1, 3));
    const others = ALL_WAYS.filter((way) => !counted.includes(way));
    const listed = (ways: readonly (keyof typeof WAYS)[]) => ways.map((way) => WAYS[way]).join(', ') || 'nothing';
    const notes = [
      {
        now: `as a write counts a plain assignment, also one with several targets and one with an annotation and a value; beside it count ${listed(counted)}; there do not count ${listed(others)}.`,
        before: `as a write counted a plain assignment; beside it counted ${listed(others)}; there did not count ${listed(counted)}.`,
      },
    ];
    return { notes, question: QUESTION, make: (draws, chars) => made(draws, chars, notes, new Set(counted)) };
  },
};

const QUESTION = `Find the lines on which a name is written in a scope. What counts as a write is a convention of this project.
Parameters: "path" is the file; "scope" is "" for the module, or the names of the functions and classes around, joined by dots ("Desk.settle", "settle.inner"); "name" is the name.
A write belongs to the scope whose name Python gives the value to: below \`global name\` in a function it is one of the module, and functions, lambdas and comprehensions within a scope are scopes of their own. Parameters of functions, attributes and items are no writes.
Return the numbers of the lines, from 1, in rising order, each once.`;

function* made(
  random: SeededRandom,
  chars: number,
  notes: readonly Note[],
  counted: ReadonlySet<Way>,
): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const written: Written[] = [];
  for (const module of layout.modules) {
    written.push(...new ModuleOfWrites(random, layout.names, module).write());
    yield;
  }
  const counts = ({ way }: { way: Way }) => way === 'plain' || counted.has(way);
  const askable = written.filter(({ lines }) => lines.filter(counts).length >= LEAST_LINES && !lines.every(counts));
  const ask = (draws: SeededRandom): Asked => {
    const { path, scope, name, lines } = draws.pick(askable);
    const expected = [...new Set(lines.filter(counts).map(({ line }) => line))].sort((a, b) => a - b);
    return { parameters: { path, scope, name }, expected };
  };
  return { files: layout.files(), ask };
}

/** One module, in which names are given values in all the ways. */
class ModuleOfWrites {
  readonly #random: SeededRandom;
  readonly #names: Names;
  readonly #module: PlannedModule;
  readonly #written = new Map<string, Written>();

  constructor(random: SeededRandom, names: Names, module: PlannedModule) {
    this.#random = random;
    this.#names = names;
    this.#module = module;
  }

  write(): Written[] {
    const { text, isFull } = this.#module;
    text.addAll(0, ['from contextlib import nullcontext', '']);
    for (const name of this.#random.sample(USED, 3)) this.#plain(0, '', name);
    while (!isFull()) {
      text.gap(2);
      if (this.#random.below(3) > 0) this.#function(0, '');
      else this.#class();
      if (this.#random.coin()) this.#write(0, '');
    }
    return [...this.#written.values()];
  }

  #class(): void {
    const { text } = this.#module;
    const name = this.#names.class();
    text.add(0, `class ${name}:`);
    text.add(1, docstring(this.#random));
    for (const attribute of this.#random.sample(USED, 2)) this.#plain(1, name, attribute);
    for (let method = this.#random.between(1, 3); method > 0; method--) {
      text.gap();
      this.#function(1, name);
    }
  }

  #function(level: number, around: string): void {
    const { text } = this.#module;
    const name = this.#names.function();
    const scope = around === '' ? name : `${around}.${name}`;
    const isMethod = level === 1 && /^[A-Z]/.test(around);
    const global = this.#random.below(4) === 0 ? this.#random.pick(USED) : undefined;
    const argument = this.#random.pick(USED.filter((one) => one !== global));
    text.add(level, `def ${name}(${isMethod ? 'self, ' : ''}${argument}=0):`);
    text.add(level + 1, docstring(this.#random));
    if (global !== undefined) text.add(level + 1, `global ${global}`);
    const inner = level === 0 && this.#random.below(4) === 0;
    const count = this.#random.between(6, 14);
    for (let at = 0; at < count; at++) {
      if (inner && at === 3) this.#function(level + 1, scope);
      else this.#write(level + 1, scope, global);
    }
    if (isMethod) text.add(level + 1, `self.${this.#random.pick(USED)} = ${this.#number()}`);
    text.add(level + 1, `return ${argument}`);
  }

  /** One statement, mostly one that gives a name a value. @param global the name that is the module’s in this scope */
  #write(level: number, scope: string, global?: string): void {
    const { text } = this.#module;
    text.addAll(level, remark(this.#random));
    const name = this.#random.pick(USED);
    const to = name === global ? '' : scope;
    const note = (way: Way, line: number) => this.#note(to, name, way, line);
    switch (this.#random.below(10)) {
      case 0:
        note('augmented', text.add(level, `${name} ${this.#random.pick(['+=', '-=', '*='])} ${this.#number()}`));
        break;
      case 1:
        note('loop', text.add(level, `for ${name} in range(${this.#random.between(2, 9)}):`));
        text.add(level + 1, `print(${name}, "${name} = ${this.#number()}")`);
        break;
      case 2:
        note('with', text.add(level, `with nullcontext(${this.#number()}) as ${name}:`));
        text.add(level + 1, `print(${name})`);
        break;
      case 3:
        note('walrus', text.add(level, `if (${name} := ${this.#number()}) > ${this.#number()}:`));
        text.add(level + 1, 'pass');
        break;
      case 4:
        text.add(level, `print([${name} for ${name} in range(${this.#number()})], lambda ${name}: ${name})`);
        break;
      case 5:
        text.add(level, `# ${name} = ${this.#number()}`);
        text.add(level, `print("${name} = ", ${this.#number()})`);
        break;
      default:
        this.#plain(level, scope, name, global);
    }
  }

  #plain(level: number, scope: string, name: string, global?: string): void {
    const { text } = this.#module;
    const to = name === global ? '' : scope;
    const way = this.#random.below(4);
    if (way === 0) {
      const other = this.#random.pick(USED.filter((one) => one !== name));
      const line = text.add(level, `${name}, ${other} = ${this.#number()}, ${this.#number()}`);
      this.#note(to, name, 'plain', line);
      this.#note(other === global ? '' : scope, other, 'plain', line);
    } else if (way === 1 && to === scope && global === undefined) {
      this.#note(to, name, 'plain', text.add(level, `${name}: int = ${this.#number()}`));
    } else this.#note(to, name, 'plain', text.add(level, `${name} = ${this.#number()}`));
  }

  #note(scope: string, name: string, way: Way, line: number): void {
    const { path } = this.#module;
    const key = `${scope} ${name}`;
    const known = this.#written.get(key) ?? { path, scope, name, lines: [] };
    known.lines.push({ line, way });
    this.#written.set(key, known);
  }

  #number(): number {
    return this.#random.between(10, 9_999);
  }
}
