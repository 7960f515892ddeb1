import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { docstring, plainBody, remark } from '../text/bodies.ts';
import { layoutOf, type Note, type PlannedModule } from '../text/layout.ts';
import type { Names } from '../text/names.ts';
import { NOUNS } from '../text/words.ts';
import type { Asked, CodeBase, Topic } from './code-base.ts';

const MODULE_CHARS = 3_200;
const ARGS = ['amount', 'region'];
const PREFIXES = ['spare', 'idle', 'kept', 'unread', 'blank'];

interface Rules {
  /** A function with more statements is too long. */
  most: number;
  /** Bodies with fewer statements are no twins. */
  least: number;
  /** Names that begin with it may be unused. */
  prefix: string;
}

interface Written {
  where: string;
  folder: string;
  body: string;
  statements: number;
  unused: readonly string[];
}

/** What of a package is to be tidied up. */
export const smells: Topic = {
  name: 'smells',

  draw(random) {
    const [prefix = '', otherPrefix = ''] = random.sample(PREFIXES, 2);
    const [most, otherMost] = random.sample([8, 9, 10, 11, 12], 2) as [number, number];
    const [least, otherLeast] = random.sample([3, 4, 5], 2) as [number, number];
    const notes = [
      {
        now: `a function is too long if it has more than ${most} statements.`,
        before: `a function is too long if it has more than ${otherMost} statements.`,
      },
      {
        now: `names that begin with \`${prefix}_\` may be unused; \`${otherPrefix}_\` means nothing.`,
        before: `names that begin with \`${otherPrefix}_\` may be unused; \`${prefix}_\` means nothing.`,
      },
      {
        now: `bodies of fewer than ${least} statements are no twins.`,
        before: `bodies of fewer than ${otherLeast} statements are no twins.`,
      },
    ];
    const prefixes = [prefix, otherPrefix];
    return {
      notes,
      question: QUESTION,
      make: (draws, chars) => made(draws, chars, notes, { most, least, prefix }, prefixes),
    };
  },
};

const QUESTION = `Find what is to be tidied up in a package. How long a function may be, which names may be unused and how small a twin may be are conventions of this project.
Parameters: "package" is a folder ("quays/vouchers"), and only the files right in it are looked at. All functions stand at the top of their module.
The statements of a function are those right in its body, its docstring left out; one that has others below it, such as a loop, counts once, and these do not count. An unused name is one that an assignment in a function gives a value to and that the function reads nowhere. Twins are functions of this package whose bodies are the same but for docstrings and comments, whatever the functions are called.
Return {"long": […], "unused": […], "twins": […]}: "long" has the functions that are too long, each as "path:function"; "unused" the unused names, each as "path:function:name"; "twins" a list of the functions of each set of twins, as "path:function". All lists are sorted as Python sorts them, those within "twins" too.`;

function* made(
  random: SeededRandom,
  chars: number,
  notes: readonly Note[],
  rules: Rules,
  prefixes: readonly string[],
): Steps<CodeBase> {
  const layout = layoutOf(random, { chars, moduleChars: MODULE_CHARS, notes });
  const written: Written[] = [];
  for (const module of layout.modules) {
    writeModule(random, layout.names, module, { rules, prefixes, written });
    yield;
  }
  const folders = [...new Set(written.map(({ folder }) => folder))];
  const ask = (draws: SeededRandom): Asked => {
    const folder = draws.pick(folders);
    const expected = foundIn(
      written.filter((one) => one.folder === folder),
      rules,
    );
    return { parameters: { package: folder }, expected };
  };
  return { files: layout.files(), ask };
}

function foundIn(written: readonly Written[], { most, least, prefix }: Rules) {
  const twins = new Map<string, string[]>();
  for (const { body, where, statements } of written) {
    if (statements >= least) twins.set(body, [...(twins.get(body) ?? []), where]);
  }
  const sets = [...twins.values()].filter((set) => set.length > 1).map((set) => set.sort());
  return {
    long: written
      .filter(({ statements }) => statements > most)
      .map(({ where }) => where)
      .sort(),
    unused: written
      .flatMap(({ where, unused }) =>
        unused.filter((name) => !name.startsWith(`${prefix}_`)).map((name) => `${where}:${name}`),
      )
      .sort(),
    twins: sets.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  };
}

function writeModule(
  random: SeededRandom,
  names: Names,
  { path, folder, text, isFull }: PlannedModule,
  { rules, prefixes, written }: { rules: Rules; prefixes: readonly string[]; written: Written[] },
): void {
  while (!isFull()) {
    const name = names.function();
    const { lines, statements, unused } = bodyOf(random, { rules, prefixes, folder, written });
    text.gap(2);
    text.add(0, `def ${name}(${ARGS.join(', ')}):`);
    text.add(1, docstring(random));
    for (const line of lines) {
      if (/^\S/.test(line)) text.addAll(1, remark(random));
      text.add(1, line);
    }
    written.push({ where: `${path}:${name}`, folder, body: lines.join('\n'), statements, unused });
  }
}

type Body = { lines: string[]; statements: number; unused: readonly string[] };

/** Mostly a new one; else the same as one of the package, or almost the same. */
function bodyOf(
  random: SeededRandom,
  {
    rules,
    prefixes,
    folder,
    written,
  }: { rules: Rules; prefixes: readonly string[]; folder: string; written: readonly Written[] },
): Body {
  const near = written.filter((one) => one.folder === folder);
  const way = near.length === 0 ? 9 : random.below(10);
  if (way < 2) {
    const { body, ...twin } = random.pick(near);
    return { ...twin, lines: body.split('\n') };
  }
  if (way === 2) {
    const { body, ...almost } = random.pick(near);
    return { ...almost, lines: body.replace(/\d+$/, `${random.between(10, 9_999)}`).split('\n') };
  }
  const count = random.pick([rules.least - 1, rules.least, 4, 5, 6, rules.most - 1, rules.most, rules.most + 1]);
  return withUnused(random, plainBody(random, ARGS, count), { count, prefixes });
}

/** Some of the bodies have names, before all else, that are never read. */
function withUnused(
  random: SeededRandom,
  lines: string[],
  { count, prefixes }: { count: number; prefixes: readonly string[] },
): Body {
  if (random.below(4) > 0) return { lines, statements: count, unused: [] };
  const noun = random.pick(NOUNS);
  const name = random.coin() ? `${random.pick(prefixes)}_${noun}` : `${noun}_left`;
  return { lines: [`${name} = amount * ${random.between(2, 99)}`, ...lines], statements: count + 1, unused: [name] };
}
