import type { Forecast } from '../trainer.ts';
import { FORECAST_TOKENS, type Foreseen } from './messages.ts';

/** A forecast as it is told: what steps of one sample and of two take, at some lengths. */
export function toWire({ memory, secondsPerStep }: Forecast): Foreseen {
  const seconds = (samples: number) => FORECAST_TOKENS.map((tokens) => secondsPerStep(samples, tokens));
  return { memory, one: seconds(1), two: seconds(2) };
}

/** The forecast again: in between as on a straight line, and on that line beyond. */
export function fromWire({ memory, one, two }: Foreseen): Forecast {
  return {
    memory,
    secondsPerStep(samples, tokens) {
      const first = onLine(one, tokens);
      return Math.max(0, first + (samples - 1) * (onLine(two, tokens) - first));
    },
  };
}

function onLine(seconds: readonly number[], tokens: number): number {
  const last = FORECAST_TOKENS.length - 2;
  const found = FORECAST_TOKENS.findIndex((_, index) => tokens <= (FORECAST_TOKENS[index + 1] ?? Infinity));
  const index = Math.min(found, last);
  const [from, to] = [FORECAST_TOKENS[index] as number, FORECAST_TOKENS[index + 1] as number];
  const [low, high] = [seconds[index] as number, seconds[index + 1] as number];
  return low + ((tokens - from) / (to - from)) * (high - low);
}
