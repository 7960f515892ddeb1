import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Asked, CodeBase, Topic } from './code-base.ts';
import { type Callable, type Constant, FlowModule } from './flow-module.ts';
import { drawReckoning, type Reckoning, reckoningText } from './flow-reckoning.ts';

const MODULE_CHARS = 3_000;
/** Modules import from those of lower levels only. */
const LEVELS = 6;
/** A question begins with a function of this level or above. */
const LEAST_LEVEL = 3;
const MOST_ARGUMENT = 999;
/** Names of the module that is not there. */
const ABSENT = ['tidewater', 'quaybase', 'yardcore', 'ropework', 'millrace'];

interface Written {
  module: PlannedModule;
  level: number;
  functions: readonly Callable[];
  constants: readonly Constant[];
}

/** What a function returns: the code base has to be run, and a part of it is not there. */
export const flow: Topic = {
  name: 'flow',

  draw(random) {
    const absent = random.pick(ABSENT);
    const [reckoning, other] = [drawReckoning(random), drawReckoning(random)];
    const [now, before] = [reckoningText(absent, reckoning), reckoningText(absent, other)];
    const notes = now.map((text, at) => ({ now: text, before: before[at] ?? '' }));
    return {
      notes,
      question: question(absent),
      make: (draws, chars) => made(draws, chars, { absent, notes, reckoning }),
    };
  },
};

const question = (absent: string) => `Find out what a function of this code base returns.
Parameters: "function" is the full name of its module, a colon and its name ("quays.vouchers.voucher_desk:settle"); "amount" and "region" are the whole numbers that it is called with.
The modules use \`fold\` and \`bound\` of the module \`${absent}\`, which is not among the files; what these two reckon is a convention of this project. All else is Python, and may be run; a name that is bound again at the end of a module means its last value.
Return the whole number.`;

function* made(
  random: SeededRandom,
  chars: number,
  { absent, notes, reckoning }: { absent: string; notes: readonly Note[]; reckoning: Reckoning },
): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const { modules, names } = layout;
  const written: Written[] = [];
  for (const [at, module] of modules.entries()) {
    const level = Math.floor((at * LEVELS) / modules.length);
    const below = written.filter((one) => one.level < level);
    const near = below.filter((one) => one.level === level - 1);
    const from = near.length > 0 ? [random.pick(near), random.pick(near), random.pick(below)] : [];
    const text = new FlowModule(random, names, { module, absent, reckoning });
    written.push({ module, level, ...text.write([...new Set(from)]) });
    yield;
  }
  const askable = written.filter(({ level }) => level >= LEAST_LEVEL);
  const ask = (draws: SeededRandom): Asked => {
    const { module, functions } = draws.pick(askable);
    const { name, run } = draws.pick(functions);
    const [amount, region] = [draws.between(0, MOST_ARGUMENT), draws.between(0, MOST_ARGUMENT)];
    return { parameters: { function: `${module.dotted}:${name}`, amount, region }, expected: run(amount, region) };
  };
  return { files: layout.files(), ask };
}
