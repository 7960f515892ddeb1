import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, plainBody, remark } from '../text/bodies.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import { ARGUMENTS } from '../text/words.ts';
import type { Asked, CodeBase, Topic } from './code-base.ts';
import { accepts, type Call, callOf, drawSignature, type Signature, signatureText } from './signature.ts';

const MODULE_CHARS = 2_600;
/** Decorators, of which one in each project takes a function out of the count. */
const MARKS = ['sealed', 'internal', 'frozen', 'retired', 'guarded', 'provisional'];

interface Rules {
  /** Whoever has it is never called. */
  sealed: string;
  /** Looks the same and changes nothing. */
  other: string;
  /** Whether names that begin with an underscore count. */
  countsPrivate: boolean;
}

interface Written {
  path: string;
  folder: string;
  qualified: string;
  signature: Signature;
  counts: boolean;
}

/** Which functions can be called in a way. */
export const signatures: Topic = {
  name: 'signatures',

  draw(random) {
    const [sealed = '', other = ''] = random.sample(MARKS, 2);
    const rules = { sealed, other, countsPrivate: random.coin() };
    const callable = (counts: boolean) => (counts ? 'count like all others' : 'are never called from outside');
    const notes = [
      {
        now: `what has the decorator @${sealed} is never called from outside; @${other} changes nothing.`,
        before: `what has the decorator @${other} is never called from outside; @${sealed} changes nothing.`,
      },
      {
        now: `functions and methods whose own name begins with an underscore ${callable(rules.countsPrivate)}.`,
        before: `functions and methods whose own name begins with an underscore ${callable(!rules.countsPrivate)}.`,
      },
    ];
    return { notes, question: QUESTION, make: (draws, chars) => made(draws, chars, notes, rules) };
  },
};

const QUESTION = `Find the functions of a package that can be called from outside in a certain way. What is never called from outside is a convention of this project.
Parameters: "package" is a folder ("quays/vouchers"), and the files right in it are looked at; "positional" is how many positional arguments are given; "keywords" is a list of the names of the arguments that are given by keyword besides, and no other is given.
A function can be called so if Python would take these arguments: none that is needed is missing, and none is too many or given twice. Functions of a module count, and methods of its classes: of a method, \`self\` or \`cls\` is given already, and a static method has none. No function stands within another.
Return the list of what can be called so, each as "path:name" or "path:Class.name", sorted as Python sorts texts.`;

function* made(random: SeededRandom, chars: number, notes: readonly Note[], rules: Rules): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const written: Written[] = [];
  for (const module of layout.modules) {
    written.push(...writtenModule(random, layout.names, module, rules));
    yield;
  }
  const counting = written.filter(({ counts }) => counts);
  const ask = (draws: SeededRandom): Asked => {
    const { folder, signature } = draws.pick(counting);
    const call = callOf(draws, signature);
    return { parameters: { package: folder, ...call }, expected: callable(counting, folder, call) };
  };
  return { files: layout.files(), ask };
}

const callable = (counting: readonly Written[], folder: string, call: Call): string[] =>
  counting
    .filter((one) => one.folder === folder && accepts(one.signature, call))
    .map(({ path, qualified }) => `${path}:${qualified}`)
    .sort();

function writtenModule(
  random: SeededRandom,
  names: Names,
  { path, folder, text, isFull }: PlannedModule,
  rules: Rules,
) {
  const written: Written[] = [];
  text.addAll(0, [`from marks import ${[rules.sealed, rules.other].sort().join(', ')}`]);
  while (!isFull()) {
    text.gap(2);
    if (random.below(3) > 0) written.push(oneFunction(0, ''));
    else {
      const owner = names.class();
      text.add(0, `class ${owner}:`);
      text.add(1, docstring(random));
      for (let method = random.between(1, 4); method > 0; method--) {
        text.gap();
        written.push(oneFunction(1, owner));
      }
    }
  }
  return written;

  function oneFunction(level: number, owner: string): Written {
    const isPrivate = random.below(5) === 0;
    const name = `${isPrivate ? '_' : ''}${names.function()}`;
    const mark = random.below(5) === 0 ? random.pick([rules.sealed, rules.other]) : undefined;
    const binding = owner === '' ? 'static' : random.pick(['self', 'self', 'self', 'cls', 'static']);
    const signature = drawSignature(random, ARGUMENTS);
    if (mark !== undefined) text.add(level, `@${mark}`);
    if (owner !== '' && binding !== 'self') text.add(level, binding === 'cls' ? '@classmethod' : '@staticmethod');
    text.add(level, `def ${name}(${signatureText(signature, binding === 'static' ? undefined : binding)}):`);
    text.add(level + 1, docstring(random));
    text.addAll(level + 1, remark(random));
    const given = [...signature.positional, ...signature.keywordOnly].map((one) => one.name);
    text.addAll(level + 1, plainBody(random, given, random.between(2, 5)));
    const counts = mark !== rules.sealed && (rules.countsPrivate || !isPrivate);
    return { path, folder, qualified: owner === '' ? name : `${owner}.${name}`, signature, counts };
  }
}
