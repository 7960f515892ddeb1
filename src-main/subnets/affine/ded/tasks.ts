import type { SeededRandom } from '../../../validation/seeded-random.ts';

/** What a program reads, and has to print. */
export interface ProgramCase {
  stdin: string;
  stdout: string;
}

/** A program to be written: what it has to do, and how to make an input with what is right for it. */
interface Wanted {
  text: string;
  make(random: SeededRandom): ProgramCase;
}

export interface ProgramTask {
  text: string;
  /** Shown to the miner. */
  examples: ProgramCase[];
  /** Known to the validator alone. */
  hidden: ProgramCase[];
}

const EXAMPLES = 2;
const HIDDEN = 6;

/** A sort of program: with numbers of its own each time, so that there are very many of them. */
type Sort = (random: SeededRandom) => Wanted;

const numbers = (random: SeededRandom, count: number, least: number, most: number) =>
  Array.from({ length: count }, () => random.between(least, most));
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const word = (random: SeededRandom, least: number, most: number, letters = LETTERS) =>
  Array.from({ length: random.between(least, most) }, () => random.pick([...letters])).join('');
const words = (random: SeededRandom, count: number, letters = LETTERS) =>
  Array.from({ length: count }, () => word(random, 1, 9, letters));
const rest = (a: number, b: number) => ((a % b) + b) % b;
const lines = (...all: (string | number)[]) => all.join('\n');

const weightedSum: Sort = (random) => {
  const [divisor, factor, modulus] = [random.between(2, 9), random.between(2, 50), random.between(101, 9_999)];
  return {
    text: `The first line has a number n, the second n integers. Add them up, but count each that is divisible by ${divisor} exactly ${factor} times. Print the sum, and on a second line its remainder when divided by ${modulus} (from 0 to ${modulus - 1}, also of a negative sum).`,
    make(draw) {
      const values = numbers(draw, draw.between(1, 30), -500, 500);
      const sum = values.reduce((all, value) => all + (value % divisor === 0 ? factor * value : value), 0);
      return { stdin: lines(values.length, values.join(' ')), stdout: lines(sum, rest(sum, modulus)) };
    },
  };
};

const commonWords: Sort = (random) => {
  const [most, least] = [random.between(2, 6), random.between(1, 4)];
  return {
    text: `The input is one line of words in small letters, separated by spaces. Leave out all words with fewer than ${least} letters. Print the ${most} most common of the others (fewer if there are fewer), one a line as «word count», the most common first, and those that are equally common in alphabetical order. If none is left, print NONE.`,
    make(draw) {
      const chosen = words(draw, draw.between(2, 40), 'abc').map((one) => one.slice(0, 5));
      const counts = new Map<string, number>();
      for (const one of chosen) if (one.length >= least) counts.set(one, (counts.get(one) ?? 0) + 1);
      const ordered = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most);
      const told = ordered.map(([one, count]) => `${one} ${count}`);
      return { stdin: chosen.join(' '), stdout: told.length > 0 ? lines(...told) : 'NONE' };
    },
  };
};

const runs: Sort = (random) => {
  const [least, mark] = [random.between(2, 4), random.pick(['#', '*', '~', '@'])];
  return {
    text: `The input is one word in small letters. Shorten it: a run of ${least} or more equal letters becomes the letter, the sign ${mark} and the length of the run; shorter runs stay as they are. Print the result.`,
    make(draw) {
      const pieces = Array.from({ length: draw.between(1, 12) }, () =>
        draw.pick([...'abcd']).repeat(draw.between(1, 7)),
      );
      const text = pieces.join('');
      const shortened = text.replace(/(.)\1*/g, (run, letter: string) =>
        run.length >= least ? `${letter}${mark}${run.length}` : run,
      );
      return { stdin: text, stdout: shortened };
    },
  };
};

const account: Sort = (random) => {
  const [overdraft, fee] = [random.between(0, 200), random.between(1, 9)];
  return {
    text: `An account begins with 0. Each line of the input is «in AMOUNT» or «out AMOUNT», the last line is «end». «out» costs a fee of ${fee} besides, and is refused, without a fee, if the account would fall below -${overdraft}. Print the final amount and, on a second line, how many were refused.`,
    make(draw) {
      const steps = Array.from({ length: draw.between(1, 30) }, () => ({
        out: draw.coin(),
        amount: draw.between(1, 150),
      }));
      let [amount, refused] = [0, 0];
      for (const step of steps) {
        if (!step.out) amount += step.amount;
        else if (amount - step.amount - fee < -overdraft) refused++;
        else amount -= step.amount + fee;
      }
      const told = steps.map((step) => `${step.out ? 'out' : 'in'} ${step.amount}`);
      return { stdin: lines(...told, 'end'), stdout: lines(amount, refused) };
    },
  };
};

const turned: Sort = (random) => {
  const turns = random.between(1, 3);
  const factor = random.between(2, 9);
  return {
    text: `The first line has two numbers r and c, then follow r lines of c integers each: a table. Turn it ${turns} times by 90 degrees clockwise, multiply every number of its first row (after the turning) by ${factor}, and print it, numbers separated by single spaces.`,
    make(draw) {
      const [height, width] = [draw.between(1, 6), draw.between(1, 6)];
      let table = Array.from({ length: height }, () => numbers(draw, width, -99, 99));
      const stdin = lines(`${height} ${width}`, ...table.map((row) => row.join(' ')));
      for (let turn = 0; turn < turns; turn++) {
        table = (table[0] ?? []).map((_, column) => table.map((row) => row[column] ?? 0).reverse());
      }
      table[0] = (table[0] ?? []).map((value) => value * factor + 0); // no -0
      return { stdin, stdout: lines(...table.map((row) => row.join(' '))) };
    },
  };
};

const covered: Sort = (random) => {
  const gap = random.between(0, 5);
  return {
    text: `The first line has a number n, then follow n lines «a b» with integers a ≤ b: stretches from a to b on a line, of length b − a. Join all stretches that overlap, touch, or have a gap of at most ${gap} between them (the gap then belongs to the joined stretch). Print how many stretches there are then, and on a second line their length in all.`,
    make(draw) {
      const stretches = Array.from({ length: draw.between(1, 15) }, () => {
        const from = draw.between(-100, 100);
        return [from, from + draw.between(0, 20)] as [number, number];
      });
      const joined: [number, number][] = [];
      for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
        const last = joined.at(-1);
        if (last && from - last[1] <= gap) last[1] = Math.max(last[1], to);
        else joined.push([from, to]);
      }
      const length = joined.reduce((sum, [from, to]) => sum + to - from, 0);
      const told = stretches.map(([from, to]) => `${from} ${to}`);
      return { stdin: lines(stretches.length, ...told), stdout: lines(joined.length, length) };
    },
  };
};

const shifted: Sort = (random) => {
  const [step, every] = [random.between(1, 25), random.between(2, 5)];
  return {
    text: `The input is one line of words in small letters, separated by single spaces. Move every ${every}th letter (counted over the whole line, spaces not counted) ${step} places on in the alphabet, after z comes a. Then write each word backwards. Print the line.`,
    make(draw) {
      const line = words(draw, draw.between(1, 10)).join(' ');
      let count = 0;
      const moved = line.replace(/[a-z]/g, (letter) => {
        count++;
        return count % every === 0 ? (LETTERS[(LETTERS.indexOf(letter) + step) % 26] ?? '') : letter;
      });
      const stdout = moved
        .split(' ')
        .map((one) => [...one].reverse().join(''))
        .join(' ');
      return { stdin: line, stdout };
    },
  };
};

const rising: Sort = (random) => {
  const jump = random.between(2, 30);
  return {
    text: `The input is one line of integers. Find the longest stretch of neighbouring numbers in which each is larger than the one before it, but by no more than ${jump}; of several equally long ones the one whose sum is largest. Print its length and, on a second line, its sum.`,
    make(draw) {
      const values = numbers(draw, draw.between(1, 40), -60, 60);
      let best = { length: 0, sum: 0 };
      let now = { length: 0, sum: 0 };
      values.forEach((value, at) => {
        const before = values[at - 1];
        const goesOn = before !== undefined && value > before && value - before <= jump;
        now = goesOn ? { length: now.length + 1, sum: now.sum + value } : { length: 1, sum: value };
        if (now.length > best.length || (now.length === best.length && now.sum > best.sum)) best = now;
      });
      return { stdin: values.join(' '), stdout: lines(best.length, best.sum) };
    },
  };
};

export const SORTS: readonly Sort[] = [weightedSum, commonWords, runs, account, turned, covered, shifted, rising];

/** A program to be written, with examples, and cases that nobody is shown. */
export function drawTask(random: SeededRandom): ProgramTask {
  const { text, make } = random.pick(SORTS)(random);
  const cases = Array.from({ length: EXAMPLES + HIDDEN }, () => make(random));
  return { text, examples: cases.slice(0, EXAMPLES), hidden: cases.slice(EXAMPLES) };
}
