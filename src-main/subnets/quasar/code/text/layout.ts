import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { ModuleText } from './module-text.ts';
import { Names } from './names.ts';
import { NOUNS, PURPOSES, QUALITIES, ROLES, VERBS } from './words.ts';

/** Modules in a package, about. */
const MODULES_EACH = 6;
/** Notes stand somewhere between these shares of a code base. */
const [FIRST_PERCENT, LAST_PERCENT] = [8, 92];
/** Characters at which a docstring's line is broken. */
const WIDTH = 96;

/** A convention, and what was the convention before, which nobody is to take for it. */
export interface Note {
  now: string;
  before: string;
}

/** A module that is to be written. */
export interface PlannedModule {
  path: string;
  /** `harbour.vouchers.voucher_desk` */
  dotted: string;
  /** Of its package: `harbour/vouchers`. */
  folder: string;
  /** It is begun: its docstring is there. */
  text: ModuleText;
  /** Whether it has as many characters as it is to have. */
  isFull(): boolean;
}

export interface Layout {
  names: Names;
  /** The outermost package. */
  root: string;
  modules: readonly PlannedModule[];
  /** What lies beside the modules, with their texts as they are now. */
  files(): Record<string, string>;
}

/**
 * Packages and modules of a code base, each with its docstring. Notes stand in some of these, each with what was true before, at places of their own.
 * @param chars of all texts, about @param moduleChars of one module, about
 */
export function layoutOf(
  random: SeededRandom,
  { chars, moduleChars, notes }: { chars: number; moduleChars: number; notes: readonly Note[] },
): Layout {
  const names = new Names(random);
  const root = names.package();
  const count = Math.max(MODULES_EACH * 2, Math.round(chars / moduleChars));
  const packages = Array.from({ length: Math.round(count / MODULES_EACH) }, () => names.package());
  const inits = Object.fromEntries([
    [`${root}/__init__.py`, initText(random)],
    ...packages.map((name) => [`${root}/${name}/__init__.py`, initText(random)]),
  ]);
  const placed = placedNotes(random, notes, count);
  const each = (chars - Object.values(inits).join('').length) / count;
  const texts: ModuleText[] = [];
  const modules = Array.from({ length: count }, (_, at): PlannedModule => {
    const folder = `${root}/${packages[at % packages.length]}`;
    const name = names.module();
    const text = new ModuleText();
    text.addAll(0, moduleDocstring(random, placed.get(at) ?? []));
    texts.push(text);
    const written = () => texts.slice(0, at + 1).reduce((sum, one) => sum + one.chars, 0);
    return {
      ...{ path: `${folder}/${name}.py`, folder, dotted: `${folder.replace('/', '.')}.${name}`, text },
      isFull: () => written() >= each * (at + 1),
    };
  });
  const files = () => ({ ...inits, ...Object.fromEntries(modules.map(({ path, text }) => [path, text.text])) });
  return { names, root, modules, files };
}

/** Which notes stand in which module. */
function placedNotes(random: SeededRandom, notes: readonly Note[], count: number): Map<number, string[]> {
  const placed = new Map<number, string[]>();
  const place = (note: string) => {
    const at = Math.floor((count * random.between(FIRST_PERCENT, LAST_PERCENT)) / 100);
    placed.set(at, [...(placed.get(at) ?? []), note]);
  };
  for (const { now, before } of notes) {
    place(`Convention of this project: ${now}`);
    place(`No longer a convention, and kept for the record: ${before}`);
  }
  return placed;
}

const initText = (random: SeededRandom) =>
  `"""The ${random.pick(QUALITIES)} ${random.pick(NOUNS)}: what belongs together ${random.pick(PURPOSES)}."""\n`;

function moduleDocstring(random: SeededRandom, notes: readonly string[]): string[] {
  const what = `The ${random.pick(QUALITIES)} ${random.pick(NOUNS)} ${random.pick(ROLES)}: to ${random.pick(VERBS)} and to ${random.pick(VERBS)}`;
  const said = `It works ${random.pick(PURPOSES)}. It was moved here ${random.pick(PURPOSES)}.`;
  return [`"""${what}.`, '', said, ...notes.flatMap((note) => ['', ...wrapped(note)]), '"""', ''];
}

/** In lines of no more than {@link WIDTH} characters, broken between words. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = '';
    }
    line += `${line === '' ? '' : ' '}${word}`;
  }
  return [...lines, line];
}
