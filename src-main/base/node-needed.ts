/** The first major version with `await using` and AsyncDisposableStack; bin/quarry.js asks for the same. */
export const NODE_NEEDED = 24;
