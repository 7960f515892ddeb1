/** Longer than any answer; numbers have no limit of their own. */
const MOST_DIGITS = 1_000;
const NUMBER = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/;

/**
 * A number as people write it, in plain digits: without what groups them (`1,000`, `1 000`, `1_000`), a `$`, a full stop or zeros at the end of what is
 * behind the point. Undefined for anything else.
 */
export function numberOf(text: string): string | undefined {
  if (text.length > 2 * MOST_DIGITS) return undefined;
  const bare = text.replace(/[\s$,_*\\]/g, '').replace(/\.$/, '');
  const [, sign, digits, behind = ''] = NUMBER.exec(bare) ?? [];
  if (digits === undefined || digits.length + behind.length > MOST_DIGITS) return undefined;
  const number = behind === '' ? digits : `${digits}.${behind}`;
  return sign === '-' && number !== '0' ? `-${number}` : number;
}
