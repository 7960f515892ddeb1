import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, remark } from '../text/bodies.ts';
import type { PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import { LOCALS, NOUNS } from '../text/words.ts';
import { bound, fold, type Reckoning } from './flow-reckoning.ts';

/** A function as it was written, and what it does. */
export interface Callable {
  name: string;
  /** Whoever binds its name again changes it. */
  run: (amount: number, region: number) => number;
}

export interface Constant {
  name: string;
  value: number;
}

/** Something of another module, as it is named in this one. */
interface Imported {
  callables: { as: string; of: Callable }[];
  constants: Constant[];
}

/** What can be imported of a module. */
interface Importable {
  module: PlannedModule;
  functions: readonly Callable[];
  constants: readonly Constant[];
}

/** A statement, and what it makes of the two locals. */
interface Statement {
  lines: string[];
  run(state: State): void;
}
interface State {
  amount: number;
  region: number;
  first: number;
  second: number;
}

interface About {
  module: PlannedModule;
  absent: string;
  reckoning: Reckoning;
}

/** Calls of other functions in one: each of these calls as many, so the whole stays small. */
const MOST_CALLS = 2;

/** A module whose functions are written and, at once, put together in TypeScript. */
export class FlowModule {
  readonly #random: SeededRandom;
  readonly #names: Names;
  readonly #about: About;

  constructor(random: SeededRandom, names: Names, about: About) {
    this.#random = random;
    this.#names = names;
    this.#about = about;
  }

  write(from: readonly Importable[]): { functions: Callable[]; constants: Constant[] } {
    const { module, absent } = this.#about;
    const { text, isFull } = module;
    text.add(0, `from ${absent} import bound, fold`);
    const imported = this.#import(from);
    text.gap();
    const own = Array.from({ length: 2 }, (_, at) => this.#constant(at));
    const known = { ...imported, constants: [...imported.constants, ...own] };
    const functions = [this.#function(known), this.#function(known)];
    while (!isFull()) functions.push(this.#function(known));
    if (this.#random.below(3) === 0) this.#rebind(functions);
    return { functions, constants: own };
  }

  #import(from: readonly Importable[]): Imported {
    const { text } = this.#about.module;
    const imported: Imported = { callables: [], constants: [] };
    for (const { module, functions, constants } of from) {
      const constant = this.#random.pick(constants);
      const callables = this.#random.sample(functions, 2);
      imported.constants.push(constant);
      if (this.#random.coin()) {
        const alias = `${this.#random.pick(NOUNS)}_of_${module.dotted.split('.').at(-1)}`;
        text.add(0, `import ${module.dotted} as ${alias}`);
        text.add(0, `from ${module.dotted} import ${constant.name}`);
        imported.callables.push(...callables.map((of) => ({ as: `${alias}.${of.name}`, of })));
      } else {
        text.add(0, `from ${module.dotted} import ${[constant, ...callables].map(({ name }) => name).join(', ')}`);
        imported.callables.push(...callables.map((of) => ({ as: of.name, of })));
      }
    }
    return imported;
  }

  #constant(at: number): Constant {
    const name = `${this.#random.pick(['RATE', 'LIMIT', 'SHARE'])}_${this.#names.module().toUpperCase()}_${at}`;
    const value = this.#random.between(11, 9_999);
    this.#about.module.text.add(0, `${name} = ${value}`);
    return { name, value };
  }

  #function(known: Imported): Callable {
    const { text } = this.#about.module;
    const { reckoning } = this.#about;
    const name = this.#names.function();
    const [first = '', second = ''] = this.#random.sample(LOCALS, 2);
    const seed = this.#random.between(10, 9_999);
    const statements = this.#statements([first, second], known);
    text.gap(2);
    text.add(0, `def ${name}(amount, region):`);
    text.add(1, docstring(this.#random));
    text.addAll(1, [`${first} = fold(amount, ${seed})`, `${second} = bound(region)`]);
    for (const { lines } of statements) {
      text.addAll(1, remark(this.#random));
      text.addAll(1, lines);
    }
    text.add(1, `return fold(${first}, ${second})`);
    const run = (amount: number, region: number) => {
      const state = { amount, region, first: fold(reckoning, amount, seed), second: bound(reckoning, region) };
      for (const statement of statements) statement.run(state);
      return fold(reckoning, state.first, state.second);
    };
    return { name, run };
  }

  #statements(locals: readonly [string, string], known: Imported): Statement[] {
    const plain = Array.from({ length: this.#random.between(2, 5) }, () => this.#reckon(locals, known.constants));
    const called = this.#random.sample(known.callables, Math.min(MOST_CALLS, known.callables.length));
    const calls = called.map((one) => this.#call(locals, one));
    return this.#random.sample([...plain, ...calls], plain.length + calls.length);
  }

  #call([first, second]: readonly [string, string], { as, of }: Imported['callables'][number]): Statement {
    const added = this.#random.between(1, 99);
    if (this.#random.coin())
      return {
        lines: [`${first} = ${as}(${first}, ${second} + ${added})`],
        run: (state) => {
          state.first = of.run(state.first, state.second + added);
        },
      };
    return {
      lines: [`${second} = ${as}(region + ${added}, ${first})`],
      run: (state) => {
        state.second = of.run(state.region + added, state.first);
      },
    };
  }

  #reckon([first, second]: readonly [string, string], constants: readonly Constant[]): Statement {
    const { reckoning } = this.#about;
    const [few, many] = [this.#random.between(2, 9), this.#random.between(10, 9_999)];
    const constant = this.#random.pick(constants);
    switch (this.#random.below(4)) {
      case 0:
        return {
          lines: [
            ...[`if ${first} % ${few} == 0:`, `    ${first} = bound(${first} + ${constant.name})`],
            ...['else:', `    ${second} = abs(${second} - ${many})`],
          ],
          run: (state) => {
            if (state.first % few === 0) state.first = bound(reckoning, state.first + constant.value);
            else state.second = Math.abs(state.second - many);
          },
        };
      case 1:
        return {
          lines: [`for step in range(${few}):`, `    ${first} = fold(${first}, step * ${constant.name})`],
          run: (state) => {
            for (let step = 0; step < few; step++) state.first = fold(reckoning, state.first, step * constant.value);
          },
        };
      case 2:
        return {
          lines: [`${first}, ${second} = bound(${second} * ${few}), ${first}`],
          run: (state) => {
            [state.first, state.second] = [bound(reckoning, state.second * few), state.first];
          },
        };
      default:
        return {
          lines: [`${second} = (${second} + amount * ${few} + ${constant.name}) % ${many + 1_000}`],
          run: (state) => {
            state.second = (state.second + state.amount * few + constant.value) % (many + 1_000);
          },
        };
    }
  }

  /** From here on, one function is another. */
  #rebind(functions: readonly Callable[]): void {
    const [one, other] = this.#random.sample(functions, 2);
    if (!one || !other) return;
    this.#about.module.text.gap(2);
    this.#about.module.text.add(0, `${one.name} = ${other.name}`);
    one.run = other.run;
  }
}
