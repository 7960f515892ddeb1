/**
 * A length of time as Quarry tells it everywhere: «0:07», «18:42», from an hour on «1:05:09». What has not passed as a whole does not count.
 * @param ms milliseconds
 * @param tenths whether tenths of a second are told too: «18:42.5»
 */
export function lengthText(ms: number, { tenths = false } = {}): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return tenths ? `${whole}.${Math.floor(ms / 100) % 10}` : whole;
}
