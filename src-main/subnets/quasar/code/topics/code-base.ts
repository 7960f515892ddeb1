import type { Steps } from '../../../../base/steps.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import type { Note } from '../text/layout.ts';

/** What Python and JSON both have. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Paths and texts. */
export type Files = Readonly<Record<string, string>>;

/** What a program is asked about a code base, and what it has to say. */
export interface Asked {
  parameters: Readonly<Record<string, Json>>;
  expected: Json;
}

/** A code base that was made. */
export interface CodeBase {
  files: Files;
  /** A question about it, another one each time. */
  ask(random: SeededRandom): Asked;
}

/** A project with its conventions: code bases of it have other modules, the same conventions, and the same question. */
export interface Project {
  /** Stand in docstrings, at two places each. */
  notes: readonly Note[];
  /** What the function returns, and what its parameters are. */
  question: string;
  /** @param chars UTF-16 units of all texts, about */
  make(random: SeededRandom, chars: number): Steps<CodeBase>;
}

/** One sort of question about code bases. */
export interface Topic {
  readonly name: string;
  /** Draws a project. */
  draw(random: SeededRandom): Project;
}
