/** How long somebody was waited for, milliseconds. */
export interface Clock {
  ms: number;
}

/** The same, whose methods that take time are timed. For what is asked one thing after another. */
export function timed<Asked extends object>(asked: Asked, clock: Clock): Asked {
  return new Proxy(asked, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const began = performance.now();
        const answer: unknown = Reflect.apply(value, target, given);
        if (!(answer instanceof Promise)) return answer;
        return answer.finally(() => {
          clock.ms += performance.now() - began;
        });
      };
    },
  });
}
