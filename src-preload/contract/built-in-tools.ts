/** Tools that come with the playground: plain, so that a screen that imports them loads no zod. Models know them by these names. */
export const BUILT_IN_TOOLS = ['current_time', 'calculator'] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** Most times that a model may call tools before it answers; then it is told of none any more. */
export const MAX_TOOL_ROUNDS = 5;
