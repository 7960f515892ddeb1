import type { SeededRandom } from '../../../validation/seeded-random.ts';

export interface Problem {
  text: string;
  answer: bigint;
}

/**
 * A sort of problem: numbers are drawn for it, and its answer is reckoned. There are thousands of problems of each sort at the least, and no answer
 * comes up often: neither a table nor a guess gets far.
 */
type Sort = (random: SeededRandom) => Problem;

const aModulus = (random: SeededRandom) => random.between(10_001, 99_999);

const multiples: Sort = (random) => {
  const [a, b] = random.sample([3, 5, 7, 11, 13, 17, 19], 2) as [number, number];
  const end = random.between(2_000, 20_000);
  let answer = 0n;
  for (let number = 1; number < end; number++) {
    if ((number % a === 0) !== (number % b === 0)) answer += BigInt(number);
  }
  return {
    text: `What is the sum of all positive integers below ${end} that are divisible by ${a} or by ${b}, but not by both?`,
    answer,
  };
};

const remainderOfPowers: Sort = (random) => {
  const [a, c] = [random.between(12, 999), random.between(12, 999)];
  const [b, d] = [random.between(20, 400), random.between(20, 400)];
  const modulus = aModulus(random);
  const power = (base: number, exponent: number) => BigInt(base) ** BigInt(exponent);
  return {
    text: `What is the remainder of ${a}^${b} + ${c}^${d} when it is divided by ${modulus}?`,
    answer: (power(a, b) + power(c, d)) % BigInt(modulus),
  };
};

const pathsAround: Sort = (random) => {
  const [width, height] = [random.between(9, 30), random.between(9, 30)];
  const [x, y] = [random.between(2, width - 2), random.between(2, height - 2)];
  const all = choose(width + height, width);
  const through = choose(x + y, x) * choose(width - x + height - y, width - x);
  return {
    text: `On a grid, each step goes one to the right or one up. How many ways lead from (0, 0) to (${width}, ${height}) that do not pass through (${x}, ${y})?`,
    answer: all - through,
  };
};

const digitSum: Sort = (random) => {
  const [base, exponent] = [random.between(13, 997), random.between(60, 400)];
  const digits = String(BigInt(base) ** BigInt(exponent));
  const answer = [...digits].reduce((sum, digit) => sum + BigInt(digit), 0n);
  return { text: `What is the sum of the decimal digits of ${base}^${exponent}?`, answer };
};

const recurrence: Sort = (random) => {
  const [first, second, p, q] = [1, 2, 3, 4].map(() => random.between(1, 9)) as [number, number, number, number];
  const [index, modulus] = [random.between(200, 2_000), aModulus(random)];
  let [before, now] = [first, second];
  for (let at = 1; at < index; at++) [before, now] = [now, (p * now + q * before) % modulus];
  return {
    text: `A sequence begins with f(0) = ${first} and f(1) = ${second}, and for n ≥ 2 f(n) = ${p}·f(n−1) + ${q}·f(n−2). What is the remainder of f(${index}) when it is divided by ${modulus}?`,
    answer: BigInt(now % modulus),
  };
};

const coins: Sort = (random) => {
  const values = [1, ...random.sample([2, 3, 5, 7, 10, 12, 20, 25], 4).sort((a, b) => a - b)];
  const amount = random.between(150, 600);
  const ways = Array<bigint>(amount + 1).fill(0n);
  ways[0] = 1n;
  for (const value of values) {
    for (let sum = value; sum <= amount; sum++) ways[sum] = (ways[sum] ?? 0n) + (ways[sum - value] ?? 0n);
  }
  return {
    text: `There are coins of ${values.join(', ')}, as many of each as one likes. In how many ways can ${amount} be paid, if the order of the coins does not matter?`,
    answer: ways[amount] ?? 0n,
  };
};

const noLongRun: Sort = (random) => {
  const [length, run, modulus] = [random.between(24, 300), random.between(2, 6), aModulus(random)];
  // Words by how many ones they end with.
  let ends = Array<bigint>(run).fill(0n);
  ends[0] = 1n;
  for (let at = 0; at < length; at++) ends = [ends.reduce((sum, ways) => sum + ways, 0n), ...ends.slice(0, -1)];
  return {
    text: `Some words of length ${length} over the letters 0 and 1 do not have ${run} ones in a row anywhere. What is the remainder of their number when it is divided by ${modulus}?`,
    answer: ends.reduce((sum, ways) => sum + ways, 0n) % BigInt(modulus),
  };
};

const coprime: Sort = (random) => {
  const primes = random.sample([2, 3, 5, 7, 11, 13, 17, 19, 23], 3).sort((a, b) => a - b);
  const product = primes.reduce((all, prime) => all * prime, 1);
  const end = random.between(20_000, 400_000);
  let answer = 0;
  for (let number = 1; number <= end; number++) if (primes.every((prime) => number % prime !== 0)) answer++;
  return {
    text: `How many of the integers from 1 to ${end} have no common divisor with ${product} but 1?`,
    answer: BigInt(answer),
  };
};

const divisors: Sort = (random) => {
  const top = random.between(20, 90);
  const [base, exponent] = [random.between(2, 19), random.between(2, 90)]; // its primes are among those of the factorial
  let answer = 1n;
  for (let prime = 2; prime <= top; prime++) {
    if (!isPrime(prime)) continue;
    answer *= BigInt(exponentIn(top, prime) + exponent * timesIn(base, prime) + 1);
  }
  return { text: `How many positive divisors does ${base}^${exponent} · ${top}! have?`, answer };
};

const josephus: Sort = (random) => {
  const [people, step] = [random.between(500, 9_999), random.between(3, 40)];
  let last = 0;
  for (let size = 2; size <= people; size++) last = (last + step) % size;
  return {
    text: `${people} people stand in a circle and are numbered from 1 to ${people}. Counting begins at number 1 and goes round the circle: whoever is counted as ${step} leaves, and the next one who is still there is counted as 1, until one is left. Which number does that person have?`,
    answer: BigInt(last + 1),
  };
};

const remainders: Sort = (random) => {
  const moduli = random.sample([7, 11, 13, 17, 19, 23, 29, 31, 37], 3);
  const product = moduli.reduce((all, modulus) => all * modulus, 1);
  const answer = random.between(1, product);
  const told = moduli.map((modulus) => `${answer % modulus} when divided by ${modulus}`);
  return {
    text: `What is the smallest positive integer that leaves a remainder of ${told.join(', ')}?`,
    answer: BigInt(answer),
  };
};

const fixedPoints: Sort = (random) => {
  const [size, fixed, modulus] = [random.between(9, 60), random.between(1, 5), aModulus(random)];
  return {
    text: `In some of the ways to put ${size} different letters into ${size} addressed envelopes, one in each, exactly ${fixed} are in their own. What is the remainder of the number of these ways when it is divided by ${modulus}?`,
    answer: (choose(size, fixed) * derangements(size - fixed)) % BigInt(modulus),
  };
};

const pointsInCircle: Sort = (random) => {
  const square = random.between(5_000, 200_000);
  let answer = 0;
  for (let x = 0; x * x <= square; x++) answer += (x === 0 ? 1 : 2) * (2 * Math.floor(Math.sqrt(square - x * x)) + 1);
  return {
    text: `How many pairs (x, y) of integers, negative ones too, have x² + y² ≤ ${square}?`,
    answer: BigInt(answer),
  };
};

export const PROBLEMS: readonly Sort[] = [
  ...[multiples, remainderOfPowers, pathsAround, digitSum, recurrence, coins, noLongRun, coprime, divisors, josephus],
  ...[remainders, fixedPoints, pointsInCircle],
];

function choose(all: number, some: number): bigint {
  let ways = 1n;
  for (let at = 1; at <= some; at++) ways = (ways * BigInt(all - some + at)) / BigInt(at);
  return ways;
}

/** Permutations that leave nothing in its place. */
function derangements(size: number): bigint {
  let [before, now] = [1n, 0n];
  for (let at = 2; at <= size; at++) [before, now] = [now, BigInt(at - 1) * (now + before)];
  return size === 0 ? 1n : now;
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return number > 1;
}

/** How often a prime divides n! (Legendre). */
function exponentIn(n: number, prime: number): number {
  let exponent = 0;
  for (let power = prime; power <= n; power *= prime) exponent += Math.floor(n / power);
  return exponent;
}

function timesIn(number: number, prime: number): number {
  let times = 0;
  for (let left = number; left % prime === 0; left /= prime) times++;
  return times;
}
