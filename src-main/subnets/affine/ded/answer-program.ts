import canonicalize from 'canonicalize';

const SOLVE = /^def solve\s*\(\s*\)/m;
const MAIN = /__name__/;

/** A text as it is, a list as lines, everything else as JSON (Affine, DED). */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plainText).join('\n');
  return canonicalize(value) ?? '';
}

/**
 * A program that defines a function, and calls it with the values that standard input has as a JSON list. What it returns is printed as
 * {@link plainText} writes it.
 */
export function calling(program: string, name: string): string {
  return `${program}

if __name__ == "__main__":
    import json as _json, sys as _sys
    def _told(value):
        if isinstance(value, str):
            return value
        if isinstance(value, (list, tuple)):
            return "\\n".join(map(_told, value))
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return _json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    print(_told(${name}(*_json.loads(_sys.stdin.read()))))
`;
}

/** A program that defines `solve` and does nothing with it is asked for what it returns (Affine, executor). */
export function runnable(program: string): string {
  if (!SOLVE.test(program) || MAIN.test(program) || /^solve\s*\(/m.test(program)) return program;
  return `${program}

if __name__ == "__main__":
    _result = solve()
    if isinstance(_result, (list, tuple)):
        print(*_result)
    elif _result is not None:
        print(_result)
`;
}
