/** What registering may cost more than it does now, of 100: every registration raises the price. */
const PERCENT = 1n;

/** The most that is paid for a registration unless somebody says otherwise: the price now and a hundredth, rounded up. Rao. */
export function registrationLimit(price: bigint): bigint {
  return price + (price * PERCENT + 99n) / 100n;
}
