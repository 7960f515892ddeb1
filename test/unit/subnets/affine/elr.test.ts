import { describe, expect, it } from 'vitest';
import { elr } from '../../../../src-main/subnets/affine/elr/elr.ts';
import { numberOf } from '../../../../src-main/subnets/affine/elr/number.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';

type Numbers = bigint[];
const range = (least: bigint, most: bigint) =>
  Array.from({ length: Number(most - least) + 1 }, (_, at) => least + BigInt(at));
const sum = (numbers: Numbers) => numbers.reduce((all, number) => all + number, 0n);
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

function powerMod(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (exponent === 0n) return 1n % modulus;
  const half = powerMod((base * base) % modulus, exponent / 2n, modulus);
  return exponent % 2n === 1n ? (half * base) % modulus : half;
}

/** How often each prime divides a number. */
function divisorsOf(numbers: Numbers): bigint {
  const exponents = new Map<bigint, bigint>();
  for (const number of numbers) {
    let left = number;
    for (let prime = 2n; left > 1n; prime++) {
      for (; left % prime === 0n; left /= prime) exponents.set(prime, (exponents.get(prime) ?? 0n) + 1n);
    }
  }
  return [...exponents.values()].reduce((all, exponent) => all * (exponent + 1n), 1n);
}

/** Each sort of problem, told by its words, solved in another way than where it was made. */
const SOLVERS: [RegExp, (numbers: Numbers) => bigint][] = [
  [
    /^What is the sum of all positive integers below (\d+) that are divisible by (\d+) or by (\d+), but not by both/,
    ([end = 0n, a = 0n, b = 0n]) => {
      const upTo = (step: bigint) => (step * ((end - 1n) / step) * ((end - 1n) / step + 1n)) / 2n;
      return upTo(a) + upTo(b) - 2n * upTo(a * b);
    },
  ],
  [
    /remainder of (\d+)\^(\d+) \+ (\d+)\^(\d+) when it is divided by (\d+)/,
    ([a = 0n, b = 0n, c = 0n, d = 0n, m = 1n]) => (powerMod(a, b, m) + powerMod(c, d, m)) % m,
  ],
  [
    /to \((\d+), (\d+)\) that do not pass through \((\d+), (\d+)\)/,
    ([width = 0n, height = 0n, x = 0n, y = 0n]) => {
      const ways = new Map<string, bigint>();
      for (const right of range(0n, width))
        for (const up of range(0n, height)) {
          const from = (ways.get(`${right - 1n} ${up}`) ?? 0n) + (ways.get(`${right} ${up - 1n}`) ?? 0n);
          const here = right === 0n && up === 0n ? 1n : from;
          ways.set(`${right} ${up}`, right === x && up === y ? 0n : here);
        }
      return ways.get(`${width} ${height}`) ?? 0n;
    },
  ],
  [
    /sum of the decimal digits of (\d+)\^(\d+)/,
    ([base = 0n, exponent = 0n]) => {
      let all = 0n;
      for (let left = base ** exponent; left > 0n; left /= 10n) all += left % 10n;
      return all;
    },
  ],
  [
    /f\(0\) = (\d+) and f\(1\) = (\d+), and for n ≥ 2 f\(n\) = (\d+)·f\(n−1\) \+ (\d+)·f\(n−2\)\. What is the remainder of f\((\d+)\) when it is divided by (\d+)/,
    ([first = 0n, second = 0n, p = 0n, q = 0n, index = 0n, m = 1n]) => {
      const values = [first, second];
      for (const at of range(2n, index)) values.push(p * values[Number(at) - 1]! + q * values[Number(at) - 2]!);
      return values[Number(index)]! % m;
    },
  ],
  [
    /coins of (\d+), (\d+), (\d+), (\d+), (\d+), as many of each as one likes\. In how many ways can (\d+)/,
    ([...numbers]) => {
      const known = new Map<string, bigint>();
      const ways = (amount: bigint, coins: Numbers): bigint => {
        if (amount === 0n) return 1n;
        if (amount < 0n || coins.length === 0) return 0n;
        const name = `${amount} ${coins.length}`;
        const found = known.get(name) ?? ways(amount, coins.slice(1)) + ways(amount - coins[0]!, coins);
        known.set(name, found);
        return found;
      };
      return ways(numbers.at(-1)!, numbers.slice(0, -1));
    },
  ],
  [
    /words of length (\d+) over the letters 0 and 1 do not have (\d+) ones in a row.* divided by (\d+)/,
    ([length = 0n, run = 0n, m = 1n]) => {
      // A word is empty, or begins with fewer than `run` ones and then a zero, or is all ones.
      const counts: bigint[] = [];
      for (const size of range(0n, length)) {
        const behind = range(0n, run - 1n).map((ones) => (ones < size ? counts[Number(size - ones) - 1]! : 0n));
        counts.push(sum(behind) + (size < run ? 1n : 0n));
      }
      return counts[Number(length)]! % m;
    },
  ],
  [
    /integers from 1 to (\d+) have no common divisor with (\d+) but 1/,
    ([end = 0n, product = 0n]) => BigInt(range(1n, end).filter((number) => gcd(number, product) === 1n).length),
  ],
  [
    /positive divisors does (\d+)\^(\d+) · (\d+)! have/,
    ([base = 0n, exponent = 0n, top = 0n]) => divisorsOf([base ** exponent, ...range(2n, top)]),
  ],
  [
    /numbered from 1 to (\d+)\. .* whoever is counted as (\d+) leaves/,
    ([people = 0n, step = 0n]) => {
      const circle = range(1n, people);
      let at = 0;
      while (circle.length > 1) {
        at = (at + Number(step) - 1) % circle.length;
        circle.splice(at, 1);
      }
      return circle[0]!;
    },
  ],
  [
    /remainder of (\d+) when divided by (\d+), (\d+) when divided by (\d+), (\d+) when divided by (\d+)/,
    ([a = 0n, m = 1n, b = 0n, n = 1n, c = 0n, o = 1n]) =>
      range(1n, m * n * o).find((number) => number % m === a && number % n === b && number % o === c)!,
  ],
  [
    /to put (\d+) different letters into \d+ addressed envelopes, one in each, exactly (\d+) are.* divided by (\d+)/,
    ([size = 0n, fixed = 0n, m = 1n]) => {
      const factorial = (n: bigint): bigint => (n < 2n ? 1n : n * factorial(n - 1n));
      const some = size - fixed;
      const terms = range(0n, some).map((at) => (at % 2n === 0n ? 1n : -1n) * (factorial(some) / factorial(at)));
      return ((factorial(size) / factorial(fixed) / factorial(some)) * sum(terms)) % m;
    },
  ],
  [
    /negative ones too, have x² \+ y² ≤ (\d+)/,
    ([square = 0n]) => {
      const most = Math.ceil(Math.sqrt(Number(square)));
      let points = 0n;
      for (let x = -most; x <= most; x++)
        for (let y = -most; y <= most; y++) if (x * x + y * y <= Number(square)) points++;
      return points;
    },
  ],
];

const posed = await Promise.all(Array.from({ length: 130 }, (_, seed) => pose(elr, 'usual', `${seed}`)));

describe('a problem', () => {
  const sortOf = (prompt: string) => SOLVERS.findIndex(([words]) => words.test(prompt));

  it('is of one of thirteen sorts', () => {
    expect(new Set(posed.map(({ prompt }) => sortOf(prompt)))).toEqual(new Set(SOLVERS.keys()));
  });

  it.each(posed.map(({ prompt, judge }) => [prompt.split('\n')[0] ?? '', judge] as const))('%s', (text, judge) => {
    const [words, solve] = SOLVERS[sortOf(text)]!;
    const [, ...numbers] = words.exec(text)!;
    const answer = solve(numbers.map(BigInt));
    expect(judge(`I reckon.\n<Answer>${answer}</Answer>`)).toMatchObject({ score: 1 });
    expect(judge(`<Answer>${answer}</Answer> or <Answer>${answer + 1n}</Answer>`)).toMatchObject({ score: 0 });
  });

  it('has no answer that comes up so often that it could be guessed', async () => {
    const guess = Array.from({ length: 500 }, (_, at) => at);
    const { judge } = await pose(elr, 'usual', 'guess');
    expect(guess.filter((number) => judge(`<Answer>${number}</Answer>`).score === 1).length).toBeLessThanOrEqual(1);
    expect(judge('12').reason.key).toBe('affine.elr.noAnswer');
  });
});

it.each([
  ['20', '20'],
  [' 20. ', '20'],
  ['20.00', '20'],
  ['1,234,567', '1234567'],
  ['1 234', '1234'],
  ['$1_000', '1000'],
  ['**42**', '42'],
  ['007', '7'],
  ['-0', '0'],
  ['-12', '-12'],
  ['+12', '12'],
  ['', undefined],
  ['twelve', undefined],
  ['12.5', '12.5'],
  ['-012.50', '-12.5'],
  ['0.0', '0'],
  ['.5', undefined],
  ['1.2.3', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['12 or 13?', undefined],
  ['1'.repeat(2_001), undefined],
])('%j is the number %j', (text, number) => {
  expect(numberOf(text)).toBe(number);
});
