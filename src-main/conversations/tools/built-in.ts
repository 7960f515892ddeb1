import { BUILT_IN_TOOLS, type BuiltInTool } from '../../../src-preload/contract/built-in-tools.ts';
import type { Tool, ToolCall } from '../../../src-preload/contract/request.ts';
import { calculate } from './calculator.ts';
import { currentTime } from './current-time.ts';

type Arguments = Record<string, unknown>;

/** A tool, as a model is told of it, and what it does. */
interface BuiltIn extends Tool {
  /** @throws Error that tells the model what is wrong */
  run: (args: Arguments, now: () => number) => string;
}

const TOOLS: Record<BuiltInTool, Omit<BuiltIn, 'name'>> = {
  current_time: {
    description: 'Tells the current date, weekday and time.',
    parameters: {
      type: 'object',
      properties: {
        timezone: { type: 'string', description: 'IANA name such as Europe/Berlin. Default: the user’s own.' },
      },
    },
    run: ({ timezone }, now) => currentTime(now(), typeof timezone === 'string' ? timezone : undefined),
  },
  calculator: {
    description: 'Computes an expression exactly, such as (12 * 7 + 3) / 2, sqrt(2) or 2^10.',
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'Numbers, + - * / % ^, brackets, sqrt, sin, ln, …' } },
      required: ['expression'],
    },
    run: ({ expression }) => calculate(String(expression ?? '')),
  },
};

/** What a model is told of these tools. */
export function toolsNamed(names: readonly BuiltInTool[]): Tool[] {
  return BUILT_IN_TOOLS.filter((name) => names.includes(name)).map((name) => {
    const { run: _, ...told } = TOOLS[name];
    return { name, ...told };
  });
}

/** Does what a model wants done. A failure is a result too: the model may try something else. */
export function runTool({ name, arguments: args }: ToolCall, now: () => number): { result: string; failed: boolean } {
  try {
    const tool = BUILT_IN_TOOLS.find((one) => one === name);
    if (!tool) throw new Error(`There is no tool «${name}».`);
    return { result: TOOLS[tool].run(JSON.parse(args), now), failed: false };
  } catch (error) {
    return { result: error instanceof Error ? error.message : String(error), failed: true };
  }
}
