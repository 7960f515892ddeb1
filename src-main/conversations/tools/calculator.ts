import jsep, { type CallExpression, type Expression, type Identifier, type MemberExpression } from 'jsep';

/** Longest expression that is computed, in characters. */
const MAX_EXPRESSION = 500;
/** Digits that a double has for certain. */
const DIGITS = 15;

// Below a sign in mathematics: -2^2 is -4, and 2^-1 is a half; a power of a power is read from the right.
const POWER = 12;
jsep.addBinaryOp('^', POWER, true);
jsep.addBinaryOp('**', POWER, true);

const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
]);

const FUNCTIONS = new Map<string, (...values: number[]) => number>([
  ...(['abs', 'ceil', 'floor', 'round', 'trunc', 'sign', 'sqrt', 'cbrt', 'exp', 'log2', 'log10'] as const).map(inMath),
  ...(['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'min', 'max', 'pow', 'hypot'] as const).map(
    inMath,
  ),
  ['ln', Math.log],
  ['log', Math.log],
]);

function inMath<Name extends keyof Math>(name: Name) {
  return [name, Math[name] as (...values: number[]) => number] as const;
}

/**
 * Computes an expression of numbers: signs, powers, brackets, and the functions above. It is parsed, never run.
 * @throws Error that tells a model what is wrong
 */
export function calculate(expression: string): string {
  if (expression.length > MAX_EXPRESSION)
    throw new Error(`The expression is longer than ${MAX_EXPRESSION} characters.`);
  const value = computed(parsed(written(expression)));
  if (Number.isNaN(value)) throw new Error('The result is no number.');
  if (!Number.isFinite(value))
    throw new Error('The result has no end: a division by zero, or more than a number can hold.');
  return String(Number(value.toPrecision(DIGITS)));
}

/** As people write it, in the parser's signs. */
function written(expression: string): string {
  return expression
    .replaceAll(/[×·]/g, '*')
    .replaceAll(/[÷:]/g, '/')
    .replaceAll('−', '-')
    .replaceAll(/\bMath\./g, '');
}

function parsed(expression: string): Expression {
  try {
    return jsep(expression);
  } catch (cause) {
    throw new Error(`This is no expression: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function computed(node: Expression): number {
  switch (node.type) {
    case 'Literal':
      if (typeof node.value !== 'number') break;
      return node.value;
    case 'Identifier': {
      const value = CONSTANTS.get((node as Identifier).name.toLowerCase());
      if (value === undefined) throw new Error(`«${(node as Identifier).name}» is not known here.`);
      return value;
    }
    case 'UnaryExpression':
      return unary(String(node.operator), node.argument as Expression);
    case 'BinaryExpression':
      return binary(String(node.operator), node.left as Expression, node.right as Expression);
    case 'CallExpression':
      return called(node as CallExpression);
  }
  throw new Error('Only numbers, + - * / % ^, brackets and functions such as sqrt(2) can be computed.');
}

function unary(operator: string, argument: Expression): number {
  // The parser binds a sign closer than a power.
  if (operator === '-') return -computed(argument);
  if (operator === '+') return computed(argument);
  throw new Error(`«${operator}» is not known here.`);
}

function binary(operator: string, left: Expression, right: Expression): number {
  if ((operator === '^' || operator === '**') && left.type === 'UnaryExpression') {
    return unary(String(left.operator), {
      type: 'BinaryExpression',
      operator,
      left: left.argument,
      right,
    } as Expression);
  }
  const [one, other] = [computed(left), computed(right)];
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    case '/':
      return one / other;
    case '%':
      return one % other;
    case '^':
    case '**':
      return one ** other;
  }
  throw new Error(`«${operator}» is not known here.`);
}

function called({ callee, arguments: args }: CallExpression): number {
  const name = String((callee as Identifier | MemberExpression).name ?? '').toLowerCase();
  const compute = callee.type === 'Identifier' ? FUNCTIONS.get(name) : undefined;
  if (!compute) throw new Error(`There is no function «${name || 'of that kind'}» here.`);
  return compute(...args.map((each) => computed(each as Expression)));
}
