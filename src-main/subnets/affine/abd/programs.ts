import type { SeededRandom } from '../../../validation/seeded-random.ts';

/** A program, and what it prints of some input: the input is what has to be found. */
export interface PrintedBy {
  /** In Python; it reads standard input. */
  program: string;
  /** What it was given here. Others may make it print the same, and are as right. */
  input: string;
  printed: string;
}

/** A sort of program, whose output is reckoned here in the same way; a test runs both. */
type Sort = (random: SeededRandom) => PrintedBy;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const draw = (random: SeededRandom, count: number, least: number, most: number) =>
  Array.from({ length: count }, () => random.between(least, most));
const word = (random: SeededRandom, length: number) => Array.from({ length }, () => random.pick([...LETTERS])).join('');
const rest = (a: number, b: number) => ((a % b) + b) % b;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

const sums: Sort = (random) => {
  const [factor, plus, modulus] = [random.between(2, 40), random.between(-50, 50), random.between(1_000, 99_999)];
  const values = draw(random, random.between(3, 7), -99, 99);
  const mixed = rest(
    values.reduce((all, value, at) => all + value * (factor * at + plus), 0),
    modulus,
  );
  return {
    program: `n = int(input())
values = [int(input()) for _ in range(n)]
print(n, sum(values), max(values) - min(values))
print(sum(v * (${factor} * i + ${plus}) for i, v in enumerate(values)) % ${modulus})`,
    input: [values.length, ...values].join('\n'),
    printed: `${values.length} ${sumOf(values)} ${Math.max(...values) - Math.min(...values)}\n${mixed}`,
  };
};

const shift: Sort = (random) => {
  const [step, twist] = [random.between(1, 25), random.between(1, 9)];
  const text = word(random, random.between(8, 24));
  const moved = [...text].map((letter, at) => LETTERS[(LETTERS.indexOf(letter) + step + twist * at) % 26]);
  return {
    program: `s = input().strip()
out = []
for i, c in enumerate(s):
    out.append(chr((ord(c) - 97 + ${step} + ${twist} * i) % 26 + 97))
print("".join(reversed(out)))`,
    input: text,
    printed: moved.reverse().join(''),
  };
};

const base: Sort = (random) => {
  const [radix, factor, plus] = [random.between(3, 9), random.between(3, 99), random.between(1, 9_999)];
  const input = random.between(100_000, 99_999_999);
  return {
    program: `n = int(input()) * ${factor} + ${plus}
digits = []
while n > 0:
    digits.append(str(n % ${radix}))
    n //= ${radix}
print("".join(digits))`,
    input: String(input),
    printed: [...(input * factor + plus).toString(radix)].reverse().join(''),
  };
};

const pairs: Sort = (random) => {
  const [a, b] = [random.between(1_000, 99_999), random.between(1_000, 99_999)];
  const factor = random.between(2, 99);
  return {
    program: `a, b = map(int, input().split())
print(a * b + ${factor} * (a - b))
print(a + b)`,
    input: `${a} ${b}`,
    printed: `${a * b + factor * (a - b)}\n${a + b}`,
  };
};

const runLengths: Sort = (random) => {
  const mark = random.pick(['-', ':', '/']);
  const pieces = Array.from(
    { length: random.between(5, 12) },
    () => [random.pick([...LETTERS]), random.between(1, 9)] as const,
  );
  const text = pieces.map(([letter, times]) => letter.repeat(times)).join('');
  const told = [...text.matchAll(/(.)\1*/g)].map(([run, letter]) => `${run.length}${mark}${letter}`);
  return {
    program: `s = input()
out, i = [], 0
while i < len(s):
    j = i
    while j < len(s) and s[j] == s[i]:
        j += 1
    out.append("%d${mark}%s" % (j - i, s[i]))
    i = j
print(" ".join(out[::-1]))`,
    input: text,
    printed: told.reverse().join(' '),
  };
};

const table: Sort = (random) => {
  const [height, width, plus] = [random.between(2, 4), random.between(2, 4), random.between(1, 20)];
  const rows = Array.from({ length: height }, () => draw(random, width, 0, 99));
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row, at) => (row[column] ?? 0) + plus * at));
  return {
    program: `r = int(input())
rows = [list(map(int, input().split())) for _ in range(r)]
for column in zip(*rows):
    print(*[v + ${plus} * i for i, v in enumerate(column)])
print(sum(map(sum, rows)))`,
    input: [height, ...rows.map((row) => row.join(' '))].join('\n'),
    printed: `${columns.map((column) => column.join(' ')).join('\n')}\n${sumOf(rows.map(sumOf))}`,
  };
};

export const SORTS: readonly Sort[] = [sums, shift, base, pairs, runLengths, table];
